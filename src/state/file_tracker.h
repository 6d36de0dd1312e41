/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tracker of requests: the file that a request is for. */
#pragma once

#include "state/core/tracker.h"

struct requested_file {
	uint16_t file; /* number in the timeline's files; 0: none, or not known */
	bool is_sync;  /* the file is synced; false: it is read */
	bool is_part;  /* of a request of a stacked device, which is for the file, too */
};

/* The current task queues that request. Call once for each: what is read is counted. */
struct requested_file file_of_request(struct machine *machine, const struct cpu *cpu,
                                      const struct event *event);
