/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events prove what is said of a stretch: the one table. Some are known by their instant: the
 * switch with which a task goes to sleep, the wake-up, the completion of its request. Others are
 * the latest of their kind before such an event on its CPU: the interrupt that wakes, the call of
 * the waker.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "evidence_claim.h"
#include "ftwait/event.h"
#include "graph/timeline/timeline.h"
#include "raw/raw_event.h"

/* When an event of a stretch is expected. */
enum evidence_moment {
	MOMENT_ORIGIN, /* what the stretch waits for is submitted, sent, armed or queued */
	MOMENT_BEGIN,
	MOMENT_CAUSE,  /* what it waits for is done */
	MOMENT_END,
	MOMENT_COUNT,
};

/* What a stretch is, as the timeline has it; or a request. */
struct evidence_stretch {
	struct evidence_request request; /* its device is 0: it is a stretch */
	uint32_t track;
	int32_t tid;       /* as hosts_process_id() makes it */
	uint8_t kind;      /* enum segment_kind */
	struct cause cause;
	bool has_cause;    /* something is said of why it ended */
	struct sleep_place place; /* of a wait; all 0: not known */
	uint8_t purpose;   /* enum purpose */
	bool is_for_lock;  /* so who ended it had the lock */
	nsec_t moment[MOMENT_COUNT]; /* NSEC_NEVER: none is expected */
	bool is_caused_by[MOMENT_COUNT]; /* the event then shows the cause */
};

/* An event with what the rules ask of it. */
struct seen_event {
	nsec_t time;
	uint32_t cpu;
	uint32_t host;
	int32_t tid;      /* of the task that runs, as hosts_process_id() makes it */
	uint8_t kind;     /* enum event_kind */
	char letter;      /* sched_switch: the state of the task that leaves */
	bool is_interrupt;
	const char *name; /* of the tracepoint; borrowed */
	/* What it is about: tids as above, dev and sector, a number, an address. */
	uint64_t id[2];
};

/* The latest events of each kind on one CPU. */
struct last_events {
	struct seen_event of[EVENT_KIND_COUNT]; /* name NULL: there was none */
};

/* An event before another one, that a rule uses. */
struct evidence_use {
	size_t rule; /* the next one that is tried */
	const struct seen_event *event;
	bool is_cause; /* it shows the cause */
};

struct evidence_stretch evidence_stretch_of(const struct timeline *timeline, uint32_t track,
                                            size_t segment);
struct evidence_stretch evidence_stretch_of_request(const struct evidence_request *request);
struct seen_event seen_event_of(const struct event *event, const struct raw_event *raw);
static inline void last_events_take(struct last_events *last, const struct seen_event *event)
{
	last->of[event->kind] = *event;
}
/* Whether the event is what the stretch expects at that moment. If so, `says` is what it shows. */
bool evidence_rule_fits(const struct timeline *timeline, const struct evidence_stretch *stretch,
                        enum evidence_moment moment, const struct seen_event *event,
                        struct buffer *says);
/* Whether the stack of the sleep, the next event on its CPU, shows what is said. If so, `says` is
   that; *is_cause: it shows the cause. */
bool evidence_rule_stack(const struct timeline *timeline, const struct evidence_stretch *stretch,
                         bool *is_cause, struct buffer *says);
/* The next rule for an event that fits, from use->rule on, 0 at the begin, of which there is an
   event in `last`. False: there is no more. */
bool evidence_rule_before(const struct timeline *timeline, const struct evidence_stretch *stretch,
                          enum evidence_moment moment, const struct last_events *last,
                          const struct seen_event *event, struct evidence_use *use,
                          struct buffer *says);
