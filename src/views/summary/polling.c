/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences on tasks that sleep on a timer again and again: on polling, and on waits in slices,
   which are waits for an answer that have a time limit and are repeated. */
#include "summary.h"

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "graph/aims/poll.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "words/cause/cause_words.h"
#include "words/cause/purpose.h"

/* Takes in the next series. One that is too short counts only together with similar series: a delay
   of the task has split them. Else it is kept as `few`. */
static void polling_add(struct polling **polling, const struct sleep_series *poll)
{
	struct sleep_series *latest, *all;

	if (!poll->count)
		return;
	if (!*polling)
		*polling = xcalloc(1, sizeof(**polling));
	latest = &(*polling)->latest;
	all = &(*polling)->all;
	if (!poll_is_one(poll) && !(all->count && poll_is_alike(all, poll))) {
		if (poll_may_be_one(poll))
			(*polling)->few = *poll;
		return;
	}
	if (latest->count && poll_is_followed(latest, poll))
		poll_join(latest, poll);
	else
		*latest = *poll;
	if (all->count && poll_is_alike(all, poll)) {
		poll_join(all, poll);
		if (latest->waiting > (*polling)->heaviest.waiting)
			(*polling)->heaviest = *latest;
	} else if (latest->waiting > all->waiting) {
		*all = (*polling)->heaviest = *latest;
	}
}

void polling_take(struct polling **polling, const struct question *question, uint32_t track)
{
	const struct timeline *timeline = question->timeline;
	const struct resolved *resolved = question->resolved;
	const struct series_log *logs = timeline->track[track].series, *polls;
	size_t count;

	if (!logs)
		return;
	polls = &logs[SERIES_OF_POLLS];
	count = resolved ? polls->count : series_over(polls);
	EACH_OF(polls->series, count, const struct sleep_series, poll) {
		struct sleep_series part;

		if (*polling && poll->begin < (*polling)->until)
			continue;
		part = resolved && resolved->is_windowed
		               ? poll_within(timeline, poll, resolved->begin, resolved->end)
		               : *poll;
		polling_add(polling, &part);
		if (*polling)
			(*polling)->until = poll->end;
	}
}

bool polling_close(const struct polling *polling, struct polling *ret)
{
	if (!polling)
		return false;
	*ret = *polling;
	if (ret->all.count == 0)
		ret->all = ret->heaviest = ret->few;
	return ret->all.count > 0;
}

/*
 * The sentence on polling names the heaviest series that matters and is certain enough. A task that
 * works periodically sleeps as regularly as one that polls, so the figures alone do not prove
 * polling. Certainty:
 *
 *	known    a child ended in the last sleep, which is why it was the last one; or the task
 *	         did next to nothing in its life but sleep while one child lived, also one that
 *	         outlives the trace, or until another child of its parent had ended
 *	maybe    it did next to nothing else, for an unknown purpose: reported only if the task has
 *	         ended or is the only one asked for
 */

struct poll_candidate {
	struct sleep_series all, heaviest; /* see struct polling */
	nsec_t life;               /* time of its task */
	uint32_t sibling;          /* another child of its parent, which it waited for;
	                              TRACK_NONE */
};

enum certainty {
	NO_POLLING,
	MAYBE_POLLING,
	IS_POLLING,
};

/* Whether the task's polling matters, `longest` being the longest life of an asked program. Kernel
   threads are not reported: it is normal that they check something from time to time. */
static bool candidate_find(const struct summary *summary, const struct times *times, nsec_t longest,
                           struct poll_candidate *ret)
{
	const struct slice_sum *slices;
	struct polling polling;

	if (!times->polling || track_is_kernel(summary->question->timeline, times->track) ||
	    !polling_close(times->polling, &polling) ||
	    polling.all.waiting < longest / DIVISOR_WORTH)
		return false;
	/* waits in slices are reported as such */
	slices = keyed_sums_find(&summary->explanation->slices, times->track);
	if (slices && slices->of.total > polling.all.waiting / DIVISOR_MAJOR)
		return false;
	*ret = (struct poll_candidate){polling.all, polling.heaviest, times->time, TRACK_NONE};
	poll_find_child(&ret->heaviest, summary->question->timeline);
	return true;
}

/* Whether the task did almost nothing else. */
static bool candidate_is_steady(const struct poll_candidate *candidate)
{
	return candidate->all.ran <= candidate->all.waiting / DIVISOR_QUIET &&
	       candidate->all.waiting >= candidate->life / DIVISOR_MAJOR;
}

