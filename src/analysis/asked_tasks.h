/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks and CPUs that are asked for by name or number and are not in the trace, with suggestions.
 */
#pragma once

#include "analysis.h"

/* Appends that there is no task of that name or number, and suggests a name, or which view lists
   the tasks. */
void asked_name_lack(const struct timeline *timeline, const char *name, struct buffer *to);
/*
 * Reports each element of --comm, --cgroup, --pid and --tid that no task matches, and of --cpu
 * that no machine has: a phrase each, as "--comm Client: no task of that name in this trace"; one
 * on tasks that had the name only for a time, as they are asked for as a whole; and one on tasks
 * that match, but are not of those that the recording was made for. The question must be resolved.
 */
void asked_tasks_report_missing(const struct question *question,
                                void (*report)(const char *phrase));
/* Whether tasks are asked for, and none of them is in the trace. Call after it has ended. */
bool asked_tasks_are_absent(const struct question *question);
