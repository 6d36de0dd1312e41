/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loss_list.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "base/data/array.h"
#include "base/data/map.h"
#include "base/data/order.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"

#define PAIRS_MAX   (1u << 18)
#define SLOTS_FIRST 64u
#define SLOTS_LINE  16u

void loss_list_init(struct loss_list *list)
{
	*list = (struct loss_list){
		.slot = xcalloc(SLOTS_FIRST, sizeof(*list->slot)),
		.mask = SLOTS_FIRST - 1,
	};
}

void loss_list_release(struct loss_list *list)
{
	free(list->loss);
	free(list->slot);
	*list = (struct loss_list){0};
}

/* Where to look for the pair first: users with neighbouring numbers are in one cache line. */
static uint32_t slot_first(uint32_t track, uint32_t user)
{
	return (uint32_t)hash_mix(hash_mix(0, track), user / SLOTS_LINE) * SLOTS_LINE +
	       user % SLOTS_LINE;
}

/* The slot of the pair, or the free slot where it belongs. */
static uint32_t *list_slot(const struct loss_list *list, uint32_t track, uint32_t user)
{
	uint32_t at = slot_first(track, user) & list->mask;

	for (; list->slot[at]; at = (at + 1) & list->mask) {
		const struct queue_loss *loss = &list->loss[list->slot[at] - 1];

		if (loss->track == track && loss->user == user)
			break;
	}
	return &list->slot[at];
}

/* Gives the loss at that index a slot; its pair has none yet. */
static void list_put_slot(struct loss_list *list, size_t index)
{
	const struct queue_loss *loss = &list->loss[index];
	uint32_t at = slot_first(loss->track, loss->user) & list->mask;

	while (list->slot[at])
		at = (at + 1) & list->mask;
	list->slot[at] = (uint32_t)index + 1;
}

/* Doubles the number of slots. */
static void list_grow(struct loss_list *list)
{
	free(list->slot);
	list->mask = list->mask * 2 + 1;
	list->slot = xcalloc((size_t)list->mask + 1, sizeof(*list->slot));
	for (size_t i = 0; i < list->count; i++)
		list_put_slot(list, i);
}

static void loss_list_put(struct loss_list *list, const struct queue_loss *loss)
{
	uint32_t *slot = list_slot(list, loss->track, loss->user);

	if (*slot == 0) {
		ARRAY_GROW(list->loss, list->count, list->capacity);
		list->loss[list->count++] = (struct queue_loss){loss->track, loss->user, 0};
		list->pairs += loss->user < CPU_USER_IRQ;
		*slot = (uint32_t)list->count;
	}
	list->last = *slot - 1;
	list->loss[list->last].total += loss->total;
	if (list->count > list->mask / 2)
		list_grow(list);
}

static unsigned total_bits(nsec_t total)
{
	return total ? 64 - (unsigned)__builtin_clzll(total) : 0;
}

/* The least exponent such that at least a quarter of the pairs of tasks have a total of less than
   2^exponent ns. */
static unsigned list_small_bits(const struct loss_list *list)
{
	size_t count[65] = {0}, small = 0;
	unsigned bits = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (list->loss[i].user < CPU_USER_IRQ)
			count[total_bits(list->loss[i].total)]++;
	}
	while (small < list->pairs / 4)
		small += count[bits++];
	return bits;
}

/* Call if there are too many pairs: merges the small pairs of each task into one with an unknown
   user. */
static void list_make_room(struct loss_list *list)
{
	unsigned bits = list_small_bits(list);
	size_t count = list->count;

	list->count = list->pairs = list->last = 0;
	memset(list->slot, 0, ((size_t)list->mask + 1) * sizeof(*list->slot));
	for (size_t i = 0; i < count; i++) {
		struct queue_loss loss = list->loss[i]; /* its place may be reused */

		if (loss.user < CPU_USER_IRQ && total_bits(loss.total) < bits) {
			list->unnamed += loss.total;
			loss.user = CPU_USER_UNKNOWN;
		}
		if (loss.user == CPU_USER_UNKNOWN) {
			loss_list_put(list, &loss);
			continue;
		}
		/* nearly all: no other one is of this pair */
		list->loss[list->count] = loss;
		list->pairs += loss.user < CPU_USER_IRQ;
		list_put_slot(list, list->count++);
	}
}

