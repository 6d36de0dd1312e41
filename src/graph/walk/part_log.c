/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "part_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"

/* First byte of a part in full: | is_open | has_cause | confidence, 2 bits | state, 3 bits |. */
#define PART_IN_FULL     0x80u
#define OPEN_BIT         0x40u
#define CAUSE_BIT        0x20u
#define CONFIDENCE_SHIFT 3
#define STATE_MASK       0x07u

void part_log_init(struct part_log *log, const struct timeline *timeline)
{
	*log = (struct part_log){.timeline = timeline};
}

void part_log_release(struct part_log *log)
{
	free(log->byte);
	free(log->block);
	*log = (struct part_log){0};
}

/* Not by the cause's address: the number of bytes would differ from run to run. */
static struct part *memory_place(struct part_memory *memory, const struct part *part)
{
	uint64_t hash = (uint64_t)part->track << 32 | part->depth;

	hash = hash_mix(hash, (uint64_t)part->cpu << 8 | part->state);
	if (part->cause)
		hash = hash_mix(hash, (uint64_t)part->cause->name << 8 | part->cause->kind);
	return &memory->like[hash % PART_PLACES];
}

/* Whether they differ in nothing but their intervals. */
static bool part_is_alike(const struct part *a, const struct part *b)
{
	return a->end && a->track == b->track && a->depth == b->depth && a->cause == b->cause &&
	       a->cpu == b->cpu && a->state == b->state && a->confidence == b->confidence &&
	       a->is_open == b->is_open && a->is_inferred == b->is_inferred;
}

static uint8_t *number_put(uint8_t *to, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*to++ = (uint8_t)(number | 0x80);
	*to++ = (uint8_t)number;
	return to;
}

static const uint8_t *number_get(const uint8_t *from, uint64_t *ret_number)
{
	uint64_t number = 0;
	unsigned shift = 0;

	do {
		ASSUME(shift < 64);
		number |= (uint64_t)(*from & 0x7f) << shift;
		shift += 7;
	} while (*from++ & 0x80);
	*ret_number = number;
	return from;
}

/* A note of the timeline's own as a number, which differs little for notes that were added one
   after the other. */
static uint64_t cause_number(const struct timeline *timeline, const struct cause_note *note)
{
	size_t side = timeline->side_count;

	if (timeline->cause_count && note >= timeline->cause &&
	    note < timeline->cause + timeline->cause_count)
		return (uint64_t)(note - timeline->cause) << 1;
	while (side > 0 && timeline->side[side - 1] != note)
		side--;
	assert(side > 0);
	return (uint64_t)(side - 1) << 1 | 1;
}

static uint8_t *part_put(struct part_log *log, uint8_t *to, const struct part *part)
{
	uint64_t difference;

	to = number_put(to, part->track);
	to = number_put(to, part->depth);
	to = number_put(to, (uint64_t)part->cpu << 1 | part->is_inferred);
	if (!part->cause)
		return to;
	difference = cause_number(log->timeline, part->cause) - log->memory.cause;
	log->memory.cause += difference;
	/* small differences of either sign as small numbers */
	return number_put(to, difference << 1 ^ (0 - (difference >> 63)));
}

void part_log_add(struct part_log *log, const struct part *part)
{
	struct part *like = memory_place(&log->memory, part);
	uint8_t *to;

	assert(part->begin <= part->end && (log->part_count == 0 || part->end == log->begin));
	if (log->byte_capacity - log->byte_count < PART_BYTES_MAX) {
		log->byte_capacity = log->byte_capacity ? log->byte_capacity * 2 : 4096;
		log->byte = xreallocarray(log->byte, log->byte_capacity, 1);
	}
	to = log->byte + log->byte_count;
	if (log->part_count++ % PART_BLOCK == 0) {
		ARRAY_GROW(log->block, log->block_count, log->block_capacity);
		log->block[log->block_count++] = (struct part_block){log->byte_count, part->end};
		memset(&log->memory, 0, sizeof(log->memory));
	}
	log->begin = part->begin;
	if (part_is_alike(like, part)) {
		*to++ = (uint8_t)(like - log->memory.like);
		to = number_put(to, part->end - part->begin);
	} else {
		*to++ = (uint8_t)(PART_IN_FULL | (part->is_open ? OPEN_BIT : 0) |
		                  (part->cause ? CAUSE_BIT : 0) |
		                  (unsigned)part->confidence << CONFIDENCE_SHIFT | part->state);
		to = number_put(to, part->end - part->begin);
		to = part_put(log, to, part);
		*like = *part;
	}
	log->byte_count = (size_t)(to - log->byte);
	ASSUME(log->byte_count <= log->byte_capacity);
}