static enum certainty candidate_certainty(const struct poll_candidate *candidate,
                                          const struct summary *summary)
{
	const struct sleep_series *poll = &candidate->heaviest;
	const struct timeline *timeline = summary->question->timeline;
	const struct track *track = &timeline->track[poll->track];

	if (poll->count < POLL_LEAST && !poll_is_proven(poll, timeline))
		return NO_POLLING;
	if (poll_has_child(poll) && poll->child_rank == POLL_CHILD_ENDS_IT)
		return IS_POLLING;
	if (poll->is_by_child || !candidate_is_steady(candidate))
		return NO_POLLING;
	/* a thread that still lives when the trace ends is no such child */
	if (poll->rivals == 0 &&
	    (poll->child_rank == POLL_CHILD_OUTLIVES ||
	     (poll->child_rank == POLL_CHILD_LIVES &&
	      !timeline_is_one_process(timeline, poll->child, poll->track))))
		return IS_POLLING;
	return poll->track == summary->explanation->path_track || !track->is_open ? MAYBE_POLLING
	                                                                          : NO_POLLING;
}

/* How late the task notices the end of the other one; 0: not late, or it did not end. */
static nsec_t notices_late(const struct sleep_series *poll, const struct track *other)
{
	return !other->is_open && other->end > poll->late && other->end < poll->end
	               ? poll->end - other->end
	               : 0;
}

/* Appends the child that lived meanwhile. It is named only if it is the only or by far most likely
   one. */
static void child_append(const struct poll_candidate *candidate, const struct timeline *timeline,
                         struct buffer *to)
{
	const struct sleep_series *poll = &candidate->heaviest;
	bool is_named = poll->rivals == 0;
	const struct track *child = &timeline->track[is_named ? poll->child : poll->track];
	nsec_t late = is_named ? notices_late(poll, child) : 0, both = 0;
	/* whether the views show the polling as a wait for a child, or can do so; not if the
	   history was forgotten in between: then they may have reported the sleeps before the
	   child's end was known */
	bool is_shown = poll_has_child(poll) && timeline->through_polls != POLLS_NEVER &&
	                series_of(timeline->track[poll->track].series, SERIES_OF_POLLS,
	                          poll->begin);
	bool is_followed = poll->child_rank == POLL_CHILD_ENDS_IT ||
	                   timeline->through_polls == POLLS_ALL;

	if (is_named)
		both = nsec_min(poll->waiting, nsec_min(poll->end, child->end) -
		                                       nsec_max(poll->begin, child->born));
	say(to, timeline,
	    "[[, {time} of that] while its child {task} is alive[, and notices its end {time} late]"
	    "| while children of its own are alive]",
	    WHEN(both < candidate->all.waiting - candidate->all.waiting / DIVISOR_WHOLE,
	         TIME(both)),
	    WHEN(is_named, TASK(poll->child)), WHEN(late, TIME(late)));
	say(to, NULL,
	    "[: shown as a wait for {text}, which is inferred (--no-through-polls shows the "
	    "sleep)|: --through-polls shows it as a wait for {text}]",
	    WHEN(is_shown && is_followed, TEXT(is_named ? "it" : "one")),
	    WHEN(is_shown, TEXT(is_named ? "it" : "one")));
}

static void candidate_print(const struct poll_candidate *candidate, enum certainty certainty,
                            bool is_first, const struct timeline *timeline,
                            const struct output *to)
{
	const struct sleep_series *all = &candidate->all;
	_cleanup_(buffer_release) struct buffer meanwhile = {0};
	bool has_sibling = candidate->sibling != TRACK_NONE;
	nsec_t late = has_sibling ? notices_late(&candidate->heaviest,
	                                         &timeline->track[candidate->sibling])
	                          : 0;

	if (!has_sibling && certainty == IS_POLLING)
		child_append(candidate, timeline, &meanwhile);
	say_fact(to, timeline,
	       FACT(is_first ? FACT_CAUSE : FACT_REASON,
	            .doubt = certainty == IS_POLLING ? FACT_INFERRED : FACT_GUESSED,
	            .next = "--waits --sort wait"),
	       "Polling[{if}|, or a heartbeat]: {task} [{if}has a child sleep|sleeps][ in {text}] "
	       "for {time}, {number} times ({time} of its {time})[ while {task} of the same parent "
	       "is alive[, and notices its end {time} late]|{text}|, and does nothing in between].",
	       IF(certainty == IS_POLLING), TASK(all->track), IF(all->is_by_child),
	       TEXT(sleep_call_name((enum sleep_call)all->call)), TIME(poll_period(all)),
	       NUMBER(all->count), TIME(all->waiting), TIME(candidate->life),
	       WHEN(has_sibling, TASK(candidate->sibling)), WHEN(late, TIME(late)),
	       TEXT(meanwhile.text));
}

/* The polling that the summary reports: at most that of one task. */
struct polling_choice {
	struct poll_candidate best;
	enum certainty certainty;
	bool is_major;  /* it comes before the other sentences */
	bool is_steady; /* at least one task sleeps as if it polled */
};

static struct polling_choice polling_choose(const struct summary *summary)
{
	const struct timeline *timeline = summary->question->timeline;
	const struct times *longest =
		SUMMARY_MOST(summary, it, !track_is_kernel(timeline, it->track), it->time);
	struct polling_choice choice = {.certainty = NO_POLLING};
	struct poll_candidate *best = &choice.best;

