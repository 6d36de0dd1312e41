/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "explanation.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "graph/aims/awaited.h"
#include "graph/aims/last_child.h"

#define CPUS_LOOKED_AT 64 /* limit for large machines, on which an idle CPU is soon found */

void spare_cpus_release(struct spare_cpus *spare)
{
	interrupt_log_release(&spare->idle);
	free(spare->cursor);
}

void spare_cpus_add(struct spare_cpus *spare, uint32_t cpu, nsec_t begin, nsec_t end)
{
	if (hosts_own_cpu(spare->hosts, cpu) < CPUS_LOOKED_AT)
		interrupt_log_add(&spare->idle, cpu, begin, end);
}

void spare_cpus_begin(struct spare_cpus *spare)
{
	spare->cursor = interrupt_cursors_new(&spare->idle);
}

static nsec_t cursor_overlap(struct interrupt_cursor *cursor, nsec_t begin, nsec_t end)
{
	nsec_t overlap = 0;

	while (begin < end && interrupt_cursor_find(cursor, end) && cursor->end > begin) {
		nsec_t from = nsec_max(cursor->begin, begin), to = nsec_min(cursor->end, end);

		overlap += to - from;
		end = from;
	}
	return overlap;
}

nsec_t spare_cpus_within(struct spare_cpus *spare, uint32_t cpu, nsec_t begin, nsec_t end)
{
	uint32_t machine = hosts_of_cpu(spare->hosts, cpu);
	nsec_t longest = 0;

	for (uint32_t other = 0; other < spare->idle.cpu_count; other++)
		if (other != cpu && hosts_of_cpu(spare->hosts, other) == machine)
			longest = nsec_max(longest,
			                   cursor_overlap(&spare->cursor[other], begin, end));
	return longest;
}

void spare_cpus_end(struct spare_cpus *spare)
{
	free(spare->cursor);
	spare->cursor = NULL;
}

/* Adds the reclaim and compaction in a running or runnable part: they need not sleep. */
static void path_memory_add(struct path_memory *memory, const struct memory_log *log,
                            bool is_running, nsec_t begin, nsec_t end)
{
	nsec_t limit, time = memory_log_overlap(log, begin, end, &limit);

	*(is_running ? &memory->running : &memory->runnable) += time;
	memory->limit += limit;
}

/* Adds time in the CPU's run queue to that in which others had the CPU. */
static void path_add_queued(struct walk_on *on, uint32_t track, uint16_t cpu, nsec_t begin,
                            nsec_t end)
{
	competitors_add(&on->competitors, cpu, begin, end,
	                track_priority_at(&on->ahead->timeline->track[track], begin));
	on->sums->spare += spare_cpus_within(on->ahead->spare, cpu, begin, end);
}

static void walk_on_cpu_parts(void *state, const struct cpu_parts *parts)
{
	struct walk_on *on = state;
	const struct memory_log *memory = on->ahead->timeline->track[parts->track].memory;

	if (parts->is_inferred)
		on->sums->inferred += parts->part[0].end - parts->part[parts->count - 1].begin;
	EACH_OF(parts->part, parts->count, const struct cpu_part, part) {
		if (memory)
			path_memory_add(&on->sums->memory, memory, part->is_running, part->begin,
			                part->end);
		if (!part->is_running)
			path_add_queued(on, parts->track, part->cpu, part->begin, part->end);
	}
}

static void walk_on_part(void *state, const struct part *part)
{
	struct walk_on *on = state;
	const struct track *track = &on->ahead->timeline->track[part->track];
	bool is_running = part->state == PART_RUNNING, is_runnable = part->state == PART_RUNNABLE;
	struct path_sums *sums = on->sums;

	if (part->is_inferred && (part->state != PART_WAITING ||
	                          (part->cause && !cause_note_is_open(part->cause))))
		sums->inferred += part->end - part->begin;
	if (part->state == PART_CUT && track->is_trimmed &&
	    (track->segment_count == 0 || part->end <= track->segment[0].begin))
		sums->forgotten += part->end - part->begin;
	if (track->memory && (is_running || is_runnable))
		path_memory_add(&sums->memory, track->memory, is_running, part->begin, part->end);
	if (is_runnable && (!part->cause || part->cause->kind != CAUSE_THROTTLED))
		path_add_queued(on, part->track, part->cpu, part->begin, part->end);
}

static void path_sums_add(struct path_sums *sums, const struct path_sums *others)
{
	had_cpu_add(&sums->had_cpu, &others->had_cpu);
	sums->spare += others->spare;
	sums->memory.running += others->memory.running;
	sums->memory.runnable += others->memory.runnable;
	sums->memory.limit += others->memory.limit;
	sums->inferred += others->inferred;
	sums->forgotten += others->forgotten;
}

static void walked_free(struct walked_ahead *walked)
{
	chain_tree_release(&walked->tree);
	had_cpu_release(&walked->sums.had_cpu);
	free(walked);
}

void walks_ahead_release(struct walks_ahead *ahead)
{
	while (ahead->count > 0)
		walked_free(ahead->walked[--ahead->count]);
}

static const struct chain_tree *take_walked(void *state, uint32_t track, nsec_t lo, nsec_t t,
                                            nsec_t *ret_begin)
{
	struct walk_on *on = state;

	for (size_t i = 0; i < on->ahead->count; i++) {
		const struct walked_ahead *walked = on->ahead->walked[i];

		if (walked->track != track || walked->end != t || walked->begin < lo ||
		    walked->begin == t)
			continue;
		path_sums_add(on->sums, &walked->sums);
		*ret_begin = walked->begin;
		return &walked->tree;
	}
	return NULL;
}

