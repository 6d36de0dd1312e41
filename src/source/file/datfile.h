/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One open file, what is known of it so far, and its streams of pages: shared by the readers of the
 * parts of a trace.dat or of the ftwait stream. Each reader of a part has its own header; they call
 * in one direction, from those that open a container down to those that store the findings:
 *
 * 	datfile_source, stream_source     open a container, own the datfile
 * 	datfile_source, datfile_salvage   version 7 and 6 after the magic; the latter also what
 * 	                                  is broken
 * 	datfile_source, datfile_section   pages of version 7, and what follows everything
 * 	datfile_section, datfile_header   one section; the parts of a head
 * 	datfile_options                   texts inside of those
 * 	datfile_tasks                     what recorders note, in found_notes
 * 	datfile_streams                   buffers, streams, extents; reads their pages
 *
 * Everything in it belongs to the datfile. Offsets and sizes are bytes. Functions of all these
 * return -errno and append a phrase to `why` if they have that parameter; those without it note the
 * damage and continue.
 *
 * Source of the format: trace-cmd's Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and .v7.5.txt;
 * what these leave out was found in real files (see tests/unit/source).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "input_file.h"
#include "source/found_notes.h"
#include "source/stream/page_stream.h"
#include "source/text/text_store.h"
#include "time_shift.h"
#include "unpack.h"

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
#define DATFILE_BATCH_TOTAL  (1u << 18)  /* of all streams, as long as DATFILE_BATCH_MIN allows */
#define DATFILE_EXTENTS_MAX  (4u << 20)

/* A run of pages in the file, or of packed chunks of pages. */
struct extent {
	uint64_t offset, bytes;
	bool has_loss; /* the bytes after it are missing */
};

struct datfile_feed {
	struct datfile *datfile;
	size_t stream; /* index in source.streams */
	struct page_stream pages;
	struct extent *extents;
	size_t extent_count, extent_capacity, extent_at;
	uint64_t done; /* bytes of extents[extent_at] */
	bool is_packed;
	bool is_noted; /* its damage was noted */
	bool is_beat_due; /* behind its records stands a heartbeat at `reached` */
	struct record beat;
	uint32_t chunks_left;
	uint8_t *block;
	size_t block_capacity;
};

struct datfile_buffer {
	const char *name;    /* "" for the main one */
	uint32_t page_bytes; /* 0: as in the file */
};

/* Option BUFFER as it was in the file; read when all options are known. */
struct buffer_option {
	const uint8_t *bytes; /* owned by the datfile's text */
	uint32_t size;
};

/* One CPU's figures from CPUSTAT, kept until the buffers are known. */
struct cpu_figures {
	const char *buffer;
	unsigned cpu;
	uint64_t overrun, dropped; /* as in struct source_stream */
};

/* The position of the text of kallsyms; packed_bytes 0: not packed. */
struct symbol_place {
	uint64_t offset;
	uint64_t bytes;
	bool is_packed; /* offset is that of the section's packed bytes */
	uint32_t packed_bytes;
	uint8_t *text;  /* unpacked on the first read */
};

/* What is known of the file only while it is opened. */
struct datfile_opening {
	uint64_t options_offset; /* version 7: the first options section */
	uint64_t header_end;     /* the first byte after the fixed part */
	uint64_t covered;        /* the first byte after all parts known so far */
	nsec_t date;             /* time of day at stamp 0, from option DATE; 0: no such option */
	struct map stream_index; /* stream_key() -> index in streams */
	size_t extent_count;
	uint64_t extent_bytes; /* sum over all: never above the size of the file */
	struct buffer_option *buffer_options;
	size_t buffer_option_count, buffer_option_capacity;
	uint64_t section_at[6];  /* version 7: offsets of sections 16 to 21; 0: none */
	uint64_t *options_seen;  /* version 7: offsets of the options sections read */
	size_t options_seen_count, options_seen_capacity;
	bool has_text_buffer;    /* from a latency tracer */
	struct cpu_figures *figures;
	size_t figure_count, figure_capacity;
	const char *figures_buffer; /* the buffer of the following figures */
	unsigned header_cpus;       /* version 6: CPUs according to the header */
	unsigned option_cpus;       /* CPUCOUNT; 0: not known */
};

/* How the stamps in the pages become the times of the source. */
struct stamp_clock {
	struct time_shift host; /* leads to the clock of the machine's host, if it is set */
	int64_t offset;
	uint32_t mult, shift;   /* mult 0: stamps are nanoseconds */
};

/* What the streams' pages take while they are read. */
struct datfile_reading {
	uint8_t *packed;    /* the chunk that is unpacked next */
	size_t packed_capacity;
	size_t live_feeds;  /* streams that hold pages */
	size_t block_bytes; /* of all feeds */
};

struct datfile {
	struct source source; /* first: ops cast it back */
	struct input_file file;
	struct text_store text;
	unsigned version;
	bool is_swapped;
	enum packing packing;
	struct datfile_opening *opening; /* NULL: opening has ended */
	struct page_layout layout;
	nsec_t reached; /* of a stream: all records before that time are in it, as far as they were
	                   not lost; 0: not known */

	struct format_text *formats;
	size_t format_count, format_capacity;
	struct found_notes found;
	struct datfile_buffer *buffers;
	size_t buffer_count, buffer_capacity;
	struct source_stream *streams;
	struct datfile_feed *feeds; /* one for each of streams */
	size_t stream_count, stream_capacity, feed_capacity;
	struct symbol_place symbols;

	struct stamp_clock clock;
	uint64_t section_bytes; /* unpacked so far: limits decompression bombs */
	struct datfile_reading reading;
};

/* Whether the stamps in the pages are the times of the source. */
static inline bool stamps_are_plain(const struct stamp_clock *clock)
{
	return clock->mult == 0 && clock->offset == 0 && clock->host.count == 0;
}

/* Marks the file up to `end` as known. */
static inline void datfile_cover(struct datfile *datfile, uint64_t end)
{
	if (end > datfile->opening->covered)
		datfile->opening->covered = end;
}
