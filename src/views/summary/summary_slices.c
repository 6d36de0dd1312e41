/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentence on waits in slices: what the asked task, or the task with the most of them, waited
   for. */
#include <inttypes.h>
#include <string.h>

#include "analysis/prose.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "base/xalloc.h"
#include "summary.h"
#include "words/cause_words.h"
#include "words/task_words.h"

#define WORTH_PART 20 /* worth a line if it is at least the task's time divided by this */

static bool sum_matters(const struct summary *summary, const struct slice_sum *sum)
{
	return sum->line < summary->count &&
	       sum->inferred > summary->by_line[sum->line].time / WORTH_PART;
}

/* The task's own wait, then waits of tasks on its path, then others. */
enum slices_rank {
	SLICES_HIDDEN,
	SLICES_OTHERS,
	SLICES_ON_PATH,
	SLICES_OWN,
};

/* By line: whether it waited on the one task's path, mostly at one node. NULL: nothing on the path
   was inferred. */
static bool *path_waiters(const struct explanation *explanation)
{
	const struct chain_tree *path = &explanation->path;
	bool *waits;

	if (explanation->path_line == LINE_NONE || !explanation->path_sums.inferred)
		return NULL;
	waits = xcalloc(path->timeline->line_count + 1, sizeof(*waits));
	for (size_t i = 1; i < path->count; i++) {
		const struct voter voter = chain_node_voter(&path->node[i]);

		if (path->node[i].state == PART_WAITING && voter.own)
			waits[voter.line] = true;
	}
	return waits;
}

/* With the path of one task, another task's wait for an answer is worth a sentence: it shows what
   the program did. A helper thread that wakes up regularly until the program ends is not. */
static enum slices_rank sum_rank(const struct summary *summary, const struct slice_sum *sum,
                                 const bool *waits)
{
	const struct explanation *explanation = summary->explanation;

	if (!sum_matters(summary, sum))
		return SLICES_HIDDEN;
	if (sum->line == explanation->path_line)
		return SLICES_OWN;
	if (waits && waits[sum->line])
		return SLICES_ON_PATH;
	return explanation->path_line != LINE_NONE && sum->is_answered ? SLICES_HIDDEN
	                                                               : SLICES_OTHERS;
}

/* The longest of the highest rank above `least`; NULL: none matters. */
static const struct slice_sum *slices_choose(const struct summary *summary,
                                             enum slices_rank least)
{
	const struct slice_sums *sums = &summary->explanation->slices;
	_cleanup_(freep) bool *waits = path_waiters(summary->explanation);
	enum slices_rank best_rank = least;
	const struct slice_sum *best = NULL;

	for (size_t i = 0; i < sums->count; i++) {
		enum slices_rank rank = sum_rank(summary, &sums->sum[i], waits);

		if (rank <= least || rank < best_rank ||
		    (rank == best_rank && sums->sum[i].waiting <= best->waiting))
			continue;
		best = &sums->sum[i];
		best_rank = rank;
	}
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

void summary_print_slices(const struct summary *summary, bool of_path, const struct output *to)
{
	const struct timeline *timeline = summary->question->timeline;
	const struct slice_sum *sum = slices_choose(summary, of_path ? SLICES_OTHERS
	                                                                      : SLICES_HIDDEN);
	_cleanup_(buffer_release) struct buffer line = {0};

	if (!sum)
		return;
	buffer_init(&line, 1024);
	buffer_puts(&line, "In slices: ");
	prose_task_append(&line, timeline, sum->line);
	buffer_printf(&line, " waited %s ", DURATION_TEXT(sum->waiting));
	if (sum->is_answered || sum->cause.kind == CAUSE_LOCK)
		buffer_puts(&line, "for ");
	else
		buffer_puts(&line,
		            sum->cause.as.net.is_unanswered ? "in vain: " : "for an answer: ");
	awaited_append(sum, timeline, &line);
	buffer_printf(&line, ", in %" PRIu64 " slice%s of up to %s", sum->count,
	              format_plural(sum->count), DURATION_TEXT(sum->most));
	buffer_puts(&line, sum->is_answered
	                           ? ", the last ended by it; that the others were for it, "
	                             "too, is inferred, likely (--no-through-polls shows "
	                             "the timers)."
	                           : " (--no-through-polls shows the timers).");
	prose_put(to, line.text);
}
