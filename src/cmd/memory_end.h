/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The message when memory runs out. A limit of a control group would end the program silently: so
 * a limit of our own is set, a little below, at which malloc() fails first. Allocations cannot
 * fail otherwise (base/xalloc.h), so one line that names the limit and the remedy is enough.
 */
#pragma once

/* For the command of that name; `mend`: a phrase for the remedy. Call once, before there is a
   thread. */
void memory_end_prepare(const char *command, const char *mend);
/* The same without a limit of our own, which child processes would inherit. */
void memory_end_say(const char *command, const char *mend);
