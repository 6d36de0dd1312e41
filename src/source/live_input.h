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

enum live_end {
	LIVE_GOES_ON,
	LIVE_ENDED,   /* where the input ends */
	LIVE_STOPPED, /* on_pause() returned false */
	LIVE_FAILED,  /* the input could not be read: `error` */
};

struct live_input {
	int fd;          /* borrowed */
	bool is_growing; /* at its end more will come */
	int control_fd;  /* borrowed; -1: none, or it was hung up */
	int pause_ms;
	/* Called when control_fd is readable, after a signal, and every pause_ms without input.
	   False: reading ends. NULL: goes on. */
	bool (*on_pause)(void *state);
	/* Receives all bytes in sequence, each piece before it is read or skipped. NULL: not. */
	void (*on_bytes)(void *state, const void *bytes, size_t size);
	void *state;

	enum live_end end; /* nothing can be read any more */
	int error;         /* negative */
	uint64_t offset;   /* of the next byte */
	uint8_t *bytes;
	size_t at, filled; /* of `bytes`: those not given out yet */
};

void live_input_release(struct live_input *input);
/* Exactly `size` bytes. Returns how many, which is less only if the input ended; see `end`. */
size_t live_input_read(struct live_input *input, void *to, size_t size);
/* Passes over `size` bytes; false if the input ended before. */
bool live_input_skip(struct live_input *input, uint64_t size);
