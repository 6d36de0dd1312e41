/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads sources to their end for tests, checking what must hold whatever the input: batches are not
 * empty, payloads lie in readable memory, the end stays the end.
 */
#pragma once

#include <stdint.h>

#include "source/source.h"

struct drained {
	uint64_t records;
	uint64_t bytes;
	uint64_t losses; /* batches that told of one */
	uint64_t sum;    /* over times, lengths and payloads, in order of streams */
	uint64_t by_id[65536];
};

/* At most `limit` records of each stream; 0: all. */
void source_drain(struct source *source, uint64_t limit, struct drained *ret);
/* Opens bytes through a temporary file; NULL where that fails, with the reason in `why`. */
struct source *source_open_bytes(const void *bytes, size_t size, struct buffer *why);
