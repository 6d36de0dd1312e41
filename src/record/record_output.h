/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a recording goes. While it is open it is locked: no other ftwait takes its name. An
 * existing file of the name is kept as NAME.old, as users of perf expect. The file is readable by
 * its owner only: it holds kernel addresses. Under sudo its owner is the user who called sudo.
 */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"

struct record_output {
	const char *path; /* borrowed; NULL: standard output */
	int fd;
	bool is_file;     /* regular: becomes a trace.dat at the end */
	bool has_old;     /* NAME.old was there before under NAME */
};

/*
 * Whether the recording goes to where our standard output goes, under whatever name: what COMMAND
 * prints must not go there, too.
 */
bool record_output_is_stdout(const char *path);
/* Returns 0 or -errno and a line in `why`. Waits for the reader of a FIFO, and says so. */
int record_output_open(const char *path, struct record_output *ret, struct buffer *why);
/* Where the open file is now, after somebody may have moved it; NULL: removed. To be freed. */
char *record_output_locate(const struct record_output *output);
void record_output_close(struct record_output *output);
/* For a recording that never began: puts everything back as it was. */
void record_output_discard(struct record_output *output);
