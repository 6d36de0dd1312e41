/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a report has what was asked for, once the recording is read. What it lacks is said on
 * standard error here.
 */
#pragma once

#include <stdbool.h>

#include "engine/report_run.h"
#include "report_options.h"

/* Whether the asked task and wait are there; else that is an error. `path`: of the recording. */
bool report_has_answers(const struct report_run *run, const char *path);
/* A window that ends before it begins is a slip, of which no report is made: an error. */
bool report_window_is_reversed(const struct report_run *run, const struct report_options *options);
/* The window has nothing of the recording: a warning. */
void report_warn_window(const struct report_run *run);
/* Of the asked tasks those that are not there: warnings. */
void report_warn_missing(const struct report_run *run);
/*
 * The exit status of a report that was written, by how far the recording could be read; what of it
 * the medium did not give is told here. `path`: of the recording.
 */
int report_status(const struct report_run *run, const struct report_options *options,
                  const char *path);
/* What the recording lacks, where the form has no place for that: a warning. `where`: that has. */
void report_warn_impaired(const struct report_run *run, const char *where);
