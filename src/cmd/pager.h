/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pager between standard output and the terminal, as git has it: $FTWAIT_PAGER, else $PAGER, else
 * less. None where standard output is no terminal, or a dumb one, where the variable is empty or
 * says cat, and where the program is not there, of which nothing is said.
 *
 * Between the calls standard output leads to the pager: what depends on the terminal, as colours
 * and its width, is to be known before, and nothing should be said on standard error.
 */
#pragma once

#include <sys/types.h>

struct pager {
	pid_t pid;      /* 0: none */
	int terminal;   /* what standard output was */
	void (*on_interrupt)(int number);
	void (*on_quit)(int number);
};

void pager_begin(struct pager *ret);
/* Waits for it to be left. That this happened before it had all is no error of standard output. */
void pager_end(struct pager *pager);
