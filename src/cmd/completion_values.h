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

/* Replaces the list; leaves it empty for files and programs, which the shell completes better. */
void completion_values(const struct completion_request *request, struct candidate_list *ret);
/* Files and folders of the requested kind, folders with "/" at their end. */
void completion_files(const struct completion_request *request, struct candidate_list *ret);
