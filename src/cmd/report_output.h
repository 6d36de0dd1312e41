/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a report goes. The file is opened early, so that nobody waits for a report that cannot be
 * written, and emptied late: until there is something to write it keeps what it had. Errors are
 * printed here.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct report_output {
	const char *path; /* borrowed; NULL: standard output */
	FILE *file;
	bool is_new; /* we have made it */
};

/* `path` NULL or "-": standard output. `input` is the recording, which is never the output. */
int report_output_open(const char *path, const char *input, struct report_output *ret);
/* Whether a report that is for another program to open would go to a terminal; says so then. */
bool report_output_is_terminal(const struct report_output *output, const char *format);
/* Before the first byte. */
int report_output_begin(struct report_output *output);
/* Standard output is looked after by main(). */
int report_output_close(struct report_output *output);
/* Instead of both, where there is no report: leaves everything as it was. */
void report_output_discard(struct report_output *output);
