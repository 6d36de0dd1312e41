/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second thread that reads, unpacks, merges and decodes the events of a source while the first
 * one turns the earlier ones into states. The order of events and the reported losses are those of
 * the merger; nothing depends on the speed of either thread.
 *
 *	second thread   source -> merger -> decoder -> batches
 *	first thread                                   read_ahead_next() -> machine ...
 *
 * Order of calls: read_ahead_new(); read_ahead_next() until it returns NULL, or fewer times;
 * read_ahead_free(). In between, source and decoders belong to the second thread: to use the
 * source, call read_ahead_pause() before and read_ahead_resume() after. The source's health is
 * complete after read_ahead_free().
 *
 * Memory: AHEAD_BATCHES batches of about 45 KB. A batch grows if a single record is larger than the
 * room for records in it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/event_decoder.h"
#include "ftwait/event.h"
#include "ftwait/source.h"
#include "merge/merger.h"

#define AHEAD_BATCHES 16u
#define AHEAD_EVENTS  256u

/* A run of the merger, or the part of a run that fitted. */
struct ahead_piece {
	uint32_t stream;
	uint32_t count; /* number of its events, which follow those of the previous piece; 0:
	                   none was of interest */
	bool ends;      /* the run ends with this piece */
	bool has_records;
	nsec_t first, last; /* time of its first record, and the latest one; last 0: it has none */
};

struct ahead_batch {
	struct event event[AHEAD_EVENTS]; /* their texts live as long as the batch */
	struct ahead_piece piece[AHEAD_EVENTS];
	uint32_t event_count, piece_count;
	uint64_t record_count; /* number of records that were read for it */
	uint64_t failed_count; /* records that could not be decoded */
	bool has_lost;         /* after its events the following was lost */
	struct merged_run lost;
	/* only for the second thread */
	uint8_t *payload;
	size_t payload_used, payload_capacity;
	bool is_end; /* it is the last batch, and empty */
};

struct read_ahead;

/* Merger and decoders, with the source, are borrowed; `decoders`: by stream. Returns NULL if a
   second thread cannot be started. */
struct read_ahead *read_ahead_new(struct merger *merger, struct decoder *const *decoders);
struct read_ahead *read_ahead_free(struct read_ahead *ahead);
/* The next batch, valid until the next call; NULL at the end. */
const struct ahead_batch *read_ahead_next(struct read_ahead *ahead);
/* Pauses the second thread until read_ahead_resume(). */
void read_ahead_pause(struct read_ahead *ahead);
void read_ahead_resume(struct read_ahead *ahead);
