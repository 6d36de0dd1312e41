/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A forked process with a pipe to its parent. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct piped_child {
	pid_t pid; /* 0: none runs; in the child itself, too */
	int fd;    /* the end of the pipe: to read from, in the child to write to. Whoever has it
	              closes it */
};

/* Returns 0, in the child, too; or -errno, and there is none. */
int piped_child_fork(struct piped_child *child);
/* True once: it has ended; *ret_status is as waitpid(2) has it. */
bool piped_child_poll(struct piped_child *child, int *ret_status);
/* The same, but waits for the end; false if none runs. */
bool piped_child_await(struct piped_child *child, int *ret_status);
