/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_input.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

#define PIECE_BYTES (64u << 10)

void live_input_release(struct live_input *input)
{
	free(input->bytes);
	input->bytes = NULL;
	input->at = input->filled = 0;
}

static bool input_pause(struct live_input *input)
{
	if (!input->setup.on_pause || input->setup.on_pause(input->setup.state))
		return true;
	input->end = LIVE_STOPPED;
	return false;
}

/* Waits for input, at the end of a file that grows for one pause; false: on_pause() ended it. */
static bool input_wait(struct live_input *input, bool is_at_end)
{
	struct pollfd polled[] = {
		{.fd = is_at_end ? -1 : input->setup.fd, .events = POLLIN},
		{.fd = input->setup.on_pause ? input->setup.control_fd : -1, .events = POLLIN},
	};

	do {
		int ready = poll(polled, 2, LIVE_PAUSE_MS);

		if (ready < 0) /* revents are those of before */
			polled[0].revents = polled[1].revents = 0;
		if ((ready <= 0 || polled[1].revents) && !input_pause(input))
			return false;
		if (polled[1].revents && !(polled[1].revents & POLLIN))
			polled[1].fd = input->setup.control_fd = -1;
	} while (!polled[0].revents && !is_at_end);
	return true;
}

/* Reads all that is there, as far as there is room. */
static ssize_t input_read_all(const struct live_input *input)
{
	struct pollfd polled = {.fd = input->setup.fd, .events = POLLIN};
	ssize_t have = 0, got;

	do {
		got = read(input->setup.fd, input->bytes + have, PIECE_BYTES - (size_t)have);
		have += got > 0 ? got : 0;
	} while (got > 0 && have < (ssize_t)PIECE_BYTES && poll(&polled, 1, 0) > 0);
	return have > 0 ? have : got;
}

static bool input_fill(struct live_input *input)
{
	bool is_at_end = false, was_full = input->filled == PIECE_BYTES;

	if (!input->bytes)
		input->bytes = xmalloc(PIECE_BYTES);
	while (input_wait(input, is_at_end)) {
		ssize_t got;

		if (input->rest_ms && !was_full)
			(void)poll(NULL, 0, input->rest_ms);
		got = input->rest_ms ? input_read_all(input)
		                     : read(input->setup.fd, input->bytes, PIECE_BYTES);

		is_at_end = got == 0;
		if (got > 0) {
			input->at = 0;
			input->filled = (size_t)got;
			return true;
		}
		if (got == 0 && !input->setup.is_growing) {
			input->end = LIVE_ENDED;
			return false;
		}
		if (got < 0 && errno != EINTR && errno != EAGAIN) {
			input->error = -errno;
			input->end = LIVE_FAILED;
			return false;
		}
	}
	return false;
}

/* How many of `size` bytes are there at once; 0: the input ended. */
static size_t input_piece(struct live_input *input, uint64_t size)
{
	size_t left;

	if (input->end != LIVE_GOES_ON ||
	    (input->at == input->filled && !input_fill(input)))
		return 0;
	left = input->filled - input->at;
	return size < left ? (size_t)size : left;
}

static void input_advance(struct live_input *input, size_t size)
{
	if (input->setup.on_bytes)
		input->setup.on_bytes(input->setup.state, input->bytes + input->at, size);
	input->at += size;
	input->offset += size;
}

size_t live_input_read(struct live_input *input, void *to, size_t size)
{
	size_t have = 0, piece;

	while (have < size && (piece = input_piece(input, size - have)) > 0) {
		memcpy((uint8_t *)to + have, input->bytes + input->at, piece);
		input_advance(input, piece);
		have += piece;
	}
	return have;
}

size_t live_input_read_some(struct live_input *input, void *to, size_t size)
{
	return live_input_read(input, to, input_piece(input, size));
}

bool live_input_skip(struct live_input *input, uint64_t size)
{
	size_t piece;

	while (size > 0 && (piece = input_piece(input, size)) > 0) {
		input_advance(input, piece);
		size -= piece;
	}
	return size == 0;
}
