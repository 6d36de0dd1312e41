/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences on tasks that sleep on a timer again and again: on polling, and on waits in slices,
   which are waits for an answer that have a time limit and are repeated. */
#include "summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "words/cause/cause_words.h"
#include "words/task_words.h"

/*
 * The sentence on polling names the heaviest series that matters and is certain enough. A task that
 * works periodically sleeps as regularly as one that polls, so the figures alone do not prove
 * polling. Certainty:
 *
 *	known    a child ended in the last sleep, which is why it was the last one; or the task
 *	         did next to nothing in its life but sleep while one child lived, or until another
 *	         child of its parent had ended
 *	maybe    it did next to nothing else, for an unknown purpose: reported only if the task has
 *	         ended or is the only one asked for
 */

#define WORTH_PART  10  /* the longest life of an asked task, divided by this, is worth a line */
#define MAJOR_PART  2   /* and it is printed first if it is at least that life divided by this */
#define STEADY_PART 2   /* a task does nothing else if it sleeps for at least its life divided by
                           this */
#define IDLE_PART   100 /* and runs between the sleeps for less than their time divided by this */
#define WHOLE_PART  10  /* a time counts as the whole if at most the whole divided by this is
                           missing */

struct poll_candidate {
	struct poll all, heaviest; /* see struct polling */
	nsec_t life;               /* time of its task */
	uint32_t sibling;          /* another child of its parent, which it waited for;
	                              TRACK_NONE */
};

struct candidates {
	const struct question *question;
	struct poll_candidate *candidate;
	size_t count, capacity;
	uint32_t *of_track; /* index + 1; 0: none */
	nsec_t longest;     /* the longest time of an asked task */
};

enum certainty {
	NO_POLLING,
	MAYBE_POLLING,
	IS_POLLING,
};

/* Kernel threads are not reported: it is normal that they check something from time to time. */
static bool is_asked_program(const struct question *question, uint32_t track)
{
	return question->resolved->is_asked[track] && !track_is_kernel(question->timeline, track);
}

/* Waits in slices are reported as such, not as polling. */
static void candidates_add(struct candidates *candidates, const struct times *times,
                           const struct slice_sum *slices)
{
	struct polling polling;

	if (!polling_close(times->polling, &polling) ||
	    polling.all.waiting < candidates->longest / WORTH_PART ||
	    (slices && slices->waiting > polling.all.waiting / MAJOR_PART))
		return;
	ARRAY_GROW(candidates->candidate, candidates->count, candidates->capacity);
	candidates->candidate[candidates->count++] = (struct poll_candidate){
		.all = polling.all,
		.heaviest = polling.heaviest,
		.life = times->time,
		.sibling = TRACK_NONE,
	};
	candidates->of_track[times->track] = (uint32_t)candidates->count;
}

/* Finds all candidates that matter, and which of their children they may have waited for. */
static void candidates_find(struct candidates *candidates, const struct summary *summary)
{
	const struct question *question = summary->question;
	const struct timeline *timeline = question->timeline;

	*candidates = (struct candidates){.question = question};
	candidates->of_track = xcalloc(timeline->track_count + 1, sizeof(*candidates->of_track));
	for (uint32_t track = 0; track < summary->count; track++)
		if (is_asked_program(question, track))
			candidates->longest =
				nsec_max(candidates->longest, summary->by_track[track].time);
	for (uint32_t track = 0; track < summary->count; track++)
		if (summary->by_track[track].polling && is_asked_program(question, track))
			candidates_add(candidates, &summary->by_track[track],
			               slice_sums_of(&summary->explanation->slices, track));
	for (uint32_t track = 0; candidates->count && track < timeline->track_count; track++) {
		uint32_t parent = timeline->track[track].parent;

		if (parent != TRACK_NONE && candidates->of_track[parent])
			poll_consider(&candidates->candidate[candidates->of_track[parent] - 1]
			                       .heaviest,
			              timeline, track);
	}
}

/* Whether the task did almost nothing else. */
static bool candidate_is_steady(const struct poll_candidate *candidate)
{
	return candidate->all.ran <= candidate->all.waiting / IDLE_PART &&
	       candidate->all.waiting >= candidate->life / STEADY_PART;
}

static enum certainty candidate_certainty(const struct poll_candidate *candidate,
                                          const struct summary *summary)
{
	const struct poll *poll = &candidate->heaviest;
	const struct track *track = &summary->question->timeline->track[poll->track];

	if (poll->count < POLL_LEAST && !poll_is_proven(poll, summary->question->timeline))
		return NO_POLLING;
	if (poll_has_child(poll) && poll->child_rank == POLL_CHILD_ENDS_IT)
		return IS_POLLING;
	if (poll->is_by_child || !candidate_is_steady(candidate))
		return NO_POLLING;
	if (poll->child_rank == POLL_CHILD_OUTLIVES && poll->rivals == 0)
		return IS_POLLING;
	return poll->track == summary->explanation->path_track || !track->is_open ? MAYBE_POLLING
	                                                                          : NO_POLLING;
}

