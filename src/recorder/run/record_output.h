/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of a recording. It is locked while it is open, so that no other ftwait takes its name.
 * An existing file with the name is kept as NAME.old, as users of perf expect. Only the owner may
 * read the file: it contains kernel addresses. Under sudo the owner is the user who called sudo.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"

struct record_output {
	const char *path; /* borrowed; NULL: standard output */
	int fd;
	bool is_file;     /* it is a regular file, which becomes a trace.dat at the end */
	bool has_old;     /* the previous file NAME was renamed to NAME.old */
};

/* Whether the recording goes to standard output, under any name: then the output of COMMAND must
   not go there. */
bool record_output_is_stdout(const char *path);
/* Returns 0, or -errno and a line in `why`. For a FIFO it prints that it waits for the reader. */
int record_output_open(const char *path, struct record_output *ret, struct buffer *why);
/* The same, but makes a regular file; -EEXIST if there is anything of that name. */
int record_output_open_new(const char *path, struct record_output *ret, struct buffer *why);
/* The current path of the open file, which may have been moved; NULL: removed. The caller frees
   it. */
char *record_output_locate(const struct record_output *output);
void record_output_close(struct record_output *output);
/* Call if the recording never began: restores the previous state. */
void record_output_discard(struct record_output *output);
