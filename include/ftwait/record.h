/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One raw record of a ring buffer: a time and an undecoded payload. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "nsec.h"

struct record {
	nsec_t time;            /* ns, in the trace's clock, already scaled and shifted */
	const uint8_t *payload; /* `length` bytes in the byte order of the trace; borrowed */
	uint32_t length;        /* bytes; may include up to 3 bytes of padding at the end */
};

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
