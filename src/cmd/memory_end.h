/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The message when memory runs out. At a control group's limit the kernel would end the program
 * silently, so the program sets itself a limit a little below, at which malloc() fails first.
 * Allocations cannot fail (base/xalloc.h): the program ends with one line that names the limit and
 * the remedy.
 */
#pragma once

/* Prepares the message of the command, and the limit; `mend`: a phrase for the remedy. Call once,
   before there is another thread. */
void memory_end_prepare(const char *command, const char *mend);
/* Prepares the message without setting the limit: child processes would inherit the limit. */
void memory_end_say(const char *command, const char *mend);
/* For commands that run for days: freed memory goes back to the kernel. Otherwise glibc, once a
   large block was freed, keeps room for others of that size among the small ones. Call it after the
   recorder's process was started: its queue reuses its chunks. */
void memory_give_back(void);
