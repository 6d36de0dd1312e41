/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a task waits for most once a change has been made: its path backward through the replayed
 * time, without what was changed.
 */
#pragma once

#include "replay.h"

struct limit {
	uint32_t track;  /* on whose doing most time is spent; TRACK_NONE: nothing is left */
	const struct cause_note *cause; /* what that one waited for most; NULL: it ran, or queued */
	bool is_queue;   /* it was in a run queue */
	nsec_t time;
};

/* Of the track until t, an instant as it was recorded. */
struct limit limit_find(struct replay *replay, uint32_t track, nsec_t t);
