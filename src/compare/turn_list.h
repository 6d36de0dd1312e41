/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns: stretches of a recording in which one task did the same work again. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

/* Limit on turns of one recording; further turns are left out, with a note in its health. */
#define TURNS_MAX (1u << 16)

/* [begin, end), not empty, of a task's path. */
struct turn {
	uint32_t track;
	nsec_t begin, end;
};

struct turn_list {
	struct turn *turn;
	size_t count, capacity;
	const char *what; /* the kind of turn, if a recording may have several kinds; static;
	                     else NULL */
};

void turn_list_release(struct turn_list *list);
