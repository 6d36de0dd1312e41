/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said when there is no more memory. A limit that a control group sets would end the
 * program without a word: it is set as a limit of its own, a little below, where malloc() meets it
 * first. Allocations cannot fail otherwise (base/xalloc.h), so one line of words, which names the
 * limit and the mend, is all that is needed.
 */
#pragma once

/* For the command of that name; `mend` is a phrase. To be called once, before there is a thread. */
void memory_end_prepare(const char *command, const char *mend);
/* The same without a limit of our own: what is started next would inherit it. */
void memory_end_say(const char *command, const char *mend);
