/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentence on waits in slices: what the asked task waited for, or whoever did so most. */
#include <inttypes.h>
#include <string.h>

#include "base/cause_words.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "prose.h"
#include "summary.h"

#define WORTH_PART 20 /* of its task's time, one in so many is worth a line */

static bool sum_matters(const struct summary *summary, const struct slice_sum *sum)
{
	return sum->line < summary->count &&
	       sum->inferred > summary->by_line[sum->line].time / WORTH_PART;
}

/* The one task's, or the most of all that are asked; NULL: there is none that matters. */
static const struct slice_sum *slices_choose(const struct summary *summary)
{
	const struct explanation *explanation = summary->explanation;
	const struct slice_sums *sums = &explanation->slices;
	const struct slice_sum *own = slice_sums_of(sums, explanation->path_line), *best = NULL;

	if (own)
		return sum_matters(summary, own) ? own : NULL;
	for (size_t i = 0; i < sums->count; i++)
		if (sum_matters(summary, &sums->sum[i]) &&
		    (!best || sums->sum[i].waiting > best->waiting))
			best = &sums->sum[i];
	return best;
}

/* "python3[12]", "net eth0 from 10.0.0.7:80", "what others than task a[1] ..." */
static void awaited_append(const struct slice_sum *sum, const struct timeline *timeline,
                           struct buffer *to)
{
	struct cause cause = timeline_cause(timeline, &sum->cause, NSEC_NEVER);

	if (cause.kind == CAUSE_TASK && cause.has_waker)
		task_text_append(to, &cause.waker);
	else if (cause.kind == CAUSE_TASK)
		cause_name_append(to, &cause);
	else
		cause_text_append(to, &cause);
	if (!sum->is_alike)
		buffer_puts(to, " and others");
}

void summary_tell_slices(const struct summary *summary, const struct presenter *presenter,
                         void *to)
{
	const struct timeline *timeline = summary->question->timeline;
	const struct slice_sum *sum = slices_choose(summary);
	_cleanup_(buffer_release) struct buffer line = {0};
	char figure[FORMAT_BYTES];

	if (!sum)
		return;
	buffer_init(&line, 1024);
	buffer_puts(&line, "In slices: ");
	prose_task_append(&line, timeline, sum->line);
	buffer_printf(&line, " waited %s ", format_duration(sum->waiting, figure));
	if (sum->is_answered || sum->cause.kind == CAUSE_LOCK)
		buffer_puts(&line, "for ");
	else
		buffer_puts(&line, sum->cause.as.net.is_unanswered ? "and had no answer: "
		                                                    : "for an answer: ");
	awaited_append(sum, timeline, &line);
	buffer_printf(&line, ", in %" PRIu64 " slices of up to %s", sum->count,
	              format_duration(sum->most, figure));
	buffer_puts(&line, sum->is_answered
	                           ? ", of which it ended the last: an inference, likely "
	                             "(--no-through-polls tells of the timers)."
	                           : " (--no-through-polls tells of the timers).");
	prose_put(presenter, to, line.text);
}
