/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of the summary: the sentences before any table. Each part is in a file summary_*.c; the
 * tables are in summary_analysis.c.
 */
#pragma once

#include "advice.h"
#include "summary_times.h"

/* "disk 62 %, task 20 %": the causes of most of the waiting. */
void times_describe(const struct times *times, unsigned most, struct buffer *to);
/* Whether no task is seen that is asked for, so that a screen has no need of the rest. */
static inline bool summary_shows_nothing(const struct output *to, const struct times *total)
{
	return total->time == 0 && to->presenter->row_limit;
}
/* Whether the processes of record -p are not seen, so that every task is shown instead. */
bool summary_lacks_target(const struct summary *summary);
/* Prints the answer in some lines, before any table; `tasks`: the number of tasks that it is
   about. */
void summary_print(const struct summary *summary, const struct hangs *hangs,
                   const struct advices *advices,
                   const struct output *to, const struct times *total, size_t tasks);
/* Prints the costs, in lines and a table; `tasks` as above. Also gathers the times of the asked
   tasks. */
void summary_print_costs(const struct summary *summary, const struct advices *advices,
                         const struct output *to, size_t tasks);
/*
 * Prints which task polled, if it matters. It is called twice: with is_first, right below the
 * costs, it prints only polling that is certain and took most of the time; otherwise it prints any
 * other polling.
 */
void summary_print_polling(const struct summary *summary, bool is_first, const struct output *to);
/* Prints what was waited for in slices, if it matters; of_path: only waits of tasks on the path. */
void summary_print_slices(const struct summary *summary, bool of_path, const struct output *to);
