/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second thread that reads, unpacks, merges and decodes the events of a source while the first
 * one turns the earlier ones into states. Their order and the reported losses are those of the
 * merger; nothing depends on the speed of either.
 *
 *	second thread   source -> merger -> decoder -> batches
 *	first thread                                   read_ahead_next() -> machine ...
 *
 * Order of calls: read_ahead_new(); read_ahead_next() until it returns NULL, or less often;
 * read_ahead_free(). In between, source and decoder belong to the second thread: to call the
 * source, use read_ahead_pause() before and read_ahead_resume() after. The source's health is
 * complete after read_ahead_free().
 *
 * Memory: AHEAD_BATCHES batches of some 45 KB; more where records are larger than most, at most
 * that many of the largest record.
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

/* A run of the merger, or the part of it that fitted. */
struct ahead_piece {
	uint32_t stream;
	uint32_t count; /* number of the batch's next events; 0 if none was of interest */
	bool ends;      /* the run ends, too */
};

struct ahead_batch {
	struct event event[AHEAD_EVENTS]; /* texts in them live as long as the batch */
	struct ahead_piece piece[AHEAD_EVENTS];
	uint32_t event_count, piece_count;
	uint64_t record_count; /* records that it was made of */
	uint64_t failed_count; /* that could not be decoded */
	nsec_t first, last;    /* times of the first record, and of the latest; 0: of none */
	bool has_lost;         /* and after them this was lost: */
	struct merged_run lost;
	/* of the second thread */
	uint8_t *payload;
	size_t payload_used, payload_capacity;
	bool is_end; /* it is empty, and the last one */
};

struct read_ahead;

/* Source, merger and decoder are borrowed. NULL: a second thread is not possible. */
struct read_ahead *read_ahead_new(struct merger *merger, struct decoder *decoder);
struct read_ahead *read_ahead_free(struct read_ahead *ahead);
/* The next batch, valid until the next call; NULL at the end. */
const struct ahead_batch *read_ahead_next(struct read_ahead *ahead);
/* Pauses the second thread until read_ahead_resume(). */
void read_ahead_pause(struct read_ahead *ahead);
void read_ahead_resume(struct read_ahead *ahead);
