/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flow_numbers.h"

#include <stdlib.h>

#include "base/array.h"
#include "graph/shared_cause.h"

void flow_numbers_init(struct flow_numbers *numbers, const struct timeline *timeline,
                       const uint32_t *task, const struct flow_hooks *hooks, void *to)
{
	*numbers = (struct flow_numbers){
		.timeline = timeline, .task = task, .hooks = hooks, .to = to,
	};
	map_init(&numbers->by_cause);
	map_init(&numbers->by_stacks);
}

void flow_numbers_release(struct flow_numbers *numbers)
{
	map_release(&numbers->by_cause);
	map_release(&numbers->by_stacks);
	free(numbers->cause); /* NOLINT */
	free(numbers->place);
}

uint32_t flow_number_task(const struct flow_numbers *numbers, uint32_t line)
{
	return line == LINE_NONE ? FLOW_NONE : numbers->task[line];
}

static bool notes_are_one(const struct cause_note *a, const struct cause_note *b)
{
	return a->waker == b->waker && a->originator == b->originator &&
	       a->confidence == b->confidence && cause_notes_are_shared(a, b);
}

static void cause_emit(const struct flow_numbers *numbers, const struct cause_note *note)
{
	const struct shared_cause shared = shared_cause_of(note);
	const struct cause cause = shared_cause_result(numbers->timeline, &shared);

	numbers->hooks->cause(numbers->to, &(struct flow_cause){
						   &cause,
						   flow_number_task(numbers, note->waker),
						   flow_number_task(numbers, note->originator),
					   });
}

uint32_t flow_number_cause(struct flow_numbers *numbers, const struct cause_note *note)
{
	uint64_t hash;
	uint32_t at;

	if (!note)
		return FLOW_NONE;
	hash = hash_mix(hash_mix(note->waker, note->originator), note->confidence);
	hash = shared_cause_hash(note, hash);
	MAP_HASH_EACH(&numbers->by_cause, hash, at)
		if (notes_are_one(numbers->cause[at], note))
			return at;
	/* NOLINTNEXTLINE: pointers are meant */
	ARRAY_GROW(numbers->cause, numbers->cause_count, numbers->cause_capacity);
	at = (uint32_t)numbers->cause_count++;
	numbers->cause[at] = note;
	map_put(&numbers->by_cause, hash, at);
	cause_emit(numbers, note);
	return at;
}

static const char *stack_text(const struct flow_numbers *numbers, uint32_t id)
{
	return id ? intern_text(&numbers->timeline->names, id) : NULL;
}

uint32_t flow_number_place(struct flow_numbers *numbers, const struct sleep_place *place)
{
	struct wait_stacks stacks = place_stacks(place);
	uint64_t hash = hash_mix(hash_mix(stacks.frames, stacks.user), stacks.waker);
	uint32_t at;

	if (stacks.frames == 0 && stacks.user == 0 && stacks.waker == 0)
		return FLOW_NONE;
	MAP_HASH_EACH(&numbers->by_stacks, hash, at)
		if (stacks_are_same(&numbers->place[at], &stacks))
			return at;
	ARRAY_GROW(numbers->place, numbers->place_count, numbers->place_capacity);
	at = (uint32_t)numbers->place_count++;
	numbers->place[at] = stacks;
	map_put(&numbers->by_stacks, hash, at);
	numbers->hooks->place(numbers->to, &(struct flow_place){
						   stack_text(numbers, stacks.frames),
						   stack_text(numbers, stacks.user),
						   stack_text(numbers, stacks.waker),
					   });
	return at;
}
