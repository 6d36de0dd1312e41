/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line `waits` of ftwait/stream.h: what the recorder saw a task wait for. */
#pragma once

#include <stdbool.h>

#include "ftwait/source.h"
#include "source/text/text_line.h"
#include "source/text/text_store.h"

/* Reads what follows the word "waits"; its texts are added to the store. False: it is malformed. */
bool open_wait_line_read(struct text_line line, struct text_store *texts, struct open_wait *ret);
