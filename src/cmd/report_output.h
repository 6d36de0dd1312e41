/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a report goes. A file is replaced as a whole (replaced_file.h): until all of the report is
 * written it keeps what it had. What is no file, or cannot be replaced, is written in its own
 * place, and emptied late: when there is something to write. It is opened early, so that nobody
 * waits for a report that cannot be written. Errors are printed here.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "replaced_file.h"

struct report_output {
	const char *path; /* borrowed; NULL: standard output */
	FILE *to;         /* what is to be written, by report_output_begin() */
	char *gathered;   /* what is on its way there; owned */
	FILE *file;       /* where that goes: of it can be asked whether it is a terminal */
	int error;        /* of the first write that failed: nothing is written after it */
	bool is_terminal; /* where progress is shown, too */
	bool is_replaced; /* what is written goes to a file beside the one that is named */
	struct replaced_file replaced;
};

/* `path` NULL or "-": standard output. `input` is the recording, which is never the output. */
int report_output_open(const char *path, const char *input, struct report_output *ret);
/* Whether a report that is for another program to open would go to a terminal; says so then. */
bool report_output_is_terminal(const struct report_output *output, const char *format);
/* Before the first byte; `output` stays where it is from now on. */
int report_output_begin(struct report_output *output);
/* Of standard output main() tells what failed. */
int report_output_close(struct report_output *output);
/* Instead of it, or of both, where there is no report: leaves everything as it was. */
void report_output_discard(struct report_output *output);
