/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the events of a recording once more, raw and in order: for what a view can only ask once
 * the trace has been read, as windows and tasks are known then.
 *
 * Order of calls: raw_reading_open(); raw_reading_next() until it returns false;
 * raw_reading_close(). Several readings of one recording may be open at the same time.
 *
 * Memory: the batches of the source, and 6 kB for each tracepoint of which an event occurs.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "raw_event.h"

struct raw_reading;

/* `of` may have been read to any place, and is not changed; NULL: there is none. Returns 0, or
   -errno and a phrase that fits after the name of the file. */
int raw_reading_open(const struct source *of, struct raw_reading **ret, struct buffer *why);
/* The next event in the order of the merger; false at the end. */
bool raw_reading_next(struct raw_reading *reading, struct raw_event *ret);
/* Decodes the event that was read last, if its tracepoint is in the catalog; false: it is not, or
   cannot be. Texts are borrowed from the record. */
bool raw_reading_decode(struct raw_reading *reading, const struct raw_event *raw,
                        struct event *ret);
/* The source of one machine, which has its formats; 0 where there is one machine. */
const struct source *raw_reading_source(const struct raw_reading *reading, uint32_t host);
/* The function of that machine's kernel that contains the address, by the symbols that the
   recording has; NULL: none is known. */
const char *raw_reading_function(struct raw_reading *reading, uint32_t host, uint64_t address);
struct raw_reading *raw_reading_close(struct raw_reading *reading);
/* For _cleanup_. */
static inline void raw_reading_closep(struct raw_reading **reading)
{
	(void)raw_reading_close(*reading);
}
