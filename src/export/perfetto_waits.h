/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits as slices below their threads, with an arrow from the waker to the wakee; and arrows from a
 * task of one machine to a task of another one, which its message woke.
 */
#pragma once

#include "perfetto_tracks.h"

struct perfetto_waits {
	struct perfetto_tracks *tracks; /* borrowed */
	uint64_t flow_count;
};

void perfetto_waits_add(struct perfetto_waits *waits, const struct span *span);
