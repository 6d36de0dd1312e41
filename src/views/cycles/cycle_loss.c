/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cycle_loss.h"

#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "graph/brief_aim.h"
#include "graph/walk/competitors.h"
#include "words/cause/cause_words.h"
#include "words/cause/unknown_words.h"

#define LOSSES_SHOWN 4

static bool loss_is_same(const struct cycle_loss *a, const struct cycle_loss *b)
{
	if (a->kind != b->kind || a->task != b->task)
		return false;
	if (!a->cause || !b->cause)
		return a->cause == b->cause;
	return a->cause->kind == b->cause->kind && a->cause->waker == b->cause->waker &&
	       cause_note_is_alike(a->cause, b->cause);
}

static void losses_add(struct cycle_losses *losses, const struct cycle_loss *added)
{
	if (added->total == 0)
		return;
	for (size_t i = 0; i < losses->count; i++) {
		if (!loss_is_same(&losses->loss[i], added))
			continue;
		losses->loss[i].total += added->total;
		losses->loss[i].until = added->until;
		return;
	}
	ARRAY_GROW_FROM(losses->loss, losses->count, losses->capacity, 4);
	losses->loss[losses->count++] = *added;
}

static void losses_put(struct cycle_losses *losses, enum loss_kind kind, nsec_t total)
{
	losses_add(losses, &(struct cycle_loss){.kind = kind, .task = TRACK_NONE, .total = total});
}

static void losses_add_wait(struct cycle_losses *losses, const struct timeline *timeline,
                            const struct segment *segment, nsec_t begin, nsec_t end)
{
	losses_add(losses, &(struct cycle_loss){
				   .kind = LOSS_WAIT,
				   .task = TRACK_NONE,
				   .cause = segment->cause == CAUSE_NONE
		                                    ? NULL
		                                    : timeline_cause_at(timeline, segment->cause),
				   .until = end,
				   .total = end - begin,
			   });
}

/* Adds what had the CPUs in the stretches that were added. */
static void losses_add_competitors(struct cycle_losses *losses, struct competitors *competitors)
{
	competitors_finish(competitors);
	for (uint32_t track = 0; track < competitors->timeline->track_count; track++)
		losses_add(losses, &(struct cycle_loss){
					   .kind = LOSS_TASK,
					   .task = track,
					   .total = competitors->by_track[track],
				   });
	losses_put(losses, LOSS_IRQ, competitors->interrupted);
	losses_put(losses, LOSS_IDLE, competitors->idle);
}

/* Adds the part [begin, end) of a segment. */
static void losses_add_segment(struct cycle_losses *losses, struct competitors *competitors,
                               const struct segment *segment, nsec_t begin, nsec_t end)
{
	switch ((enum segment_kind)segment->kind) {
	case SEGMENT_RUN:
		losses->running += end - begin;
		break;
	case SEGMENT_RUNNABLE:
		if (segment->cause != CAUSE_NONE)
			losses_put(losses, LOSS_THROTTLED, end - begin);
		else
			competitors_add(competitors, segment->cpu, begin, end, PRIORITY_UNKNOWN);
		break;
	case SEGMENT_WAIT:
		losses_add_wait(losses, competitors->timeline, segment, begin, end);
		break;
	case SEGMENT_STOPPED:
		losses_put(losses, LOSS_STOPPED, end - begin);
		break;
	case SEGMENT_UNKNOWN:
	case SEGMENT_DEAD:
	case SEGMENT_NEW:
		losses_put(losses, LOSS_UNKNOWN, end - begin);
		break;
	}
}

static int cycle_loss_compare(const void *a, const void *b)
{
	const struct cycle_loss *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->until < y->until ? -1 : x->until > y->until;
}

void cycle_losses_find(struct cycle_losses *losses, struct timeline *timeline,
                       const struct interrupt_log *interrupts, uint32_t index,
                       const struct cycle *cycle)
{
	struct track *track = &timeline->track[index];
	struct competitors competitors;
	size_t at = timeline_find(track, cycle->finish);

	*losses = (struct cycle_losses){0};
	competitors_init(&competitors, timeline, interrupts);
	/* latest first, as the competitors want it */
	for (at = at == SIZE_MAX ? 0 : at + 1; at-- > 0;) {
		nsec_t begin = nsec_max(track->segment[at].begin, cycle->woken);
		nsec_t end = nsec_min(timeline_segment_end(track, at), cycle->finish);

		if (begin < end)
			losses_add_segment(losses, &competitors, &track->segment[at], begin, end);
		if (track->segment[at].begin <= cycle->woken)
			break;
	}
	losses_add_competitors(losses, &competitors);
	losses_put(losses, LOSS_CYCLE, cycle->since - cycle->begin);
	losses_put(losses, LOSS_TIMER, cycle->woken - cycle->since);
	competitors_release(&competitors);
	array_sort(losses->loss, losses->count, sizeof(*losses->loss), cycle_loss_compare);
}

