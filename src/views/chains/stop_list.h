/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stops of the asked tasks, folded by the names of the stopped task, the task that stopped it,
 * and the task that continued it. They are listed apart from the chains: a stop is no wait, so it
 * is in the total of a chain only if another task waited for the stopped task.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/wait_list.h"

/* All stops with the same names. */
struct stop {
	uint32_t name;    /* name of the stopped task, id in the timeline's names */
	uint32_t stopper, waker; /* names of the tasks that stopped and continued it; 0: not
	                            known */
	uint8_t letter;
	bool is_open;     /* it was not continued in this trace */
	struct figures figures;
};

struct stop_list {
	const struct question *question;
	struct stop *stop;
	size_t count, capacity;
	struct map by_hash;
	struct figures all;
};

void stop_list_init(struct stop_list *list, const struct question *question);
void stop_list_release(struct stop_list *list);
/* Returns false if the wait is not a stop. Otherwise counts its part in the window, if its kind is
   asked for. */
bool stop_list_add(struct stop_list *list, const struct wait *wait);
/* Prints a section of its own if there was a stop; else nothing. */
void stop_list_report(struct stop_list *list, const struct output *to);
