/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fact_evidence.h"

#include <string.h>

#include "analysis/paths/path_task.h"
#include "ftwait/host.h"
#include "graph/walk/walk.h"
#include "words/cause/cause_kind.h"

struct longest_part {
	struct evidence_claim claim;
	nsec_t length;
	const struct timeline *timeline;
	const struct fact *of; /* what the part must be of; NULL: anything */
};

/* Whether the view is the one that shows more of the part. */
static bool part_is_of_view(const struct part *part, const char *view)
{
	const char *of = NULL;

	if (part->state == PART_RUNNABLE)
		of = "sched";
	else if (part->state == PART_WAITING && part->cause)
		of = cause_kinds[part->cause->kind].view;
	return of && strcmp(of, view) == 0;
}

static bool part_is_of_fact(const struct timeline *timeline, const struct part *part,
                            const struct fact *fact)
{
	const struct track *track = &timeline->track[part->track];
	const char *kind = part->state == PART_WAITING && part->cause
	                           ? cause_kind_name((enum cause_kind)part->cause->kind)
	                           : "";

	if (fact->view && !part_is_of_view(part, fact->view))
		return false;
	if (fact->comm &&
	    strcmp(fact->comm, intern_text(&timeline->names, track_name(track))) != 0)
		return false;
	return (!fact->part || strcmp(fact->part, part_state_name(part->state)) == 0) &&
	       (!fact->kind || strcmp(fact->kind, kind) == 0);
}

static void longest_take(void *state, const struct part *part)
{
	struct longest_part *longest = state;

	if (part->end - part->begin < longest->length ||
	    (longest->of && !part_is_of_fact(longest->timeline, part, longest->of)))
		return;
	longest->length = part->end - part->begin;
	longest->claim = evidence_claim_of(part->track, part->begin, part->is_inferred);
}

static struct evidence_claim longest_of(struct timeline *timeline, uint32_t track, nsec_t begin,
                                        nsec_t end, const struct fact *fact)
{
	struct longest_part longest = {.claim.track = TRACK_NONE,
	                               .timeline = timeline, .of = fact};
	const struct walk_visitor visitor = {.state = &longest, .on_part = longest_take};
	struct walk_result result = {0};

	walk(timeline, track, begin, end, &visitor, &result);
	return longest.claim;
}

struct evidence_claim evidence_longest(struct timeline *timeline, uint32_t track, nsec_t begin,
                                       nsec_t end)
{
	return longest_of(timeline, track, begin, end, /* fact= */ NULL);
}

struct evidence_claim evidence_longest_wait(const struct timeline *timeline, uint32_t index,
                                            nsec_t begin, nsec_t end)
{
	struct evidence_claim claim = {.track = TRACK_NONE};
	struct track *track = &timeline->track[index];
	nsec_t longest = 0;

	for (size_t at = timeline_find(track, end); at != SIZE_MAX; at--) {
		nsec_t until = timeline_segment_end(track, at);
		nsec_t since = track->segment[at].begin;

		if (until <= begin)
			break;
		if (track->segment[at].kind != SEGMENT_WAIT || until - since <= longest)
			continue;
		longest = until - since;
		claim = evidence_claim_of(index, since, false);
	}
	return claim;
}

/* The track of the task, of several with its tid the last one that had begun before `end`;
   TRACK_NONE: none. */
static uint32_t task_track(const struct fact_prover *prover, const struct task *task, nsec_t end)
{
	return task_index_find(&prover->tasks, hosts_process_id(task->machine, task->tid), end - 1);
}

/* That of the task that the fact names. */
static uint32_t fact_track(const struct fact_prover *prover, const struct fact *fact)
{
	if (!fact->has_task)
		return TRACK_NONE;
	return task_track(prover, &fact->task, fact->begin < fact->end ? fact->end : NSEC_NEVER);
}

static struct evidence_claim proof_claim(const struct fact_prover *prover, const struct fact *fact)
{
	struct timeline *timeline = prover->question->timeline;
	uint32_t track = task_track(prover, &fact->proof.task, fact->proof.end);
	struct evidence_claim claim = evidence_claim_of(TRACK_NONE, 0, false);

	if (track == TRACK_NONE)
		return claim;
	if (!fact->view)
		claim = evidence_longest_wait(timeline, track, fact->proof.begin, fact->proof.end);
	if (claim.track != TRACK_NONE)
		return claim;
	return longest_of(timeline, track, fact->proof.begin, fact->proof.end, fact);
}

/* Whether the task was in one wait for most of the stretch: then that is what is said of it. */
static bool stretch_is_wait(const struct timeline *timeline, const struct path_target *target)
{
	struct track *track = &timeline->track[target->track];
	nsec_t begin = target->window.begin, end = target->window.end;
	size_t at = timeline_find(track, begin + (end - begin) / 2);

	if (at == SIZE_MAX || track->segment[at].kind != SEGMENT_WAIT)
		return false;
	begin = nsec_max(begin, track->segment[at].begin);
	return nsec_min(end, timeline_segment_end(track, at)) - begin >
	       (target->window.end - target->window.begin) / 2;
}

/* The stretch that the fact is about; of TRACK_NONE: none, as it is a sum of things that are no
   waits. */
static struct evidence_claim fact_claim(const struct fact_prover *prover, const struct fact *fact)
{
	const struct question *question = prover->question;
	const struct evidence_claim none = {.track = TRACK_NONE};
	struct path_target target = {.track = fact_track(prover, fact)};
	bool is_known = fact->begin < fact->end;

	if (fact->proof.begin < fact->proof.end)
		return proof_claim(prover, fact);
	if (target.track == TRACK_NONE &&
	    (fact->rank != FACT_CHAIN || !question->resolved->is_targeted))
		return none;
	if (target.track == TRACK_NONE)
		path_target_find(question, &target);
	else if (is_known)
		target.window = (struct path_window){.begin = fact->begin, .end = fact->end};
	else
		target.window = path_task_window(question, target.track);
	if (target.track == TRACK_NONE || target.window.begin >= target.window.end)
		return none;
	if (is_known && stretch_is_wait(question->timeline, &target))
		return evidence_claim_of(
			target.track, (target.window.begin + target.window.end) / 2, false);
	return longest_of(question->timeline, target.track, target.window.begin,
	                  target.window.end, fact);
}

struct evidence_found fact_prove(void *state, const struct fact *fact)
{
	const struct fact_prover *prover = state;
	const struct evidence_claim claim = fact_claim(prover, fact);
	struct evidence_found found = evidence_of(prover->question->evidence, claim);

	found.is_inferred |= claim.track == TRACK_NONE || fact->doubt != FACT_SEEN;
	return found;
}

void fact_prover_init(struct fact_prover *prover, const struct question *question)
{
	prover->question = question;
	task_index_init(&prover->tasks, question->timeline);
}

void fact_prover_release(struct fact_prover *prover)
{
	task_index_release(&prover->tasks);
}
