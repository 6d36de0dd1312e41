/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wait in slices: a task waits for something with a time limit, and each time that the limit is
 * over it looks around and waits again, as event loops do and programs that show progress.
 *
 *	WAIT(own 150 ms) RUN WAIT(own 150 ms) RUN WAIT(own 150 ms) RUN WAIT(40 ms, ended by W)
 *	'--------------------------- one wait for W ---------------------------------------'
 *
 * That the slices were for W is inferred, as no wake-up leads from them to W. They were for W if
 *
 *	- the process had sent a request on a socket and nothing had come back: then all sleeps with
 *	  a time limit are for the answer (the timer's note says so: `request`), whatever ends the
 *	  last one; or
 *	- the task had tried in vain to lock a file, and tried again afterwards: then the sleeps
 *	  in between are for the lock (`request`, too), even those for their own sake; or
 *	- what ended the last sleep found the task in a sleep of the same kind, as far as is
 *	  recorded: with a time limit, of the same length (by the limits, where the arming of both
 *	  timers was recorded), in the same call or at the same place; and the task had done
 *	  next to nothing in between, and had not just woken the task that then ended the last
 *	  sleep, as that answers. Limits may also grow, by a factor or by a step, up to a ceiling: a
 *	  Java VM waits for a monitor for 1, 8, 64, 512, 1000, 1000 ... ms. Three of them show it.
 *
 * Where the trace ends first, they were for what the recorder saw the last one to be for.
 *
 * A time limit is any timer that the task sets for a sleep, and that does nothing but wake it: of
 * the call that it sleeps in, or an alarm, a timerfd. Where the call has none, the place of the
 * sleep, or three slices, must show that they are of one kind. If another process ends the last one
 * by a signal, the task waited for that signal.
 *
 * A sleep for its own sake (nanosleep) is never a slice, and a task that does something between two
 * sleeps works periodically. Nor do slices wait for a task that the sleeper's process created only
 * after the first of them. Where the timer leaves open whether a sleep was a nanosleep
 * (TIMEOUT_RELATIVE), the last sleep decides: a nanosleep ends by its timer or a signal, so if a
 * task ended the last sleep, no sleep of the row was a nanosleep.
 */
#pragma once

#include <stdbool.h>

#include "sleep_series.h"
#include "graph/timeline/timeline.h"

struct sliced_wait {
	SERIES_STRETCH;      /* to the end of the last slice, or of the wait that was ended */
	nsec_t most;         /* the longest slice */
	nsec_t waiting;      /* sum of all slices, with that wait */
	uint64_t count;      /* number of slices */
	const struct cause_note *cause; /* what it was for, in the timeline; NULL: not known yet, if
	                                   is_left */
	bool is_relative;    /* they had time limits of TIMEOUT_RELATIVE */
	bool is_answered;    /* false: nothing came, and the cause is the request itself */
	bool is_for_work;    /* there was nothing to do */
};

/* The present row of slices of a track; all 0 to begin with. */
struct slices {
	struct sliced_wait wait;
	const struct cause_note *timer; /* of the first slice */
	uint32_t frames; /* id in names: the stack that the task sleeps in; 0: not recorded */
	uint8_t timeout; /* enum sleep_timeout */
	nsec_t last, before; /* lengths of the last two slices; `before` 0: there is one */
	struct span second;  /* while only two slices grow: the second one, which the row begins
	                        with if the third does not go on so */
	bool may_grow, grows;
	uint64_t acts;   /* number of slices before which something was done */
	nsec_t running;  /* since the last slice */
};

/* Takes in the track's next segment; see awaited.h for the order of calls. While there are no
   slices, segments that no timer of the task ended may be left out. */
void slices_take(struct slices *slices, struct timeline *timeline, uint32_t track, size_t at);
/* Whether slices have begun and may go on. */
static inline bool slices_are_followed(const struct slices *slices)
{
	return slices->wait.count > 0;
}
/* Whether both are for the lock of one file; the one may name who has it, and the other not. */
bool cause_is_same_file_lock(const struct cause_note *a, const struct cause_note *b);
/* The track's history ends. */
void slices_finish(struct slices *slices, struct timeline *timeline);
/* The wait in slices that contains the track's wait that begins at t; NULL: none, or it is not
   known what it was for. O(log n). */
const struct sliced_wait *timeline_sliced_wait(const struct timeline *timeline, uint32_t track,
                                               nsec_t t);
