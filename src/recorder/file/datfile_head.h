/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first part of a trace.dat of version 6, from its magic to the CPU count: what a reader needs
 * to know about the kernel before the first event. trace-cmd.dat.v6(5) of trace-cmd describes the
 * format.
 *
 * All numbers are in the byte order of this machine.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "recorder/instance/capture_session.h"
#include "recorder/instance/event_selection.h"

#define DATFILE_HEAD_BYTES_MAX (256u << 20)

/* The options of trace.dat that ftwait writes. */
enum datfile_option {
	DATFILE_OPTION_END = 0,
	DATFILE_OPTION_CPU_STATISTICS = 2, /* text of one CPU's statistics, with its NUL */
	DATFILE_OPTION_BUFFER = 3,         /* u64 offset of its table, its name with its NUL */
	DATFILE_OPTION_CLOCK = 4,          /* text of trace_clock, with its NUL */
	DATFILE_OPTION_UNAME = 5,
	DATFILE_OPTION_VERSION = 9,        /* see ftwait/stream.h */
	DATFILE_OPTION_SCALE = 14,         /* u32 mult, u32 shift, u64 offset */
};

/*
 * Appends the formats of the kernel's own events and of the selected ones to `to`, for
 * datfile_head_build(); needs no instance. `tracefs` is the mount. Returns 0, or -errno and a line
 * in `why`.
 */
int datfile_head_read_formats(const char *tracefs, const struct event_selection *selection,
                              struct buffer *to, struct buffer *why);
/*
 * Appends the head to `to`: `formats`, no symbols, formats of trace_printk(), `cmdlines` ("TID
 * COMM" lines) and the count of CPUs. Returns 0, or -errno and a line in `why`.
 */
int datfile_head_build(const char *tracefs, const struct capture_session *session,
                       const struct buffer *formats, const struct buffer *cmdlines,
                       struct buffer *to, struct buffer *why);

/*
 * True if every address in the text of /proc/kallsyms is 0, as under kptr_restrict: names without
 * addresses are useless and are not recorded.
 */
bool symbols_are_hidden(const struct buffer *symbols);

/* Byte offsets of the parts of a head that a later writer changes or moves. */
struct datfile_head {
	size_t own_at;     /* the count of the kernel's own formats */
	size_t events_at;  /* the count of event systems */
	size_t symbols_at; /* the u32 that holds their length; the text follows */
	size_t symbols_bytes;
	size_t cmdlines_at; /* the same with a u64 */
	size_t cmdlines_bytes;
	uint32_t cpu_count;
	uint32_t page_bytes;
	uint8_t long_bytes; /* of the kernel: 4 or 8 */
};

/* Finds the parts; -EINVAL unless `head` is a whole head in this machine's byte order. */
int datfile_head_parse(const void *head, size_t size, struct datfile_head *ret);
/* Calls `on_format` with the text of each format, as far as the head is valid. */
void datfile_head_formats(const void *head, size_t size,
                          void (*on_format)(void *state, const char *text, size_t length),
                          void *state);

/* The options of a trace.dat, as a stream has them: one after the other in a buffer. */

/* "[mono]" of the clock option's "local global [mono] ..."; false if there is none. */
bool datfile_find_clock(const struct buffer *options, const char **ret, uint64_t *ret_bytes);

struct option_place {
	const char *text; /* borrowed */
	uint32_t bytes;
	uint16_t id;
};

/* Reads the option of a stream at `*at` and advances `*at` past it; false at the end. */
bool datfile_option_next(const struct buffer *options, size_t *at, struct option_place *ret);
