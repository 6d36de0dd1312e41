/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a descriptor in sequence, as they come: reading waits for them, and calls on_pause()
 * meanwhile. Sizes and offsets are bytes.
 *
 * Order of calls: set the members of the first part; any number of live_input_read() and
 * live_input_skip(); live_input_release().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

/* How an input is read while it is written: a stream (live_source.h), or text
   (text/text_source.h). */

struct live_source_setup {
	int fd;           /* borrowed, at the begin of the stream */
	bool is_growing;  /* a file, to which more is appended after its end was read, until the
	                     stream's own end (STREAM_END) */
	int control_fd;   /* waiting for input ends, too, when this is readable; -1: none */
	uint64_t bytes_max; /* of pages at one time; 0: LIVE_BYTES_MAX */
	/* All records before `reached` have been returned by the merger, and used up, if no thread
	   reads ahead (engine/read_ahead.h). Not called before the first record. False: the source
	   ends here. NULL: goes on. */
	bool (*on_reached)(void *state, nsec_t reached);
	/* Called when control_fd is readable, which it must not stay, after a signal, and every
	   LIVE_PAUSE_MS while there is no input. False: the source ends. NULL: goes on. */
	bool (*on_pause)(void *state);
	/* Receives the stream's bytes in sequence, from its magic on, as they are read: those of
	   all before a time that was reached, before on_reached() is called. NULL: not. */
	void (*on_bytes)(void *state, const void *bytes, size_t size);
	void *state;
};

#define LIVE_PAUSE_MS 100

enum live_end {
	LIVE_GOES_ON,
	LIVE_ENDED,   /* where the input ends */
	LIVE_STOPPED, /* on_pause() returned false */
	LIVE_FAILED,  /* the input could not be read: `error` */
};

struct live_input {
	struct live_source_setup setup; /* control_fd -1: there is none, or it was hung up */
	/* It comes in drops, and to take each causes more of them, as events of the reader are
	   among those that it reads: it is read so long after something came. 0: at once. */
	int rest_ms;

	enum live_end end; /* nothing can be read any more */
	int error;         /* negative */
	uint64_t offset;   /* of the next byte */
	uint8_t *bytes;
	size_t at, filled; /* of `bytes`: those not given out yet */
};

void live_input_release(struct live_input *input);
/* Exactly `size` bytes. Returns how many, which is less only if the input ended; see `end`. */
size_t live_input_read(struct live_input *input, void *to, size_t size);
/* At least one byte, and of `size` as many as are there at once. 0: the input ended. */
size_t live_input_read_some(struct live_input *input, void *to, size_t size);
/* Passes over `size` bytes; false if the input ended before. */
bool live_input_skip(struct live_input *input, uint64_t size);
