/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs of events: an event A opens, and the next B with the same key ends what is open. The key is
 * a field of both, the task that ran, or the CPU; events of several machines make no pair.
 *
 *	A(7)   A(9)   B(7)       A(9)   B(9)   A(4)
 *	|------|------|   pair   |------|      |         9: unpaired once, as it was opened anew
 *	       |..........       pair          |....     4: unpaired
 *
 * A pair is of the task that ran at A. If A and B are one event, each B opens the next pair.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "base/data/object_pool.h"
#include "base/text/buffer.h"
#include "event_choice.h"
#include "event_value.h"

/* Pairs that are open at a time; of more, the oldest are forgotten. */
#define PAIRS_OPEN_MAX (1u << 18)

/* "A/B,by=FIELD", or "A/B,by=FIELD/FIELD" if the second event has another name for it; without by=
   the task that ran. */
struct pair_spec {
	char *begin, *end; /* the events; owned, as the fields are */
	enum event_by by;
	const char *by_text;      /* behind "by="; borrowed from the text */
	char *field[2];           /* of A and of B; NULL: none */
};

struct event_pair {
	nsec_t begin, end;
	uint32_t opener, closer; /* tracks of the tasks that ran; TRACK_NONE: an idle CPU's */
	uint32_t machine;
};

struct pair_counts {
	uint64_t paired;
	uint64_t unpaired; /* opened, and then opened anew or never ended */
	uint64_t unopened; /* ends of what was not open */
};

/* If the text is no pair, returns false and appends a phrase to `why`. */
bool pair_spec_read(const char *text, struct pair_spec *ret, struct buffer *why);
void pair_spec_release(struct pair_spec *spec);

/*
 * Passes the pairs that began in the window, on an asked CPU, and were opened by an asked task, in
 * the order in which they ended. `end` is the event that ended the pair, `field` that of its key,
 * or NULL.
 */
typedef void pair_take(void *state, const struct event_pair *pair,
                       const struct asked_events *events, const struct raw_event *end,
                       const struct event_field *field);

/* Set the first three members; the fourth is filled in, the others are its own. */
struct pairing {
	const struct pair_spec *spec;
	pair_take *take;
	void *state;
	struct pair_counts counts;
	struct asked_events *events;
	struct event_choice choice[2];
	struct object_pool open;
};

/* Its state is a struct pairing. */
extern const struct events_taker pairs_taker;
