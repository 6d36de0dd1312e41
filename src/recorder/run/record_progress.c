/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record_progress.h"

#include <inttypes.h>
#include <string.h>

#include "base/text/format.h"

#define SECOND        UINT64_C(1000000000)
#define COMMAND_SHOWN 24 /* bytes of its name */

/* "/usr/bin/make" is make. */
static void command_append(struct buffer *to, const char *command)
{
	const char *slash = strrchr(command, '/');
	size_t length;

	if (slash && slash[1])
		command = slash + 1;
	length = strlen(command);
	buffer_putc(to, ' ');
	buffer_puts_clean(to, command, length < COMMAND_SHOWN ? length : COMMAND_SHOWN);
}

/* "3 s of 20 s"; with tenths if it is only a few seconds. */
static void time_append(struct buffer *to, nsec_t time, nsec_t duration)
{
	buffer_printf(to, ", %" PRIu64 " s", time / SECOND);
	if (duration == NSEC_NEVER)
		return;
	if (duration % SECOND && duration < 10 * SECOND)
		buffer_printf(to, " of %.1f s", (double)duration / (double)SECOND);
	else
		buffer_printf(to, " of %" PRIu64 " s", duration / SECOND);
}

static void rate_append(struct buffer *to, struct record_progress *progress, nsec_t time,
                        uint64_t written)
{
	nsec_t span = time - progress->shown_at;
	uint64_t bytes = written - progress->shown_bytes;

	if (time <= progress->shown_at || written < progress->shown_bytes)
		return;
	progress->shown_at = time;
	progress->shown_bytes = written;
	buffer_printf(to, ", %s/s", SIZE_TEXT(nsec_per_second(bytes, span)));
}

void record_progress_append(struct buffer *to, struct record_progress *progress, nsec_t time,
                            const struct page_queue_progress *queue)
{
	buffer_puts(to, "ftwait: recording");
	if (progress->command)
		command_append(to, progress->command);
	time_append(to, time, progress->duration);
	/* without these nothing but a signal, or the end of the tasks of -p, ends it */
	if (!progress->command && progress->duration == NSEC_NEVER)
		buffer_puts(to, ", Ctrl-C ends it");
	if (progress->is_ring) {
		buffer_puts(to, ", keeping the newest");
		return;
	}
	if (queue->lost || queue->is_lost_more)
		buffer_printf(to, ", %s%s lost", queue->is_lost_more ? "more than " : "",
		              COUNT_TEXT(queue->lost));
	buffer_printf(to, ", %s", SIZE_TEXT(queue->written));
	rate_append(to, progress, time, queue->written);
	buffer_printf(to, ", %s events", COUNT_TEXT(queue->events));
}