void cycle_losses_release(struct cycle_losses *losses)
{
	free(losses->loss);
	*losses = (struct cycle_losses){0};
}

static void loss_append(struct buffer *to, const struct cycle_loss *loss,
                        const struct timeline *timeline)
{
	static const char *const words[] = {
		[LOSS_TASK] = "the run queue behind ", [LOSS_IRQ] = "interrupts",
		[LOSS_IDLE] = "an idle CPU",           [LOSS_THROTTLED] = "a limit on CPU time",
		[LOSS_WAIT] = "",                      [LOSS_STOPPED] = "a stop",
		[LOSS_TIMER] = "the timer",            [LOSS_CYCLE] = "the cycle before",
		[LOSS_UNKNOWN] = WORDS_NOT_RECORDED,
	};
	struct cause cause;

	buffer_puts(to, words[loss->kind]);
	if (loss->kind == LOSS_TASK)
		prose_task_append(to, timeline, loss->task);
	if (loss->kind == LOSS_WAIT && !loss->cause)
		buffer_puts(to, "a wait, " WORDS_NOT_RECORDED);
	if (loss->kind == LOSS_WAIT && loss->cause) {
		cause = timeline_cause(timeline, loss->cause, loss->until);
		cause_text_append(to, &cause);
	}
	buffer_printf(to, " %s", DURATION_TEXT(loss->total));
}

void cycle_losses_append(struct buffer *to, const struct cycle_losses *losses,
                         const struct timeline *timeline)
{
	for (size_t i = 0; i < losses->count && i < LOSSES_SHOWN; i++) {
		buffer_puts(to, i ? ", " : "");
		loss_append(to, &losses->loss[i], timeline);
	}
	if (losses->count > LOSSES_SHOWN)
		buffer_printf(to, ", %zu more", losses->count - LOSSES_SHOWN);
}

struct cell_rows cycle_losses_rows(const struct cycle_losses *losses,
                                   const struct timeline *timeline, struct cause **ret_causes)
{
	static const struct column columns[] = {
		{"kind", "KIND", CELL_TEXT, 0},
		{"task", "TASK", CELL_TASK, 0},
		{"cause", "CAUSE", CELL_CAUSE, 0},
		{"aim", NULL, CELL_BRIEF_AIM, COLUMN_DETAIL},
		{"total_ns", "TOTAL", CELL_DURATION, 0},
	};
	static const char *const kinds[] = {
		[LOSS_TASK] = "task",       [LOSS_IRQ] = "irq",         [LOSS_IDLE] = "idle",
		[LOSS_THROTTLED] = "throttled", [LOSS_WAIT] = "wait",   [LOSS_STOPPED] = "stopped",
		[LOSS_TIMER] = "timer",     [LOSS_CYCLE] = "cycle",     [LOSS_UNKNOWN] = "unknown",
	};
	struct cell *cells = xcalloc(losses->count + 1, ARRAY_SIZE(columns) * sizeof(*cells));
	struct cause *causes = xcalloc(losses->count + 1, sizeof(*causes));

	for (size_t i = 0; i < losses->count; i++) {
		const struct cycle_loss *loss = &losses->loss[i];
		struct cell *row = cells + i * ARRAY_SIZE(columns);

		row[0] = (struct cell){.type = CELL_TEXT, .text = kinds[loss->kind]};
		row[1] = cell_of_task(timeline, loss->task);
		if (loss->cause) {
			causes[i] = timeline_cause(timeline, loss->cause, loss->until);
			row[2] = (struct cell){.type = CELL_CAUSE, .cause = &causes[i]};
		}
		row[3] = cell_of_brief_aim(brief_aim_of_cause(timeline, TRACK_NONE, loss->cause));
		row[4] = (struct cell){.type = CELL_DURATION, .time = loss->total};
	}
	*ret_causes = causes;
	return (struct cell_rows){columns, ARRAY_SIZE(columns), cells, losses->count};
}