static struct poll_candidate *candidates_choose(const struct candidates *candidates,
                                                const struct summary *summary,
                                                enum certainty *ret_certainty)
{
	struct poll_candidate *best = NULL;

	*ret_certainty = NO_POLLING;
	for (size_t i = 0; i < candidates->count; i++) {
		struct poll_candidate *candidate = &candidates->candidate[i];
		enum certainty certainty = candidate_certainty(candidate, summary);

		if (certainty < *ret_certainty || certainty == NO_POLLING ||
		    (certainty == *ret_certainty && candidate->all.waiting <= best->all.waiting))
			continue;
		best = candidate;
		*ret_certainty = certainty;
	}
	return best;
}

/* The only other child of the task's parent that lived during the whole series and ended in its
   last sleep; TRACK_NONE: there is none, or there are several. */
static uint32_t poll_sibling(const struct poll *poll, const struct timeline *timeline)
{
	uint32_t parent = timeline->track[poll->track].parent, found = TRACK_NONE;

	for (uint32_t at = 0; parent != TRACK_NONE && at < timeline->track_count; at++) {
		const struct track *track = &timeline->track[at];

		if (track->parent != parent || at == poll->track || track->is_open ||
		    (track->tgid >= 0 && track->tgid != track->tid) || track->end <= poll->last ||
		    track->end > poll->end || track->born > poll->begin + poll_period(poll))
			continue;
		if (found != TRACK_NONE)
			return TRACK_NONE;
		found = at;
	}
	return found;
}

/* ", and notices its end 20.870 ms late". */
static void late_append(const struct poll *poll, const struct track *other, struct buffer *to)
{
	if (!other->is_open && other->end > poll->late && other->end < poll->end)
		buffer_printf(to, ", and notices its end %s late",
		              DURATION_TEXT(poll->end - other->end));
}

/* Appends how the views show the polling. Nothing is appended if the history was forgotten in
   between: then the views may have reported the sleeps before the child's end was known. */
static void polling_append(const struct poll *poll, const struct timeline *timeline,
                           const char *child, struct buffer *to)
{
	bool is_followed = poll->child_rank == POLL_CHILD_ENDS_IT ||
	                   timeline->through_polls == POLLS_ALL;

	if (!poll_has_child(poll) || timeline->through_polls == POLLS_NEVER ||
	    !timeline_poll(timeline, poll->track, poll->begin))
		return;
	if (is_followed)
		buffer_printf(to, ": shown as a wait for %s, which is inferred (--no-through-polls "
		                  "shows the sleep)", child);
	else
		buffer_printf(to, ": --through-polls shows it as a wait for %s", child);
}

/* Appends the child that lived meanwhile. It is named only if it is the only or by far most likely
   one. */
static void child_append(const struct poll_candidate *candidate, const struct timeline *timeline,
                         struct buffer *to)
{
	const struct poll *poll = &candidate->heaviest;
	const struct track *child;
	nsec_t both;

	if (poll->rivals) {
		buffer_puts(to, " while children of its own are alive");
		polling_append(poll, timeline, "one", to);
		return;
	}
	child = &timeline->track[poll->child];
	both = nsec_min(poll->end, child->end) - nsec_max(poll->begin, child->born);
	both = nsec_min(both, poll->waiting);
	if (both < candidate->all.waiting - candidate->all.waiting / WHOLE_PART)
		buffer_printf(to, ", %s of that", DURATION_TEXT(both));
	buffer_puts(to, " while its child ");
	prose_task_append(to, timeline, poll->child);
	buffer_puts(to, " is alive");
	late_append(poll, child, to);
	polling_append(poll, timeline, "it", to);
}

static void polling_figures_append(const struct poll_candidate *candidate, struct buffer *to)
{
	const struct poll *all = &candidate->all;
	const char *call = sleep_call_name((enum sleep_call)all->call);

	buffer_printf(to, " %s", all->is_by_child ? "has a child sleep" : "sleeps");
	if (call)
		buffer_printf(to, " in %s", call);
	buffer_printf(to, " for %s, %" PRIu64 " times", DURATION_TEXT(poll_period(all)),
	              all->count);
	buffer_printf(to, " (%s of", DURATION_TEXT(all->waiting));
	buffer_printf(to, " its %s)", DURATION_TEXT(candidate->life));
}

static void candidate_print(const struct poll_candidate *candidate, enum certainty certainty,
                            const struct timeline *timeline, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 1024);
	buffer_puts(&line, certainty == IS_POLLING ? "Polling: " : "Polling, or a heartbeat: ");
	prose_task_append(&line, timeline, candidate->all.track);
	polling_figures_append(candidate, &line);
	if (candidate->sibling != TRACK_NONE) {
		buffer_puts(&line, " while ");
		prose_task_append(&line, timeline, candidate->sibling);
		buffer_puts(&line, " of the same parent is alive");
		late_append(&candidate->heaviest, &timeline->track[candidate->sibling], &line);
	} else if (certainty == IS_POLLING) {
		child_append(candidate, timeline, &line);
	} else {
		buffer_puts(&line, ", and does nothing in between");
	}
	buffer_putc(&line, '.');
	prose_put(to, line.text);
}

