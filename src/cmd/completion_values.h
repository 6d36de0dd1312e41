/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The possible values where a command line is being typed. Words that the program knows come from
 * its own tables; events, clocks and processes from this kernel, as far as it is readable; tasks
 * from the recording on the command line. Only the head of the recording is read, so the tasks are
 * those of its saved command lines.
 */
#pragma once

#include "candidate_list.h"
#include "completion_request.h"

/* "10" and "10m" become times with each unit. `before`: bytes of the list's beginning before the
   number. */
void completion_add_times(struct candidate_list *to, size_t before);
/* The name of a task or a control group as a pattern that matches it. The bytes of `avoided`, and
   those that cannot be typed, become "?". */
void completion_glob_append(struct buffer *to, const char *name, const char *avoided);

/* Replaces the list; leaves it empty for files and programs, which the shell completes better. */
void completion_values(const struct completion_request *request, struct candidate_list *ret);
/* A condition of the flight recorder: words that may follow those before, or their values. */
void completion_condition(const struct completion_request *request, struct candidate_list *ret);
/* Files and folders of the requested kind, folders with "/" at their end. */
void completion_files(const struct completion_request *request, struct candidate_list *ret);
