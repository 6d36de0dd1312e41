/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_flush.h"

#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/message.h"

/* Clocks of which a program can read the present time, and which never go back. */
static const struct {
	const char *name;
	clockid_t id;
} clocks[] = {
	{"mono", CLOCK_MONOTONIC},
	{"mono_raw", CLOCK_MONOTONIC_RAW},
	{"boot", CLOCK_BOOTTIME},
};

/* The time on the recording's clock; 0: it cannot be read. */
static nsec_t clock_now(const char *name)
{
	struct timespec time;

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (strcmp(clocks[i].name, name) == 0 && clock_gettime(clocks[i].id, &time) == 0)
			return (nsec_t)time.tv_sec * 1000000000u + (nsec_t)time.tv_nsec;
	return 0;
}

void recording_flush_begin(struct recording *recording)
{
	const struct record_options *options = recording->options;
	bool is_asked = options->flush != FLUSH_NOT_GIVEN && options->flush > 0;
	const char *why = recording->writer.layout       ? "a file is not read while it is written"
	                  : options->is_ring             ? "--ring reads nothing before the end"
	                  : !clock_now(options->clock) ? "it needs --clock mono or boot"
	                                                 : NULL;

	recording->flush_at = NSEC_NEVER;
	if (why && is_asked)
		message_warning("--flush has no effect: %s", why);
	if (why || options->flush == 0)
		return;
	recording->flush_pause = is_asked ? options->flush : FLUSH_DEFAULT_NS;
	recording->flush_at = recording->begin + recording->flush_pause;
}

int recording_flush_tick(struct recording *recording, nsec_t time)
{
	uint64_t reached;
	int r;

	if (time < recording->flush_at)
		return 0;
	recording->flush_at = time + recording->flush_pause;
	/* what is recorded later has later stamps */
	reached = clock_now(recording->options->clock);
	r = ring_reader_flush(recording->reader, recording->queue);
	if (r < 0)
		return r;
	return page_queue_take_block(recording->queue, STREAM_REACHED, &reached, sizeof(reached));
}
