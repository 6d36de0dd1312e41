/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One raw record of a ring buffer: a time and an undecoded payload. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nsec.h"

struct record {
	nsec_t time;            /* ns, in the trace's clock, already scaled and shifted */
	const uint8_t *payload; /* `length` bytes in the byte order of the trace; borrowed; NULL: it
	                           is a heartbeat */
	uint32_t length;        /* bytes; may include up to 3 bytes of padding at the end */
};

/*
 * A heartbeat is no event: it says that its stream has no more records before that time, as far as
 * is known. It is alone in its batch, with a length of 0 and no loss before it. Only sources that
 * are read while they are recorded, and those over text, have heartbeats, and the merger returns
 * none.
 */
static inline bool record_is_heartbeat(const struct record *record)
{
	return !record->payload;
}

/* Loss of an unknown number of events. */
#define LOST_UNCOUNTED UINT64_MAX

/*
 * Consecutive records of one stream, oldest first. Records and payloads are borrowed until the
 * next call of source_next_batch() on the same stream.
 */
struct record_batch {
	const struct record *records;
	size_t count;
	/*
	 * Events were lost directly before records[0] (after the last record of the batch before).
	 * `lost_events` is 0 for "none", LOST_UNCOUNTED for "some".
	 */
	uint64_t lost_events;
};