	SUMMARY_EACH(summary, times) {
		struct poll_candidate candidate;
		enum certainty one;

		if (!longest || !candidate_find(summary, times, longest->time, &candidate))
			continue;
		one = candidate_certainty(&candidate, summary);
		choice.is_steady |= candidate.heaviest.count >= POLL_LEAST &&
		                    candidate_is_steady(&candidate);
		if (one == NO_POLLING || one < choice.certainty ||
		    (one == choice.certainty && candidate.all.waiting <= best->all.waiting))
			continue;
		*best = candidate;
		choice.certainty = one;
	}
	if (choice.certainty == MAYBE_POLLING) {
		best->sibling = poll_sibling(&best->heaviest, timeline);
		if (best->sibling != TRACK_NONE)
			choice.certainty = IS_POLLING;
	}
	choice.is_major = choice.certainty == IS_POLLING &&
	                  best->all.waiting >= longest->time / DIVISOR_MAJOR;
	return choice;
}

void summary_print_polling(const struct summary *summary, bool is_first, const struct output *to)
{
	const struct polling_choice choice = polling_choose(summary);

	if (choice.certainty != NO_POLLING && is_first == choice.is_major)
		candidate_print(&choice.best, choice.certainty, is_first,
		                summary->question->timeline, to);
}

bool summary_has_polling(const struct summary *summary, bool *ret_may_poll)
{
	const struct polling_choice choice = polling_choose(summary);

	*ret_may_poll = choice.is_steady;
	return choice.is_major;
}

/* The sentence on waits in slices: what the asked task, or the task with the most of them, waited
   for. */

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

	/* one wait is no row of slices: it may be of a child that sleeps for its parent */
	if (sum->of.count < 2 || sum->of.key >= summary->count ||
	    sum->of.extra <= summary->by_track[sum->of.key].time / DIVISOR_SLICES)
		return SLICES_HIDDEN;
	if (sum->of.key == explanation->path_track)
		return SLICES_OWN;
	if (waits && waits[sum->of.key])
		return SLICES_ON_PATH;
	return explanation->path_track != TRACK_NONE && sum->is_answered ? SLICES_HIDDEN
	                                                                 : SLICES_OTHERS;
}

/* Of the sums with the highest rank, if that is at least `least`, the one with the longest waiting;
   NULL: none matters. */
static const struct slice_sum *slices_choose(const struct summary *summary,
                                             enum slices_rank least)
{
	const struct keyed_sums *sums = &summary->explanation->slices;
	_cleanup_(freep) bool *waits = path_waiters(summary->explanation);
	enum slices_rank best_rank = least;
	const struct slice_sum *best = NULL;

	TALLY_ROWS(&sums->tally, const struct slice_sum, sum) {
		enum slices_rank rank = slices_rank_of(summary, sum, waits);

		if (rank <= least || rank < best_rank ||
		    (rank == best_rank && sum->of.total <= best->of.total))
			continue;
		best = sum;
		best_rank = rank;
	}
	return best;
}

void summary_print_slices(const struct summary *summary, bool of_path, const struct output *to)
{
	const struct timeline *timeline = summary->question->timeline;
	const struct slice_sum *sum = slices_choose(summary, of_path ? SLICES_OTHERS
	                                                                      : SLICES_HIDDEN);
	_cleanup_(buffer_release) struct buffer name = {0};
	struct cause cause;
	const char *how;
	bool is_task;

	if (!sum)
		return;
	cause = timeline_cause(timeline, &sum->cause, NSEC_NEVER);
	is_task = cause.kind == CAUSE_TASK;
	if (is_task && !cause.has_waker)
		cause_name_append(&name, &cause);
	if (sum->cause.kind == CAUSE_NET && sum->cause.as.net.is_retried)
		how = sum->cause.as.net.is_unanswered ? "in vain:" : "for";
	else if (sum->cause.purpose == PURPOSE_CHILD)
		how = "for the end of";
	else if (sum->is_answered || sum->cause.kind == CAUSE_LOCK)
		how = "for";
	else
		how = sum->cause.as.net.is_unanswered ? "without an answer:" : "for an answer:";
	say_fact(to, timeline,
	       FACT(FACT_REASON, .doubt = sum->is_answered ? FACT_INFERRED : FACT_SEEN,
	            .next = "--waits --sort wait"),
	       "In slices: {task} waited {time} in {number} tr{y|ies} of up to {time} {text} "
	       "[{task}|{cause}|{text}][{if} and others][{if}, which ended the last of them; that "
	       "the others were for it, too, is inferred] (--no-through-polls shows the timers).",
	       TASK((uint32_t)sum->of.key), TIME(sum->of.total), NUMBER(sum->of.count),
	       TIME(sum->most), TEXT(how), WHEN(is_task && cause.has_waker, TASK_OF(&cause.waker)),
	       WHEN(!is_task, CAUSE(&cause)), TEXT(name.text), IF(!sum->is_alike),
	       IF(sum->is_answered));
}
