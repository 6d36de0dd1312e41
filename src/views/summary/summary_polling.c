/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sentence on polling: on the heaviest series that matters and is certain enough. A task that
 * works periodically sleeps as regularly, so the figures alone do not prove polling:
 *
 *	known    a child ended in the last sleep, which is why it was the last one; or the task
 *	         did next to nothing in its life but sleep while one child lived, or until another
 *	         child of its parent had ended
 *	maybe    it did next to nothing else, for an unknown purpose: reported only if the task has
 *	         ended or is the only one asked for
 */
#include "summary.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/prose.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/format.h"

#define WORTH_PART  10  /* the longest life of an asked task, divided by this, is worth a line */
#define MAJOR_PART  2   /* and printed first if it is at least this part */
#define STEADY_PART 2   /* least part of its own life that a task sleeps if it does nothing else */
#define IDLE_PART   100 /* it runs less than this part of the sleeps between them */
#define WHOLE_PART  10  /* at most this part may be missing from the whole */

struct poll_candidate {
	struct poll all, heaviest; /* as in struct polling */
	nsec_t life;               /* its task's time */
	uint32_t sibling;          /* the parent's other child that it waited for, or LINE_NONE */
};

struct candidates {
	const struct question *question;
	struct poll_candidate *candidate;
	size_t count, capacity;
	uint32_t *of_line; /* index + 1; 0: none */
	nsec_t longest;    /* time of an asked task */
};

enum certainty {
	NO_POLLING,
	MAYBE_POLLING,
	IS_POLLING,
};

static void candidates_release(struct candidates *candidates)
{
	free(candidates->candidate);
	free(candidates->of_line);
}

/* Only programs: kernel threads that check something from time to time are normal. */
static bool is_asked_program(const struct question *question, uint32_t line)
{
	return question->resolved->is_asked[line] && !line_is_kernel(question->timeline, line);
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
		.sibling = LINE_NONE,
	};
	candidates->of_line[times->line] = (uint32_t)candidates->count;
}

/* Finds all that matter, with their children. */
static void candidates_find(struct candidates *candidates, const struct summary *summary)
{
	const struct question *question = summary->question;
	const struct timeline *timeline = question->timeline;

	*candidates = (struct candidates){.question = question};
	candidates->of_line = xcalloc(timeline->line_count + 1, sizeof(*candidates->of_line));
	for (uint32_t line = 0; line < summary->count; line++)
		if (is_asked_program(question, line))
			candidates->longest =
				nsec_max(candidates->longest, summary->by_line[line].time);
	for (uint32_t line = 0; line < summary->count; line++)
		if (summary->by_line[line].polling && is_asked_program(question, line))
			candidates_add(candidates, &summary->by_line[line],
			               slice_sums_of(&summary->explanation->slices, line));
	for (uint32_t line = 0; candidates->count && line < timeline->line_count; line++) {
		uint32_t parent = timeline->line[line].parent;

		if (parent != LINE_NONE && candidates->of_line[parent])
			poll_consider(&candidates->candidate[candidates->of_line[parent] - 1]
			                       .heaviest,
			              timeline, line);
	}
}

/* The task did nothing else to speak of. */
static bool candidate_is_steady(const struct poll_candidate *candidate)
{
	return candidate->all.ran <= candidate->all.waiting / IDLE_PART &&
	       candidate->all.waiting >= candidate->life / STEADY_PART;
}