void loss_list_find_add(struct loss_list *list, uint32_t track, uint32_t user, nsec_t took)
{
	if (list->pairs >= PAIRS_MAX)
		list_make_room(list);
	loss_list_put(list, &(struct queue_loss){track, user, took});
}

int loss_compare(const void *a, const void *b)
{
	const struct queue_loss *x = a, *y = b;

	return ORDER_BY(RISING(x, y, track), FALLING(x, y, total), RISING(x, y, user));
}

void loss_list_sort(struct loss_list *list)
{
	free(list->slot);
	list->slot = NULL;
	array_sort(list->loss, list->count, sizeof(*list->loss), loss_compare);
}

const struct queue_loss *loss_list_find(const struct loss_list *list, uint32_t track,
                                        size_t *ret_count)
{
	size_t first = array_lower_bound(list->loss, list->count, sizeof(*list->loss), track);

	*ret_count = 0;
	while (first + *ret_count < list->count && list->loss[first + *ret_count].track == track)
		++*ret_count;
	return list->count ? list->loss + first : NULL;
}

static const struct column loss_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"kind", "KIND", CELL_TEXT, 0},
	{"total_ns", "TOTAL", CELL_DURATION, 0},
};

/* One row of a cell. */
static void loss_put(struct cell *cell, const struct timeline *timeline, uint32_t user,
                     nsec_t total)
{
	cell[0].type = CELL_EMPTY;
	cell[1] = (struct cell){.type = CELL_TEXT, .text = "task"};
	cell[2] = (struct cell){.type = CELL_DURATION, .time = total};
	if (user == CPU_USER_IRQ)
		cell[1].text = "irq";
	else if (user == CPU_USER_IDLE)
		cell[1].text = "idle";
	else if (user != CPU_USER_UNKNOWN)
		cell[0] = cell_of_task(timeline, user);
}

#define LOSS_COLUMNS ARRAY_SIZE(loss_columns)

struct cell_rows losses_rows(const struct losses *losses, const struct timeline *timeline)
{
	struct cell *cell = xcalloc((losses->count + 1) * LOSS_COLUMNS, sizeof(*cell));
	nsec_t throttled = losses->throttled;
	size_t count = 0;

	for (size_t i = 0; i <= losses->count; i++) {
		const struct queue_loss *loss = i < losses->count ? &losses->loss[i] : NULL;

		if (throttled && (!loss || loss->total < throttled)) {
			loss_put(&cell[count * LOSS_COLUMNS], timeline, CPU_USER_UNKNOWN,
			         throttled);
			cell[count++ * LOSS_COLUMNS + 1].text = "throttled";
			throttled = 0;
		}
		if (loss)
			loss_put(&cell[count++ * LOSS_COLUMNS], timeline, loss->user, loss->total);
	}
	return (struct cell_rows){loss_columns, LOSS_COLUMNS, cell, count};
}

const char *cpu_user_words(uint32_t user)
{
	return user == CPU_USER_IRQ       ? "interrupts"
	       : user == CPU_USER_IDLE    ? "idle"
	       : user == CPU_USER_UNKNOWN ? "others"
	                                  : NULL;
}

void losses_append(struct buffer *to, const struct losses *losses, nsec_t all,
                   const struct timeline *timeline)
{
	nsec_t throttled = losses->throttled;
	size_t shown = 0;

	for (size_t i = 0; i <= losses->count && shown < SHOWN_LOSSES; i++) {
		const struct queue_loss *loss = i < losses->count ? &losses->loss[i] : NULL;

		if (throttled && (!loss || loss->total < throttled)) {
			say(to, NULL, "{,}throttled {ratio}", RATIO(nsec_ratio(throttled, all)));
			throttled = 0;
			shown++;
		}
		if (loss && shown++ < SHOWN_LOSSES)
			say(to, timeline, "{,}[{text}|{task}] {ratio}",
			    TEXT(cpu_user_words(loss->user)), TASK(loss->user),
			    RATIO(nsec_ratio(loss->total, all)));
	}
}
