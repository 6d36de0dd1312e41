/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stops of the asked tasks, folded by names: who was stopped, by whom, and who let it go on.
 * They stand beside the chains: a stop is no waiting, so no chain's total holds it, but for those
 * of tasks that waited for one that was stopped.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/wait_list.h"

/* All stops that are alike. */
struct stop {
	uint32_t name;    /* of the task, id in the timeline's names */
	uint32_t stopper, waker; /* names; 0: not known */
	uint8_t letter;
	bool is_open;     /* not continued in this trace */
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
/* False where the wait is none; else counts what of it lies in the window, if its kind is asked. */
bool stop_list_add(struct stop_list *list, const struct wait *wait);
/* A section of its own, where there was a stop; else nothing. */
void stop_list_report(struct stop_list *list, const struct presenter *presenter, void *to);
