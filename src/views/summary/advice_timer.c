/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which task had interrupts off while a timer was due. */
#include <stdlib.h>

#include "advice.h"
#include "analysis/prose.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "words/instant_words.h"

#define LATE_LEAST 10000000u /* ns; a timer that is less late is not worth a sentence */

struct late_timers {
	const struct question *question;
	nsec_t total; /* how late timers of asked tasks were in all, as interrupts were off */
	nsec_t longest, at; /* the latest of them, and when it came */
	uint32_t task, runner;
};

static void *late_timers_begin(const struct question *question)
{
	struct late_timers *late = xcalloc(1, sizeof(*late));

	late->question = question;
	return late;
}

static void late_timers_on_interval(void *state, const struct interval *interval)
{
	const struct expiry_interval *expiry = &interval->expiry;
	struct late_timers *late = state;
	nsec_t length = expiry->read - expiry->due;

	if (expiry->masked_by == TRACK_NONE || !question_asks_track(late->question, interval->task))
		return;
	late->total += length;
	if (length <= late->longest)
		return;
	late->longest = length;
	late->at = expiry->read;
	late->task = interval->task;
	late->runner = expiry->masked_by;
}

static double late_timers_advise(const void *state, const struct summary *summary,
                                 const struct cost_list *list, struct buffer *to)
{
	const struct late_timers *late = state;
	const struct question *question = summary->question;
	double part = nsec_ratio(late->total, list->total - list->apart);

	if (late->longest < LATE_LEAST)
		return 0;
	buffer_puts(to, "a timer of ");
	prose_task_append(to, question->timeline, late->task);
	buffer_printf(to, " was %s late at %s s, as ", DURATION_TEXT(late->longest),
	              INSTANT_OF(&question->instants, late->at));
	prose_task_append(to, question->timeline, late->runner);
	buffer_puts(to, " ran with interrupts off");
	if (question->health->has_steal && question->health->steal_ns)
		buffer_puts(to, ", or the host did not run that CPU");
	buffer_puts(to, ": --timers has each timer's delays.");
	return part > ADVICE_LEAST ? part : ADVICE_LEAST; /* a stall of the CPU is worth a word */
}

const struct advice timer_advice = {
	.view = "timers",
	.begin = late_timers_begin,
	.on_interval = late_timers_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_EXPIRY),
	.advise = late_timers_advise,
	.end = free,
};
