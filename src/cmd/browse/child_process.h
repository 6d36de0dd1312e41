/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The begin and the end of a process of the browser, which is forked and executes nothing. */
#pragma once

#include <sys/types.h>

/* It ends with that parent, has the usual signals, no keyboard, and writes to these descriptors;
   -1: nowhere. Progress goes to `error`, too. */
void child_become(pid_t parent, int out, int error);
/* In its parent: waits for its end, and sets *child to 0. Returns its exit status, or 128 and the
   signal that ended it. */
int child_await_end(pid_t *child);
/* Ends it with that status, or as failed if its output could not be written. */
void child_leave(int status) __attribute__((noreturn));
