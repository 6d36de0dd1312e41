/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of report as text, as a link has them, taken apart and put together anew: so a key asks
 * another view about the same tasks and the same time. Texts have a leading blank for each word.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"

struct question_parts {
	struct buffer view;   /* " --waits", " --critical-path=17" */
	struct buffer window; /* " --from 0.1 --to 0.2" */
	struct buffer tasks;  /* " --tid 17"; also the task of a path */
	struct buffer rest;   /* " --sort wait --kind disk" */
	bool view_has_task;   /* `view` names these tasks, too */
};

/* Initialises the parts. False: the text is no list of options; then all are empty. */
bool question_parts_read(const char *options, struct question_parts *ret);
void question_parts_release(struct question_parts *parts);
/* The name of the view, "critical-path"; NULL: none of ours. Borrowed from the table of views. */
const char *question_view(const struct question_parts *parts);
/* Takes an option with its value out of the rest; returns whether it was there, with its value
   appended to `value`. NULL: it is not wanted. */
bool question_take(struct question_parts *parts, const char *option, struct buffer *value);
/* Appends them as they are, without a blank before; with another window, if `window` is not
   NULL. */
void question_join(struct buffer *to, const struct question_parts *parts,
                   const struct buffer *window);
/* "critical-path 17 at 0.1": for a line that says where one is. */
void question_label_append(struct buffer *to, const struct question_parts *parts);
