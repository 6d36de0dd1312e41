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
 * sleep, three slices, or the end of a child after an alarm must show that they are of one kind.
 * The limit of a slice in which the recording began is not known: a poll right after it shows that
 * it was one, too. If another process ends the last one by a signal, the task waited for that
 * signal.
 *
 * A sleep for its own sake (nanosleep) is never a slice, and a task that does something between two
 * sleeps works periodically. Nor do slices wait for a task that the sleeper's process created only
 * after the first of them. Where the timer leaves open whether a sleep was a nanosleep
 * (TIMEOUT_RELATIVE), the last sleep decides: a nanosleep ends by its timer or a signal, so if a
 * task ended the last sleep, no sleep of the row was a nanosleep.
 */
#pragma once

#include <stdbool.h>

#include "graph/timeline/timeline.h"
#include "sleep_series.h"

/* The present row of slices of a track; all 0 to begin with. */
struct slices {
	struct sleep_series series; /* its cause is the request that all of them are for */
	nsec_t last, before; /* lengths of the last two slices */
	struct span second;  /* while only two slices grow: the second one, which the row begins
	                        with if the third does not go on so */
	bool may_grow, grows;
};

/* Whether one slice for no request, with that kind of limit, and a later wait that something else
   has ended show nothing that makes them one row: neither a limit nor a signal. */
static inline bool slice_is_apart(unsigned timeout, const struct segment *wait,
                                  const struct cause_note *cause)
{
	return timeout != TIMEOUT_POLL && timeout != TIMEOUT_ALARM && timeout != TIMEOUT_SPENT &&
	       wait->timeout != TIMEOUT_POLL && wait->timeout != TIMEOUT_AGAIN &&
	       !(cause && cause->kind == CAUSE_SIGNAL);
}
/* Whether the track's next wait, which ended so, may be a slice, or may end a row of them; others
   may be left out. is_over: it took time, and is not open. Inline, as it is asked of all waits. */
static inline bool slices_may_take(struct slices *slices, const struct segment *wait,
                                   const struct cause_note *cause, bool is_over)
{
	if (cause && cause_note_is_timeout(cause))
		return true;
	if (is_over && slices->series.count == 1 && !slices->series.cause &&
	    slice_is_apart(slices->series.timeout, wait, cause))
		slices->series.count = 0;
	return slices->series.count > 0;
}
/* Takes in the track's next such wait; see awaited.h for the order of calls. */
void slices_take(struct slices *slices, struct timeline *timeline, const struct span *span,
                 size_t at);
/* Whether both are for the lock of one file; the one may name who has it, and the other not. */
bool cause_is_same_file_lock(const struct cause_note *a, const struct cause_note *b);
/* The track has no further slice; is_left: as its history ends. If a request was sent, the cause of
   the wait is known although no answer came. */
void slices_end(struct slices *slices, struct timeline *timeline, bool is_left);
