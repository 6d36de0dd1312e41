/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pager between standard output and the terminal, as in git: $FTWAIT_PAGER, else $PAGER, else
 * less. None is used if standard output is no terminal, or a dumb one, if the variable is empty or
 * "cat", or, silently, if the program does not exist.
 *
 * Between the calls standard output leads to the pager: determine colours, width and other
 * properties of the terminal before, and print nothing on standard error meanwhile.
 */
#pragma once

#include <sys/types.h>

struct pager {
	pid_t pid;      /* 0: none */
	int terminal;   /* the previous standard output */
	void (*on_interrupt)(int number);
	void (*on_quit)(int number);
};

void pager_begin(struct pager *ret);
/* Waits until the user leaves the pager. It is no error if the pager has not read everything. */
void pager_end(struct pager *pager);
