/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_flush.h"

#include <string.h>

#include "base/text/message.h"
#include "recorder/machine/realtime_reading.h"

/* The time on the recording's clock; 0: it cannot be read, or may go back. */
static nsec_t clock_now(const char *name)
{
	nsec_t now = 0;

	/* setting the time of day sets it, too */
	if (strcmp(name, "tai") == 0 || recording_clock_read(name, &now) < 0)
		return 0;
	return now;
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
