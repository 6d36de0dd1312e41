/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols of a kernel from a file: a System.map, a text as of /proc/kallsyms, or a vmlinux.
 * They replace the symbols of a recording if they belong to its kernel. To check this, the
 * beginning of the recording is read before the report (decode/symbols.h). A vmlinux also has a
 * build id.
 *
 * Order of calls: kernel_map_read(), kernel_map_fit(), kernel_map_release().
 */
#pragma once

#include "base/text/buffer.h"
#include "decode/symbols.h"

struct kernel_map {
	struct symbol_text symbols; /* of `text` */
	struct buffer text;         /* lines of a System.map or of kallsyms */
	struct buffer build_id;     /* lower-case hex; empty: the file has none */
	struct buffer note;         /* what readers of the report must know; empty: nothing */
};

/* Returns 0, or negative with a phrase in `why`. Release *ret in both cases. */
int kernel_map_read(const char *path, struct kernel_map *ret, struct buffer *why);
/* Sets the shift and the note, and returns 0 if the symbols belong to the kernel of the recording,
   which must not be a pipe; else returns negative with a phrase in `why`. */
int kernel_map_fit(struct kernel_map *map, const char *recording, struct buffer *why);
void kernel_map_release(struct kernel_map *map);