void walk_on_begin(struct walk_on *on, const struct walks_ahead *ahead, struct chain_tree *tree,
                   struct path_sums *sums)
{
	on->ahead = ahead;
	on->sums = sums;
	competitors_init(&on->competitors, ahead->timeline, ahead->interrupts, &sums->had_cpu);
	spare_cpus_begin(ahead->spare);
	tree->on_part = walk_on_part;
	tree->on_cpu_parts = walk_on_cpu_parts;
	tree->take_walked = ahead->count ? take_walked : NULL;
	tree->on_part_state = on;
}

void walk_on_end(struct walk_on *on)
{
	spare_cpus_end(on->ahead->spare);
	competitors_finish(&on->competitors);
}

/* Whether the track has been in one wait since t, which has not ended, or in a row of waits for its
   children (last_child.h). */
static bool track_waits_since(const struct track *track, nsec_t t)
{
	const struct segment *last =
		track->is_shown_open ? &track->segment[track->segment_count - 1] : NULL;

	return (last && last->kind == SEGMENT_WAIT && last->begin <= t) ||
	       track_row_left(track) <= t;
}

/* Whether the waiter may wait for the track since then: only for a living child that was born
   before, or in a pipeline for another child of the task that waits for both. */
static bool track_is_awaited(const struct walks_ahead *ahead, uint32_t index, uint32_t waiter,
                             nsec_t since)
{
	const struct track *track = &ahead->timeline->track[index];
	uint32_t parent = track->parent;

	return parent != TRACK_NONE && index != waiter &&
	       (parent == waiter || (waiter != ahead->path &&
	                             ahead->timeline->track[waiter].parent == parent)) &&
	       track->is_shown_open && track->born <= since;
}

/* For another waiter the sums may end at another instant. */
static bool walks_ahead_has(const struct walks_ahead *ahead, uint32_t track, uint32_t waiter,
                            nsec_t begin)
{
	for (size_t i = 0; i < ahead->count; i++)
		if (ahead->walked[i]->track == track && ahead->walked[i]->waiter == waiter &&
		    ahead->walked[i]->begin == begin)
			return true;
	return false;
}

/* Begins to walk ahead the children that the waiter, which was walked until t, may wait for since
   t. */
static void walks_ahead_add_children(struct walks_ahead *ahead, uint32_t waiter, nsec_t t)
{
	struct timeline *timeline = ahead->timeline;
	size_t awaited = 0;

	if (!track_waits_since(&timeline->track[waiter], t))
		return;
	for (uint32_t track = 0; track < timeline->track_count; track++)
		awaited += track_is_awaited(ahead, track, waiter, t);
	if (awaited > CHILDREN_AHEAD_MAX)
		return;
	for (uint32_t track = 0; track < timeline->track_count; track++) {
		struct walked_ahead *walked;

		if (!track_is_awaited(ahead, track, waiter, t) ||
		    walks_ahead_has(ahead, track, waiter, t))
			continue;
		if (ahead->count == WALKS_AHEAD_MAX)
			return;
		walked = xmalloc(sizeof(*walked));
		*walked = (struct walked_ahead){
			.waiter = waiter,
			.track = track,
			.begin = t,
			.end = t,
		};
		chain_tree_init(&walked->tree, timeline, ahead->nodes_max);
		ahead->walked[ahead->count++] = walked;
	}
}

/* Keeps the walks of the children that the waiter waits for since t, and continues them up to where
   the children's history is known by now. A child that has ended is kept, too: the wait may have
   been for it. */
static void walks_ahead_keep(struct walks_ahead *ahead, uint32_t waiter, nsec_t t)
{
	const struct timeline *timeline = ahead->timeline;

	walks_ahead_add_children(ahead, waiter, t);
	for (size_t i = 0; i < ahead->count; i++) {
		struct walked_ahead *walked = ahead->walked[i];
		nsec_t end = nsec_min(track_end_of_path(timeline, walked->track),
		                      timeline->track[walked->track].end);
		struct walk_on on;

		if (walked->is_kept || walked->waiter != waiter || walked->begin != t)
			continue;
		walked->is_kept = true;
		if (end <= walked->end)
			continue;
		walk_on_begin(&on, ahead, &walked->tree, &walked->sums);
		chain_tree_add(&walked->tree, walked->track, walked->end, end);
		walk_on_end(&on);
		chain_tree_settle(&walked->tree);
		walked->end = end;
	}
}

void walks_ahead_go_on(struct walks_ahead *ahead, uint32_t track, nsec_t t)
{
	size_t kept = 0;

	for (size_t i = 0; i < ahead->count; i++)
		ahead->walked[i]->is_kept = false;
	ahead->path = track;
	walks_ahead_keep(ahead, track, t);
	for (size_t i = 0; i < ahead->count; i++)
		if (ahead->walked[i]->is_kept)
			walks_ahead_keep(ahead, ahead->walked[i]->track, ahead->walked[i]->end);
	for (size_t i = 0; i < ahead->count; i++)
		if (ahead->walked[i]->is_kept)
			ahead->walked[kept++] = ahead->walked[i];
		else
			walked_free(ahead->walked[i]);
	ahead->count = kept;
}
