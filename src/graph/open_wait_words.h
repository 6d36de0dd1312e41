/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorder saw a task wait for, in words, and as an aim of ftwait-json(5): for sentences
 * of reports, for `ftwait top` and for JSON.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/aim.h"
#include "ftwait/source.h"
#include "words/cause/purpose.h"

/*
 * Appends which object it is, behind the words for what it is for (words/purpose.h): " from
 * 127.0.0.1:80", " on /dev/pts/3", and what keeps the other end from acting. No tasks are named.
 * Nothing if there is nothing to say.
 */
void open_wait_append_object(const struct open_wait *wait, struct buffer *to);
/* Whether a poller waits for the answer on a connection, or at the only pipe or unix socket that
   can end its wait. */
bool open_wait_is_poll(const struct open_wait *wait);
/* What it is for where the place in the kernel does not show that; PURPOSE_NONE: nothing more is
   known. */
enum purpose open_wait_purpose(const struct open_wait *wait);
/* AIM_NONE: nothing shows it. */
enum aim_kind open_wait_aim(const struct open_wait *wait);
/* Whether the task has nothing to do until somebody asks it: a server at a connection that a client
   opened, a reader of a terminal. */
bool open_wait_is_for_work(const struct open_wait *wait);
/* The address of the other end of a connection of TCP or UDP; NULL: it is none, or not known. */
const char *open_wait_peer(const struct open_wait *wait);
