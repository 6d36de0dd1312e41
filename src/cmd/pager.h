/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pager between standard output and the terminal, as in git: $FTWAIT_PAGER, else $PAGER, else
 * less. None is used if standard output is no terminal, or a dumb one, if the variable is empty or
 * "cat", or, silently, if the program does not exist.
 *
 * Its process is made early, as a sealed process (base/file/seal.h) cannot execute any program, and
 * waits. Order of calls: pager_prepare(), pager_begin(), pager_end(). Any but the last may be left
 * out.
 *
 * From pager_begin() to pager_end() standard output leads to the pager: determine colours, width
 * and other properties of the terminal before, and print nothing on standard error meanwhile.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* All zeros: none. */
struct pager {
	pid_t pid;      /* 0: none */
	int begin_fd, text_fd, exec_fd;
	bool is_prepared, has_begun;
	int terminal;   /* the previous standard output */
	void (*on_interrupt)(int number);
	void (*on_quit)(int number);
};

void pager_prepare(struct pager *ret);
void pager_begin(struct pager *pager);
/* Waits until the user leaves the pager. It is no error if the pager has not read everything. */
void pager_end(struct pager *pager);
