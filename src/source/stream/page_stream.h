/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages of one stream, in sequence, as batches of records. The owner of the bytes delivers them
 * in blocks: any number of whole pages, the last of which may be cut short. A block is borrowed
 * until the next one is requested, and so are the records made from it.
 *
 * Loss and damage become part of the batches: the unreadable rest of a damaged page counts as an
 * unknown number of events lost before the next record, or behind the last one. Memory: `capacity`
 * records while the stream is being read, nothing before and after.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/source.h"
#include "page_reader.h"

/* False at the end of the stream; else at least one byte. */
typedef bool page_block_fn(void *owner, const uint8_t **ret_block, size_t *ret_bytes);

struct page_stream {
	struct page_layout layout;
	struct page_reader reader;
	const uint8_t *at, *end; /* pages of the block not yet begun */
	uint64_t lost_events;    /* to be reported with the next record */
	nsec_t reached; /* how far the recorder had got at least when it wrote what is read now;
	                   0: not known */
	struct record *records;
	size_t capacity; /* of a batch; an owner of many streams lowers it before the first one */
	uint64_t page_count;     /* begun so far */
	uint64_t zero_count;     /* of them, all zeros: not written by a kernel */
	uint64_t damaged_count;
	uint64_t damaged_first; /* number of the first damaged page, counted from 0 */
	enum page_damage damage; /* of that page */
};

void page_stream_init(struct page_stream *stream, const struct page_layout *layout);
void page_stream_release(struct page_stream *stream);
/* Accounts for pages of zeros, which are empty and come next, but are not delivered. */
void page_stream_skip(struct page_stream *stream, uint64_t pages);
/* Call if a block could not be delivered: events are missing before the next record. */
void page_stream_lose(struct page_stream *stream);
enum pull page_stream_next(struct page_stream *stream, page_block_fn *next_block, void *owner,
                           struct record_batch *ret);