void summary_print_polling(const struct summary *summary, bool is_first, const struct output *to)
{
	const struct timeline *timeline = summary->question->timeline;
	struct candidates candidates;
	struct poll_candidate *candidate;
	enum certainty certainty;

	candidates_find(&candidates, summary);
	candidate = candidates_choose(&candidates, summary, &certainty);
	if (candidate && certainty == MAYBE_POLLING) {
		candidate->sibling = poll_sibling(&candidate->heaviest, timeline);
		if (candidate->sibling != TRACK_NONE)
			certainty = IS_POLLING;
	}
	if (candidate && is_first == (certainty == IS_POLLING &&
	                              candidate->all.waiting >= candidates.longest / MAJOR_PART))
		candidate_print(candidate, certainty, timeline, to);
	free(candidates.candidate);
	free(candidates.of_track);
}

/* The sentence on waits in slices: what the asked task, or the task with the most of them, waited
   for. */

#define SLICES_PART 20 /* worth a line if it is at least the task's time divided by this */

static bool sum_matters(const struct summary *summary, const struct slice_sum *sum)
{
	return sum->track < summary->count &&
	       sum->inferred > summary->by_track[sum->track].time / SLICES_PART;
}

/* The highest rank is the one task's own wait, then waits of tasks on its path, then others. */
enum slices_rank {
	SLICES_HIDDEN,
	SLICES_OTHERS,
	SLICES_ON_PATH,
	SLICES_OWN,
};

/* By track: whether its waits are on the one task's path. A task counts if it has most of a node.
   NULL: nothing on the path was inferred. */
static bool *path_waiters(const struct explanation *explanation)
{
	const struct chain_tree *path = &explanation->path;
	bool *waits;

	if (explanation->path_track == TRACK_NONE || !explanation->path_sums.inferred)
		return NULL;
	waits = xcalloc(path->timeline->track_count + 1, sizeof(*waits));
	for (size_t i = 1; i < path->count; i++) {
		const struct voter voter = chain_node_voter(&path->node[i]);

		if (path->node[i].state == PART_WAITING && voter.own)
			waits[voter.track] = true;
	}
	return waits;
}

/*
 * The rank of the sums. With the path of one task, waits of a task beside the path are worth a
 * sentence only if they are for a request without an answer: that shows what the program did. If
 * something ended them, the task may be a helper thread that wakes up regularly until the program
 * ends.
 */
static enum slices_rank slices_rank_of(const struct summary *summary, const struct slice_sum *sum,
                                       const bool *waits)
{
	const struct explanation *explanation = summary->explanation;

	if (!sum_matters(summary, sum))
		return SLICES_HIDDEN;
	if (sum->track == explanation->path_track)
		return SLICES_OWN;
	if (waits && waits[sum->track])
		return SLICES_ON_PATH;
	return explanation->path_track != TRACK_NONE && sum->is_answered ? SLICES_HIDDEN
	                                                                 : SLICES_OTHERS;
}

/* Of the sums with the highest rank, if that is at least `least`, the one with the longest waiting;
   NULL: none matters. */
static const struct slice_sum *slices_choose(const struct summary *summary,
                                             enum slices_rank least)
{
	const struct slice_sums *sums = &summary->explanation->slices;
	_cleanup_(freep) bool *waits = path_waiters(summary->explanation);
	enum slices_rank best_rank = least;
	const struct slice_sum *best = NULL;

	for (size_t i = 0; i < sums->count; i++) {
		enum slices_rank rank = slices_rank_of(summary, &sums->sum[i], waits);

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
	prose_task_append(&line, timeline, sum->track);
	buffer_printf(&line, " waited %s in %" PRIu64 " tr%s",
	              DURATION_TEXT(sum->waiting), sum->count, sum->count == 1 ? "y" : "ies");
	buffer_printf(&line, " of up to %s ", DURATION_TEXT(sum->most));
	if (sum->cause.kind == CAUSE_NET && sum->cause.as.net.is_retried)
		buffer_puts(&line, sum->cause.as.net.is_unanswered ? "in vain: " : "for ");
	else if (sum->is_answered || sum->cause.kind == CAUSE_LOCK)
		buffer_puts(&line, "for ");
	else
		buffer_puts(&line, sum->cause.as.net.is_unanswered ? "without an answer: "
		                                                   : "for an answer: ");
	awaited_append(sum, timeline, &line);
	buffer_puts(&line, sum->is_answered
	                           ? ", which ended the last of them; that the others were for "
	                             "it, too, is inferred (--no-through-polls shows the timers)."
	                           : " (--no-through-polls shows the timers).");
	prose_put(to, line.text);
}
