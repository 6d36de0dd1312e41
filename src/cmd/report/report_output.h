/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of a report. A file is replaced as a whole (replaced_file.h): it keeps its content
 * until the report is complete. An output that is no regular file, or that cannot be replaced, is
 * written in place, and emptied only when there is something to write. The output is opened early,
 * so that it fails at once if it cannot be written. Errors are printed here.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "cmd/replaced_file.h"
#include "ftwait/report.h"

#define KEPT_FILES_MAX 2

/* A file, besides recordings, that must not be overwritten. */
struct kept_file {
	const char *path; /* NULL: there is none */
	const char *what; /* "the budget" */
};

/* Where a report is to go. All is borrowed. */
struct report_target {
	const char *command;      /* for messages */
	const char *path;         /* NULL or "-": standard output */
	const char *option;       /* that names it, for messages; NULL: -o */
	const char *const *input; /* the recordings, none of which is ever the output */
	size_t input_count;
	struct kept_file kept[KEPT_FILES_MAX];
};

struct report_output {
	const char *command; /* borrowed */
	const char *path; /* borrowed; NULL: standard output */
	FILE *to;         /* the stream for the report, from report_output_begin() on */
	char *gathered;   /* buffered output; owned */
	FILE *file;       /* the destination of the stream, which may be a terminal */
	int error;        /* error of the first write that failed; nothing is written after it */
	bool is_terminal; /* the output is a terminal, on which progress is shown, too */
	bool is_replaced; /* output goes to a file beside the named one */
	struct replaced_file replaced;
};

int report_output_open(const struct report_target *target, struct report_output *ret);
/* Whether a report in another program's format would go to a terminal; if so, prints that. */
bool report_output_is_terminal(const struct report_output *output, const char *format);
/* The folder in which the output gets its name at the end; -1: it needs none. Borrowed. */
int report_output_folder(const struct report_output *output);
/* Call before the first byte; `output` must not be moved from now on. */
int report_output_begin(struct report_output *output);
/* Closes the output; for standard output main() reports failures. */
int report_output_close(struct report_output *output);
/* Call instead of report_output_close(), or instead of begin and close, if there is no report:
   leaves everything as it was. */
void report_output_discard(struct report_output *output);
