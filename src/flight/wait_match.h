/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a wait, or a task, is what a condition is about. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "condition.h"
#include "ftwait/aim.h"
#include "graph/timeline/timeline.h"

/* A wait or a delay, ended or not. */
struct seen_wait {
	const struct timeline *timeline; /* of the generation that answers */
	uint32_t track;
	nsec_t since, until; /* until: its end, or when it was seen */
	bool is_open;
	bool is_older;  /* it began before the first record: `since` is the time of that */
	bool is_doubtful;
	uint8_t letter; /* wait: detail of its span */
	uint8_t timeout; /* wait: enum sleep_timeout */
	const struct cause_note *cause; /* as far as known; NULL: nothing is */
	struct brief_aim aim; /* wait: what it is for */
};

/* How much it takes for a wait to count. */
enum wait_class {
	WAIT_HELD_UP,  /* events prove that it holds its task up */
	WAIT_OF_ANY,   /* it may, or may not */
	WAIT_OF_IDLE,  /* the task seems to be idle */
};

enum wait_class wait_classify(const struct seen_wait *wait);
/* Whether the wait is for a lock: of the kernel, of a file, or a futex that is used as one. */
bool wait_is_for_lock(const struct seen_wait *wait);
/* Of a head with waits, disk and lock among them. */
bool condition_fits_wait(const struct condition *condition, const struct seen_wait *wait);
/* Its filters of tasks alone. */
bool condition_fits_track(const struct condition *condition, const struct timeline *timeline,
                          uint32_t track);
/* The same of a task that has no track. */
bool condition_fits_tid(const struct condition *condition, int32_t tid, const char *comm);