static enum certainty candidate_certainty(const struct poll_candidate *candidate,
                                          const struct summary *summary)
{
	const struct poll *poll = &candidate->heaviest;
	const struct line *line = &summary->question->timeline->line[poll->line];

	if (poll->count < POLL_LEAST && !poll_is_proven(poll, summary->question->timeline))
		return NO_POLLING;
	if (poll_has_child(poll) && poll->child_rank == POLL_CHILD_ENDS_IT)
		return IS_POLLING;
	if (poll->is_by_child || !candidate_is_steady(candidate))
		return NO_POLLING;
	if (poll->child_rank == POLL_CHILD_OUTLIVES && poll->rivals == 0)
		return IS_POLLING;
	return poll->line == summary->explanation->path_line || !line->is_open ? MAYBE_POLLING
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

/* The only other child of its parent that lived all the while and ended in the last sleep;
   LINE_NONE: there is none, or there are several. */
static uint32_t poll_sibling(const struct poll *poll, const struct timeline *timeline)
{
	uint32_t parent = timeline->line[poll->line].parent, found = LINE_NONE;

	for (uint32_t at = 0; parent != LINE_NONE && at < timeline->line_count; at++) {
		const struct line *line = &timeline->line[at];

		if (line->parent != parent || at == poll->line || line->is_open ||
		    (line->tgid >= 0 && line->tgid != line->tid) || line->end <= poll->last ||
		    line->end > poll->end || line->born > poll->begin + poll_period(poll))
			continue;
		if (found != LINE_NONE)
			return LINE_NONE;
		found = at;
	}
	return found;
}

/* ", whose end it saw 20.870 ms late". */
static void late_append(const struct poll *poll, const struct line *other, struct buffer *to)
{
	if (!other->is_open && other->end > poll->late && other->end < poll->end)
		buffer_printf(to, ", whose end it saw %s late",
		              DURATION_TEXT(poll->end - other->end));
}

/* How the views show it. If the history was too long for one piece, they may have reported the
   sleeps before the child's end was known. */
static void polling_append(const struct poll *poll, const struct timeline *timeline,
                           const char *child, struct buffer *to)
{
	bool is_followed = poll->child_rank == POLL_CHILD_ENDS_IT ||
	                   timeline->through_polls == POLLS_ALL;

	if (!poll_has_child(poll) || timeline->through_polls == POLLS_NEVER ||
	    !timeline_poll(timeline, poll->line, poll->begin))
		return;
	if (is_followed)
		buffer_printf(to, ": told as a wait for %s, which is inferred "
		                  "(--no-through-polls tells of the sleep)", child);
	else
		buffer_printf(to, ": --through-polls tells it as a wait for %s", child);
}

/* A child is named only if it is certain, or at least most likely, which one it was. */
static void child_append(const struct poll_candidate *candidate, const struct timeline *timeline,
                         struct buffer *to)
{
	const struct poll *poll = &candidate->heaviest;
	const struct line *child;
	nsec_t both;

	if (poll->rivals) {
		buffer_puts(to, ", while children of its lived");
		polling_append(poll, timeline, "one", to);
		return;
	}
	child = &timeline->line[poll->child];
	both = nsec_min(poll->end, child->end) - nsec_max(poll->begin, child->born);
	both = nsec_min(both, poll->waiting);
	if (both < candidate->all.waiting - candidate->all.waiting / WHOLE_PART)
		buffer_printf(to, ", %s of that", DURATION_TEXT(both));
	else
		buffer_putc(to, ',');
	buffer_puts(to, " while its child ");
	prose_task_append(to, timeline, poll->child);
	buffer_puts(to, " lived");
	late_append(poll, child, to);
	polling_append(poll, timeline, "it", to);
}

static void polling_figures_append(const struct poll_candidate *candidate, struct buffer *to)
{
	const struct poll *all = &candidate->all;
	const char *call = sleep_call_name((enum sleep_call)all->call);

	buffer_printf(to, " %s %" PRIu64 " times for %s",
	              all->is_by_child ? "had a child sleep" : "slept", all->count,
	              DURATION_TEXT(poll_period(all)));
	if (call)
		buffer_printf(to, " in %s", call);
	buffer_printf(to, ", %s of", DURATION_TEXT(all->waiting));
	buffer_printf(to, " its %s", DURATION_TEXT(candidate->life));
}

static void candidate_print(const struct poll_candidate *candidate, enum certainty certainty,
                            const struct timeline *timeline, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 1024);
	buffer_puts(&line, certainty == IS_POLLING ? "Polling: " : "Polling, or a beat: ");
	prose_task_append(&line, timeline, candidate->all.line);
	polling_figures_append(candidate, &line);
	if (candidate->sibling != LINE_NONE) {
		buffer_puts(&line, ", while ");
		prose_task_append(&line, timeline, candidate->sibling);
		buffer_puts(&line, " of the same parent lived");
		late_append(&candidate->heaviest, &timeline->line[candidate->sibling], &line);
	} else if (certainty == IS_POLLING) {
		child_append(candidate, timeline, &line);
	} else {
		buffer_puts(&line, ", and did nothing in between");
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
		if (candidate->sibling != LINE_NONE)
			certainty = IS_POLLING;
	}
	if (candidate && is_first == (certainty == IS_POLLING &&
	                              candidate->all.waiting >= candidates.longest / MAJOR_PART))
		candidate_print(candidate, certainty, timeline, to);
	candidates_release(&candidates);
}
