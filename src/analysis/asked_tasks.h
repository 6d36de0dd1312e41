/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that are asked for by name or number and are not in the trace, and who may be meant.
 */
#pragma once

#include "analysis.h"

/*
 * Appends `; did you mean "client"?` where a task's name is near the glob: but for the case of its
 * letters first of all. Nothing where none is.
 */
void asked_name_suggest(const struct timeline *timeline, const char *glob, struct buffer *to);
/* Appends that there is no task of that name or number, and who may be meant, or where to look. */
void asked_name_lack(const struct timeline *timeline, const char *name, struct buffer *to);
/*
 * Tells of each element of --comm, --pid and --tid that no task fits: a phrase each, as "--comm
 * Client: no task of that name in this trace". After the trace has ended.
 */
void asked_tasks_tell_missing(const struct question *question,
                              void (*tell)(void *state, const char *phrase), void *state);
