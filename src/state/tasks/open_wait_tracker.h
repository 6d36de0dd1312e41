/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the recorder saw in /proc of a wait that has not ended. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/source.h"
#include "graph/timeline/cause_note.h"

struct machine;

struct noted_wait {
	/* with the machine's device; without the texts, which need not outlive the look. is_tried:
	   it is known that it tries */
	struct open_wait wait;
	uint32_t path;   /* id in names; 0: none */
	uint32_t object; /* open_wait_append_object(): id in names; 0: nothing */
	uint8_t purpose; /* open_wait_purpose() */
	bool has_peer; /* open_wait_peer(): `path` is one */
	uint8_t aim; /* enum aim_kind */
	/* its own time limit ended the wait: the next one may be for the same */
	bool is_over;
	uint8_t timeout;      /* enum sleep_timeout of the one that ended */
	nsec_t most;          /* for which it may run in between */
	nsec_t changes[2];    /* its last two changes of state since then */
};

/* NULL: it was not seen in its present wait, nor in one that goes on with that, as
   open_wait_goes_on() has it. */
const struct noted_wait *open_wait_noted(const struct machine *machine, uint32_t track);
/* Fills in what a wait was for, which the recorder saw, and which the track's own time limit has
   just ended. False: that is not known. */
bool open_wait_of_limit(const struct machine *machine, uint32_t track, struct cause_note *ret);
