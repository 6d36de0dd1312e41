/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is replaced as a whole: what is written goes to another one beside it
 * (".ftwait-" and eight digits), which takes its name when all is there. Until then whoever reads
 * has the old one, and who writes may fail or be killed. A signal that ends the process removes the
 * file beside it; only SIGKILL leaves it, and what is said of replaced_file_commit(). One at a time
 * in a process.
 */
#pragma once

#include "base/buffer.h"
#include "base/output_guard.h"

struct replaced_file {
	int folder; /* of both */
	int old;    /* what is to be replaced, open for writing; -1: there is none */
	int new;    /* what takes its place, open for reading, too */
	char *name; /* owned */
};

/*
 * For the regular file, or the nothing, that `place` is; `old` is it, open for writing, or -1, and
 * is owned from now on, unless this fails. The new one has the old one's mode, owner and access
 * control list, or, where there is none, those of any new file. Returns the new one's descriptor,
 * or -errno where no file can stand in for this one, as it has other names, or an owner who is not
 * to be kept, or lies in a folder that we may not write to.
 */
int replaced_file_begin(const struct output_place *place, int old, struct replaced_file *ret);
/*
 * What was written, and is closed, takes the name. Where the name cannot be moved to another file,
 * as that of a mount point, the old file gets the new one's bytes. 0, or -errno: the old file is as
 * it was. Unless those bytes could not all be written: then the file beside it stays, as the only
 * one that is whole, and `why` gets a phrase that names it.
 */
int replaced_file_commit(struct replaced_file *file, struct buffer *why);
/* All is as it was. */
void replaced_file_discard(struct replaced_file *file);
