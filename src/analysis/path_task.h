/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose critical path is asked for.
 */
#pragma once

#include "analysis.h"

/*
 * The line of the task that question->path_of names, by tid or by a glob of its name, or the one
 * that is likely to be meant where it names none; LINE_NONE: there is no such task. *ret_why tells
 * why one was chosen, NULL where it was named.
 */
uint32_t path_task_find(const struct question *question, const char **ret_why);

/* Whether the line is one that question->path_of, which is not NULL, may name. */
bool path_task_fits(const struct question *question, uint32_t line);

/* Takes in the argument of a view that names the task: struct analysis. */
void path_task_take_argument(struct question *question, const char *text);
/* Whether the task that is named is there, or none is; else one phrase in `why`. */
bool path_task_is_there(const struct question *question, struct buffer *why);

/* The window of a task's path, and which of its ends are those of the task's life. */
struct path_window {
	nsec_t begin, end;
	bool is_from_birth, is_to_death;
};

/*
 * What is asked for by --from and --to; where they say nothing, the task's life: before its birth
 * there was no such task, and after its end nothing of it is there to be known. One that was there
 * before the trace, or outlives it, has the trace's begin, or end; so has one that was only seen
 * late. An end of the life that leaves nothing of what is asked for is none.
 */
struct path_window path_task_window(const struct question *question, uint32_t line);

/* Whose path, why that one's (NULL: it was named), and of which time. */
struct path_target {
	uint32_t line;
	const char *why;
	struct path_window window;
};

/* The window of the asked task, or the asked wait, which settles the task; line LINE_NONE: there is
   no such task. The question is resolved. */
void path_target_find(const struct question *question, struct path_target *ret);
