/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `record` shows on a terminal while it records; see message.h.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/nsec.h"
#include "recorder/drain/page_queue.h"

struct record_progress {
	const char *command; /* NULL: none */
	nsec_t duration;     /* the asked duration; NSEC_NEVER: none */
	bool is_ring;        /* nothing is written before the end */
	/* time and size when progress was last shown */
	nsec_t shown_at;
	uint64_t shown_bytes;
};

/*
 * "ftwait: recording make, 3 s of 20 s, 12 lost, 12.3 MiB, 4.1 MiB/s, 123,456 events", the most
 * important first; "Ctrl-C ends it" follows the time if neither a command nor the duration ends it.
 * `time` is the time since the begin. The rate is the average since the last call.
 */
void record_progress_append(struct buffer *to, struct record_progress *progress, nsec_t time,
                            const struct page_queue_progress *queue);
