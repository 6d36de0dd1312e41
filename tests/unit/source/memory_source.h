/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source over pages or ready records in memory: for tests, fuzzers and measurements. It can fail
 * in the ways real input does.
 *
 * Everything in struct memory_trace is borrowed until source_close(); the struct itself only for
 * the call. Numbers are bytes unless said otherwise.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/source.h"
#include "source/stream/page_reader.h"

struct memory_record {
	struct record record;
	uint64_t lost_events; /* before it; as in struct record_batch */
};

/* One stream: pages, or records if `pages` is NULL. */
struct memory_stream {
	unsigned cpu, buffer;
	uint64_t overrun;
	const uint8_t *pages;
	size_t page_bytes_total;
	const struct memory_record *records;
	size_t record_count;
};

struct memory_trace {
	struct page_layout layout; /* of all pages; the payloads have its byte order */
	const struct memory_stream *streams;
	size_t stream_count;
	const struct format_text *formats;
	size_t format_count;
	const struct known_task *known_tasks;
	size_t known_task_count;
	size_t block_pages;   /* pages delivered at once; 0: all */
	size_t batch_records; /* ready records in a batch; 0: PAGE_BATCH_RECORDS */
	bool is_cut;          /* every stream of pages ends after cut_bytes */
	size_t cut_bytes;
};

struct source *memory_open(const struct memory_trace *trace);
