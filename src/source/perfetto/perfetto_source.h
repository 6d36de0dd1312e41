/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source (ftwait/source.h) that reads the ftrace events of a Perfetto trace. Records have the
 * formats of text (text/text_layout.h), so all later layers handle them like a trace.dat.
 *
 * The file is read twice. Opening reads all of it, and notes where the bundles of each CPU are;
 * then each stream reads its own ones, which are in order of time.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "source/file/input_file.h"

/* Takes ownership of the file, even if it fails. Returns 0, or -errno and a line in `why`. */
int perfetto_open(const struct input_file *file, struct source **ret, struct buffer *why);
