/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits one page (sub-buffer) of the kernel's ring buffer into records.
 *
 * 	u64 time stamp | commit (4 or 8 bytes) | data: `commit` bytes of events | [lost count] | ...
 *
 * Bit 31 of the commit word says that events were lost before this page, bit 30 that their number
 * follows the data. An event is a 32-bit head of 5 bits type_len and 27 bits time delta (the type
 * is in the low bits on little, in the high bits on big endian machines) and then
 *
 * 	type_len  0      u32 length that includes itself, payload
 * 	          1..28  payload of type_len * 4 bytes
 * 	          29     padding: delta 0 ends the page, else u32 bytes to skip (a discarded event,
 * 	                 whose delta counts: the next event's delta is relative to it)
 * 	          30     u32 upper bits of a time delta
 * 	          31     u32 upper bits of an absolute time of 59 bits
 *
 * Source: the kernel's include/linux/ring_buffer.h and kernel/trace/ring_buffer.c.
 *
 * Order of calls: page_reader_begin(), then page_reader_next() until it returns 0. The page is
 * borrowed meanwhile; records point into it. Nothing beyond `bytes` of the page is read, whatever
 * the page says. Times above PAGE_TIME_MAX are damage. No allocation, no failure but `damage`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/record.h"
#include "ftwait/source.h"

/* The largest number of records requested from page_reader_next() at once. */
#define PAGE_BATCH_RECORDS 512

#define PAGE_TIME_MAX (UINT64_C(1) << 62)
/* 104 days. No CPU is silent for longer; and sums over thousands of tasks of a longer recording
   would not fit into 64 bits. A time so far ahead of the one before it is damage. */
#define PAGE_SILENCE_MAX (UINT64_C(1) << 53)

#define PAGE_COMMIT_LOST (UINT32_C(1) << 31)

struct page_layout {
	uint32_t page_bytes;
	uint8_t commit_bytes;  /* 4 or 8: the kernel's long */
	uint8_t commit_offset; /* 8 */
	uint8_t data_offset;   /* commit_offset + commit_bytes, or more */
	bool is_big_endian;
};

enum page_damage {
	PAGE_GOOD,
	PAGE_CUT,    /* fewer bytes than the page claims to hold */
	PAGE_COMMIT, /* commit larger than the page */
	PAGE_LENGTH, /* an event reaches beyond the data */
	PAGE_TIME,   /* a time beyond PAGE_TIME_MAX, or too far ahead: PAGE_SILENCE_MAX */
	PAGE_BACK,   /* page_stream: it begins long before the page before it ended */
};

struct page_reader {
	const uint8_t *at, *end;
	nsec_t time;
	uint64_t lost_events; /* before the first record; 0 or LOST_UNCOUNTED as in record.h */
	bool is_big_endian;
	enum page_damage damage; /* the rest at `at`, if any, cannot be read */
};

/* `bytes` may be less than a page at the end of the file. */
void page_reader_begin(struct page_reader *reader, const struct page_layout *layout,
                       const uint8_t *page, size_t bytes);
/* Fills at most `capacity` records; 0 at the end of what can be read. */
size_t page_reader_next(struct page_reader *reader, struct record *records, size_t capacity);
/* "a record reaches beyond its page"; for notes. */
const char *page_damage_text(enum page_damage damage);

/*
 * The pages of one stream, in sequence, as batches of records. The owner of the bytes delivers them
 * in blocks: any number of whole pages, the last of which may be cut short. A block is borrowed
 * until the next one is requested, and so are the records made from it.
 *
 * Loss and damage become part of the batches: the unreadable rest of a damaged page counts as an
 * unknown number of events lost before the next record, or behind the last one. Memory: `capacity`
 * records while the stream is being read, nothing before and after.
 */

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
