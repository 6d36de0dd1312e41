/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this folder that read trace.dat and the ftwait stream share: one open file, its
 * description so far, and its streams of pages. Everything in it belongs to the datfile.
 *
 * Order: datfile_new(), the parts of a file in whatever order they stand, datfile_finish(), then
 * reading. Offsets and sizes are bytes. Functions return -errno and append a phrase to `why` where
 * they have that parameter; those without note the damage and go on.
 *
 * Source of the format: trace-cmd's Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and .v7.5.txt;
 * what these leave out was read off real files (see tests/unit/source).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "ftwait/source.h"
#include "input_file.h"
#include "page_stream.h"
#include "text_store.h"
#include "unpack.h"

#define DATFILE_MAGIC       "\027\010\104tracing"
#define DATFILE_MAGIC_BYTES 10

#define DATFILE_CPUS_MAX     65536u
#define DATFILE_BUFFERS_MAX  1024u
#define DATFILE_FORMATS_MAX  65536u
#define DATFILE_SECTION_MAX  (64u << 20) /* bytes of a section, packed or unpacked */
#define DATFILE_CHUNK_MAX    (8u << 20)  /* unpacked bytes of a chunk of pages */
#define DATFILE_UNPACKED_MAX (512u << 20) /* chunks of all streams together */
#define DATFILE_PAGE_MIN     1024u
#define DATFILE_PAGE_MAX     (4u << 20)
#define DATFILE_READ_BYTES   (256u << 10) /* of one stream at a time */
#define DATFILE_READ_TOTAL   (8u << 20)   /* of all streams together */
#define DATFILE_BATCH_MIN    16u         /* records of one stream at a time, at least */
#define DATFILE_BATCH_TOTAL  (1u << 18)  /* of all streams, where that is enough */
#define DATFILE_EXTENTS_MAX  (4u << 20)

/* A run of pages in the file, or of packed chunks of pages. */
struct extent {
	uint64_t offset, bytes;
};

struct datfile_feed {
	struct datfile *datfile;
	size_t stream; /* index in source.streams */
	struct page_stream pages;
	struct extent *extents;
	size_t extent_count, extent_capacity, extent_at;
	uint64_t done; /* bytes of extents[extent_at] */
	bool is_packed;
	bool is_noted; /* its damage was told */
	uint32_t chunks_left;
	uint8_t *block;
	size_t block_capacity;
};

struct datfile_buffer {
	const char *name;    /* "" for the main one */
	uint32_t page_bytes; /* 0: as the file says */
};

/* Option BUFFER as it stood; read when all options are known. */
struct buffer_option {
	const uint8_t *bytes; /* owned by the datfile's text */
	uint32_t size;
};

/* One CPU's figures from CPUSTAT, kept until the buffers are known. */
struct cpu_figures {
	const char *buffer;
	unsigned cpu;
	uint64_t overrun;
};

/* Where the text of kallsyms is; packed_bytes 0: as it is. */
struct symbol_place {
	uint64_t offset;
	uint64_t bytes;
	bool is_packed; /* offset is that of the section's packed bytes */
	uint32_t packed_bytes;
	uint8_t *text;  /* unpacked, when somebody asked */
};

struct datfile {
	struct source source; /* first: ops cast it back */
	struct input_file file;
	struct text_store text;
	unsigned version;
	bool is_swapped;
	enum packing packing;
	uint64_t options_offset; /* version 7: the first options section */
	uint64_t header_end;     /* the first byte after the fixed part */
	uint64_t covered;        /* the first byte after all parts that are known so far */
	struct page_layout layout;

	struct format_text *formats;
	size_t format_count, format_capacity;
	struct known_task *tasks;
	size_t task_count, task_capacity;
	struct map task_index; /* tid -> index in tasks */
	int32_t *pids;
	size_t pid_count, pid_capacity;
	struct datfile_buffer *buffers;
	size_t buffer_count, buffer_capacity;
	struct source_stream *streams;
	struct datfile_feed *feeds; /* one for each of streams */
	size_t stream_count, stream_capacity, feed_capacity;
	struct map stream_index; /* stream_key() -> index in streams */
	size_t extent_count;
	uint64_t extent_bytes; /* sum over all: never above the size of the file */
	struct buffer_option *buffer_options;
	size_t buffer_option_count, buffer_option_capacity;
	uint64_t section_at[6]; /* version 7: offsets of sections 16 to 21; 0: none */
	uint64_t *options_seen; /* version 7: offsets of the options sections taken */
	size_t options_seen_count, options_seen_capacity;
	bool has_text_buffer;   /* of a latency tracer */
	struct cpu_figures *figures;
	size_t figure_count, figure_capacity;
	struct symbol_place symbols;

	unsigned header_cpus; /* version 6: CPUs the header speaks of */
	unsigned option_cpus; /* CPUCOUNT; 0: not told */
	int64_t time_offset;
	uint32_t time_mult, time_shift; /* mult 0: stamps are nanoseconds */
	const char *figures_buffer;     /* whose figures come next */
	uint64_t section_bytes;         /* unpacked so far, against bombs */
	uint8_t *packed;
	size_t packed_capacity;
	size_t live_feeds; /* streams that hold pages */
	size_t block_bytes; /* of all feeds */
};

