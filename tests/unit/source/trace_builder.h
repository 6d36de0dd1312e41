/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds small files for the tests of src/source: trace.dat of version 6 and 7 and ftwait streams,
 * from the description of the formats, in any byte order. Events have id 7, "test:tick", and carry
 * their number in the stream at offset 8 (see trace_builder_add_pages()).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/stream.h"
#include "source/file/unpack.h"
#include "source/stream/page_reader.h"

#define TRACE_BUILDER_CPUS 4

struct trace_builder {
	struct page_layout layout;
	struct buffer file;
	/* What goes into the file; set before the calls below. */
	struct buffer options;              /* version 6: id, size, bytes... */
	struct buffer pages[TRACE_BUILDER_CPUS];
	unsigned cpu[TRACE_BUILDER_CPUS];   /* numbers, for version 7 and streams */
	unsigned cpus;
	enum packing packing;
	const char *table_clock;            /* version 6: behind the table */
	size_t data_begin;                  /* where the first page stands in the file */
	uint32_t records[TRACE_BUILDER_CPUS];
};

void trace_builder_init(struct trace_builder *builder, const struct page_layout *layout);
void trace_builder_release(struct trace_builder *builder);
void trace_builder_add_option(struct trace_builder *builder, unsigned id, const void *bytes,
                              size_t size);
void trace_builder_add_text(struct trace_builder *builder, unsigned id, const char *text);
/* `pages` pages of `each` events for the cpu of that index. */
void trace_builder_add_pages(struct trace_builder *builder, unsigned index, unsigned pages,
                             unsigned each);
void trace_builder_put(struct trace_builder *builder, size_t bytes, uint64_t value);
void trace_builder_v6(struct trace_builder *builder);
void trace_builder_v7(struct trace_builder *builder);
/* The begin of a stream, up to the options; blocks may follow. */
void trace_builder_begin_stream(struct trace_builder *builder);
void trace_builder_block(struct trace_builder *builder, enum stream_block_type type, unsigned cpu,
                         const char *bytes, size_t size);
void trace_builder_reached(struct trace_builder *builder, uint64_t time);
/* Such a stream, with blocks of one page, CPUs in turn. */
void trace_builder_stream(struct trace_builder *builder);
/*
 * The pages of each CPU in a region. Where `is_settling` the last region but `moved` bytes of its
 * front still stands behind where it will stand, and the blocks are at the end of the file.
 */
void trace_builder_regions(struct trace_builder *builder, bool is_settling, size_t moved);

/* Writes bytes to a new temporary file; the path is to be freed and the file unlinked. */
char *trace_builder_write(const void *bytes, size_t size);
