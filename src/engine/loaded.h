/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording as it is loaded for a report, and the symbols of its kernel from a file. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "decode/symbols.h"
#include "ftwait/host.h"
#include "ftwait/source.h"
#include "user_frames.h"

/*
 * The symbols of a kernel from a file: a System.map, a text as of /proc/kallsyms, or a vmlinux.
 * They replace the symbols of a recording if they belong to its kernel. To check this, the
 * beginning of the recording is read before the report (decode/symbols.h). A vmlinux also has a
 * build id.
 *
 * Order of calls: kernel_map_read(), kernel_map_fit(), kernel_map_release().
 */

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

/*
 * A recording as it is loaded for a report: its source, with what else is known of its machines and
 * gives things their names, and what may be spent to read it. The reports of one recording share
 * it, whatever they ask.
 *
 * Order of calls: loaded_init(); the caller sets what it has; then any number of reports borrow it;
 * loaded_release(). What is borrowed must live until then.
 */

struct loaded {
	struct source *source; /* borrowed */
	struct host host[HOSTS_MAX]; /* the machines of a source that joins several */
	/* Name functions of programs, one for each machine; owned; NULL: they are not named. */
	struct user_frames *users[HOSTS_MAX];
	/* Symbols instead of those of the source, which is of one machine; borrowed. NULL: its
	   own. */
	const struct kernel_map *kernel;
	const struct host_messages *messages; /* between the machines; borrowed; NULL: none known */
	/* 1: no second thread; 2 or more: a second thread reads ahead; 0: the engine decides */
	uint64_t threads;
	size_t history_bytes; /* size of the history for views that do not need all of it; 0:
	                         according to this machine's memory */
};

void loaded_init(struct loaded *loaded, struct source *source);
void loaded_release(struct loaded *loaded);
/* The machines; none of a single recording. */
struct hosts loaded_hosts(struct loaded *loaded);
