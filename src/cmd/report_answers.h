/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a report has what was asked for, once the recording is read. What is missing is printed
 * on standard error here.
 */
#pragma once

#include <stdbool.h>

#include "engine/report_run.h"
#include "report_options.h"

/* Whether the asked task and wait exist; if not, prints an error. `path`: of the recording. */
bool report_has_answers(const struct report_run *run, const char *path);
/* A window that ends before it begins is a mistake: prints an error, and no report is made. */
bool report_window_is_reversed(const struct report_run *run, const struct report_options *options);
/* Prints a warning if the window contains nothing of the recording. */
void report_warn_window(const struct report_run *run);
/* Prints a warning for each asked task that does not exist. */
void report_warn_missing(const struct report_run *run);
/*
 * The exit status of a report that was written, by how much of the recording could be read; prints
 * read errors of the medium. `path`: of the recording.
 */
int report_status(const struct report_run *run, const struct report_options *options,
                  const char *path);
/* Prints a warning about what the recording lacks, if the format has no place for that. `where`: a
   format that has. */
void report_warn_impaired(const struct report_run *run, const char *where);