static const uint8_t *part_get(const struct part_log *log, const uint8_t *from, uint8_t first,
                               struct part_memory *memory, struct part *ret)
{
	uint64_t track, depth, cpu, difference;

	from = number_get(from, &track);
	from = number_get(from, &depth);
	from = number_get(from, &cpu);
	*ret = (struct part){
		.track = (uint32_t)track,
		.depth = (uint32_t)depth,
		.cpu = (uint16_t)(cpu >> 1),
		.is_inferred = cpu & 1,
		.state = (enum part_state)(first & STATE_MASK),
		.confidence = (enum confidence)((first & (CAUSE_BIT - 1)) >> CONFIDENCE_SHIFT),
		.is_open = (first & OPEN_BIT) != 0,
	};
	if (first & CAUSE_BIT) {
		from = number_get(from, &difference);
		memory->cause += difference >> 1 ^ (0 - (difference & 1));
		ASSUME(memory->cause >> 1 < (memory->cause & 1 ? log->timeline->side_count
		                                               : log->timeline->cause_count));
		ret->cause = memory->cause & 1 ? log->timeline->side[memory->cause >> 1]
		                               : &log->timeline->cause[memory->cause >> 1];
	}
	*memory_place(memory, ret) = *ret;
	return from;
}

static void block_decode(const struct part_log *log, size_t index, struct part *parts, size_t count)
{
	struct part_memory memory;
	const uint8_t *from = log->byte + log->block[index].at;
	nsec_t end = log->block[index].end;

	assert(count <= PART_BLOCK && log->block[index].at < log->byte_count);
	memset(&memory, 0, sizeof(memory));
	for (size_t i = 0; i < count; i++) {
		uint8_t first = *from++;
		uint64_t length;

		from = number_get(from, &length);
		if (first & PART_IN_FULL)
			from = part_get(log, from, first, &memory, &parts[i]);
		else
			parts[i] = memory.like[first];
		ASSUME(length <= end);
		parts[i].end = end;
		end -= length;
		parts[i].begin = end;
	}
}

void part_log_visit(const struct part_log *log,
                    void (*on_part)(void *state, const struct part *part), void *state)
{
	_cleanup_(freep) struct part *parts = xreallocarray(NULL, PART_BLOCK, sizeof(*parts));
	size_t count = (log->part_count + PART_BLOCK - 1) % PART_BLOCK + 1; /* in the last block */

	for (size_t index = log->block_count; index-- > 0; count = PART_BLOCK) {
		block_decode(log, index, parts, count);
		for (size_t i = count; i-- > 0;)
			on_part(state, &parts[i]);
	}
}

void longest_parts_init(struct longest_parts *longest, size_t count_max)
{
	assert(count_max > 0);
	*longest = (struct longest_parts){.count_max = count_max};
}

void longest_parts_release(struct longest_parts *longest)
{
	free(longest->part);
	*longest = (struct longest_parts){0};
}

static int part_compare_length(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	nsec_t one = x->end - x->begin, two = y->end - y->begin;

	return ORDER_BY((one < two) - (one > two), RISING(x, y, begin));
}

ORDER_FUNCTION(part_compare_begin, struct part, RISING(x, y, begin))

static void longest_parts_cut(struct longest_parts *longest)
{
	const struct part *last;

	if (longest->count <= longest->count_max)
		return;
	qsort(longest->part, longest->count, sizeof(*longest->part), part_compare_length);
	longest->count = longest->count_max;
	last = &longest->part[longest->count - 1];
	assert(last->end - last->begin >= longest->length_min); /* it only grows */
	longest->length_min = last->end - last->begin;
}

void longest_parts_add(struct longest_parts *longest, const struct part *part)
{
	ASSUME(part->begin <= part->end);
	if (part->end - part->begin < longest->length_min)
		return;
	if (longest->count / 2 >= longest->count_max)
		longest_parts_cut(longest);
	ARRAY_ADD(longest->part, longest->count, longest->capacity) = *part;
}

void longest_parts_sort(struct longest_parts *longest)
{
	longest_parts_cut(longest);
	array_sort(longest->part, longest->count, sizeof(*longest->part), part_compare_begin);
}