/* datfile_source.c */
struct datfile *datfile_new(const struct input_file *file);
void datfile_free(struct datfile *datfile);
void datfile_freep(struct datfile **datfile);
/* Publishes what was collected in datfile->source; reading may begin. */
void datfile_finish(struct datfile *datfile);

/* datfile_header.c: the parts of a head, as version 6 has them in a row */
/* Says of something that it does not begin as a trace; -EINVAL. */
int datfile_refuse_magic(struct buffer *why);
int datfile_read_magic(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
int datfile_read_header_info(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
int datfile_read_ftrace_formats(struct datfile *datfile, struct cursor *cursor,
                                struct buffer *why);
int datfile_read_event_formats(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
int datfile_read_symbol_place(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
int datfile_read_cmdlines(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
/* All of these and the CPU count: everything of version 6 before the word "options". */
int datfile_read_head(struct datfile *datfile, struct cursor *cursor, struct buffer *why);

/* datfile_options.c */
struct option_text {
	uint16_t id;
	const uint8_t *bytes; /* borrowed */
	uint32_t size;
};
/* Takes what it knows; unknown ones and those of an odd size are passed over. */
void datfile_take_option(struct datfile *datfile, const struct option_text *option);
/* Version 6: a list that ends with id 0, or with the cursor. */
int datfile_read_options(struct datfile *datfile, struct cursor *cursor, bool ends_with_zero);
/* "local [mono]" gives "mono"; NULL where there is none. */
const char *datfile_clock(struct datfile *datfile, const char *text, size_t length);

/* datfile_tasks.c */
void datfile_take_cmdlines(struct datfile *datfile, const char *text, size_t length);
void datfile_take_version(struct datfile *datfile, const char *text, size_t length);

/* datfile_figures.c */
void datfile_take_figures(struct datfile *datfile, const char *text, size_t length);
void datfile_spread_figures(struct datfile *datfile);

/* datfile_sections.c: version 7, after the magic */
struct section {
	uint16_t id;
	bool is_packed;
	uint64_t offset, bytes; /* of what follows its header */
};
#define SECTION_HEAD_BYTES 16u
enum section_id {
	SECTION_OPTIONS = 0,
	SECTION_BUFFER = 3,
	SECTION_HEADER_INFO = 16,
	SECTION_FTRACE_FORMATS = 17,
	SECTION_EVENT_FORMATS = 18,
	SECTION_SYMBOLS = 19,
	SECTION_PRINTK = 20,
	SECTION_CMDLINES = 21,
	SECTION_LAST = 22, /* the text of a latency tracer */
};
int datfile_read_sections(struct datfile *datfile, struct buffer *why);
/* The header of the section at `offset`; what it speaks of may reach beyond the file. */
int datfile_section_at(struct datfile *datfile, uint64_t offset, struct section *ret);
/*
 * Takes the options section at `offset`; *ret_next is the offset of the next one, 0 where this is
 * the last. -EALREADY where it was taken before.
 */
int datfile_read_options_section(struct datfile *datfile, uint64_t offset, uint64_t *ret_next);

/* datfile_buffers.c: version 7's BUFFER options, after all else is known */
void datfile_read_buffers(struct datfile *datfile);

/* datfile_salvage.c: version 6 whose head is damaged: its tables, somewhere after `from` */
int datfile_salvage_tables(struct datfile *datfile, uint64_t from);
/* Version 7 whose chain of options is broken */
/* Walks the sections as they stand in the file. First round: options, places of the others. */
void datfile_salvage_sections(struct datfile *datfile);
/* Second round, after the options' buffers: pages that no option speaks of. */
void datfile_salvage_buffers(struct datfile *datfile);

/* datfile_tail.c */
/* A part of the file reaches up to `end`. */
void datfile_cover(struct datfile *datfile, uint64_t end);
/* Version 7: those that were found, and what stands behind them in the same chain of sections. */
void datfile_cover_sections(struct datfile *datfile);
/* When all parts are known: notes what follows them, but for zeros. */
void datfile_note_tail(struct datfile *datfile);

/* datfile_tables.c: version 6, after the head */
int datfile_read_tables(struct datfile *datfile, struct cursor *cursor, struct buffer *why);

/* datfile_streams.c */
/* Index of the buffer of that name or SIZE_MAX. */
size_t datfile_find_buffer(const struct datfile *datfile, const char *name);
/* The same, but a new one is added; SIZE_MAX where there are too many. */
size_t datfile_add_buffer(struct datfile *datfile, const char *name, uint32_t page_bytes);
size_t datfile_find_stream(const struct datfile *datfile, unsigned cpu, size_t buffer);
/* Index of the stream, new or known; SIZE_MAX where there are too many. */
size_t datfile_add_stream(struct datfile *datfile, unsigned cpu, size_t buffer);
/*
 * Adds [offset, offset + bytes) of the file to a stream; what lies outside of the file, or
 * beyond what the file can hold in all, is left out and noted.
 */
void datfile_add_extent(struct datfile *datfile, size_t stream, uint64_t offset, uint64_t bytes,
                        bool is_packed);
enum pull datfile_next_batch(struct source *source, size_t stream, struct record_batch *ret);
