/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a thread polls: those of poll(), select() and epoll_wait(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seen_process.h"

/* A file with a higher number is only counted; what poll() and select() have behind is ignored. */
#define POLLED_MAX 1024u

struct poll_set {
	uint64_t bit[POLLED_MAX / 64]; /* by number of the file */
	size_t count;
};

/* `process`: that of the thread. False: it is no such call, or its set cannot be read. */
bool poll_set_read(struct seen_process *process, const char *call, const uint64_t argument[6],
		   struct poll_set *ret);
