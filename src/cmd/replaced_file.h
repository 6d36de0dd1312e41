/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is replaced as a whole: output goes to another file beside it (".ftwait-" and eight
 * digits), which is renamed when it is complete. Until then readers see the old file, and the
 * writer may fail or be killed. A signal that ends the process removes the file beside it; it
 * remains only after SIGKILL, and in a case described at replaced_file_commit(). A process can
 * replace only one file at a time.
 */
#pragma once

#include "base/file/output_guard.h"
#include "base/text/buffer.h"

struct replaced_file {
	int folder; /* of both */
	int old;    /* the file that is replaced, open for writing; -1: there is none */
	int new;    /* its replacement, open for reading and writing */
	char *name; /* owned */
};

/*
 * Makes a new file for `place`, at which there is a regular file or nothing. `old` is the existing
 * file, open for writing, or -1; on success it is owned from now on. The new file gets the mode,
 * owner and access control list of the old one; if there is none, those of any new file. Returns
 * the new file's descriptor, or -errno if the old file cannot be replaced: it has other names, its
 * owner cannot be kept, or its folder is not writable.
 */
int replaced_file_begin(const struct output_place *place, int old, struct replaced_file *ret);
/*
 * Call when the output is complete and closed: the new file takes the name. If the name cannot be
 * moved to another file, as for a mount point, the bytes of the new file are copied to the old one.
 * Returns 0 or -errno. After a failure the old file is unchanged, unless only a part could be
 * copied: then the file beside it stays, as the only complete one, and `why` gets a phrase that
 * names it.
 */
int replaced_file_commit(struct replaced_file *file, struct buffer *why);
/* Removes the new file: everything is as it was before. */
void replaced_file_discard(struct replaced_file *file);
