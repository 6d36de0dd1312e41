/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges many streams, each in order, into one. The order of records is (time, CPU, buffer,
 * position): it does not depend on how streams are cut into batches, nor on the order in which
 * they are polled.
 *
 * merger_next() returns runs: consecutive records of one stream that all come before the next
 * record of every other stream. A run costs one heap operation however long it is. Lost events
 * come as a run of their own, right after the last record before the loss: that is when the
 * machine must stop believing what it knows of the CPU. So does a loss behind a stream's last
 * record, to which no record puts an end.
 *
 * Heartbeats (ftwait/record.h) take part in the order, but are not returned: when the merger asks
 * a stream for what follows its heartbeat, it has returned all records before that time, and the
 * caller has used them up. A loss that follows a heartbeat is returned when that is reached; it
 * begins at the last record, and not at the heartbeat.
 *
 * Cost: O(log streams) a run. Memory: a few words a stream; records stay in the source.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/record.h"
#include "ftwait/source.h"

struct merged_run {
	uint32_t cpu;
	uint32_t stream;             /* index in the source */
	const struct record *records; /* borrowed until the next call; NULL: events were lost */
	size_t count;
	uint64_t lost_events; /* LOST_UNCOUNTED: not known */
	bool is_first;        /* lost before the stream's first record */
	nsec_t lost_begin;    /* time of the last record before; 0 if is_first */
	nsec_t lost_end;      /* time of the first record after; NSEC_NEVER: there is none */
};

struct merger;

/* Pulls the first batch of every stream. The source must outlive the merger. */
struct merger *merger_new(struct source *source);
struct merger *merger_free(struct merger *merger);
/* False at the end of all streams. */
bool merger_next(struct merger *merger, struct merged_run *ret);
