/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is replaced as a whole: output goes to another file beside it (".ftwait-" and eight
 * digits), which is renamed when it is complete. Until then readers see the old file, and the
 * writer may fail or be killed. A signal that ends the process removes the file beside it; it
 * remains only after SIGKILL, and in a case described at replaced_file_commit(). Only one at a
 * time in a process.
 */
#pragma once

#include "base/buffer.h"
#include "base/output_guard.h"

struct replaced_file {
	int folder; /* of both */
	int old;    /* the file to be replaced, open for writing; -1: there is none */
	int new;    /* its replacement, open for reading, too */
	char *name; /* owned */
};

/*
 * For `place`, a regular file or nothing; `old` is the file, open for writing, or -1, and is owned
 * from now on, unless this fails. The new file gets the old one's mode, owner and access control
 * list, or, without an old one, those of any new file. Returns the new one's descriptor, or -errno
 * if the file cannot be replaced: it has other names, its owner cannot be kept, or its folder is
 * not writable.
 */
int replaced_file_begin(const struct output_place *place, int old, struct replaced_file *ret);
/*
 * Call when the output is complete and closed: the new file takes the name. If the name cannot be
 * moved to another file, as for a mount point, the new one's bytes are copied to the old file.
 * Returns 0, or -errno: the old file is unchanged, unless only a part could be copied: then the
 * file beside it stays, as the only complete one, and `why` gets a phrase that names it.
 */
int replaced_file_commit(struct replaced_file *file, struct buffer *why);
/* Leaves everything as it was before. */
void replaced_file_discard(struct replaced_file *file);
