/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/walk/part_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/cleanup.h"

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
static struct part_shape *memory_place(struct part_memory *memory, const struct part_shape *shape)
{
	uint64_t hash = (uint64_t)shape->track << 32 | shape->depth;

	hash = hash_mix(hash, (uint64_t)shape->cpu << 8 | shape->state);
	if (shape->cause)
		hash = hash_mix(hash, (uint64_t)shape->cause->name << 8 | shape->cause->kind);
	return &memory->shape[hash_mix(hash, 0) % PART_PLACES];
}

static bool shape_is_same(const struct part_shape *a, const struct part_shape *b)
{
	return a->is_taken && b->is_taken && a->track == b->track && a->depth == b->depth &&
	       a->cause == b->cause && a->cpu == b->cpu && a->state == b->state &&
	       a->confidence == b->confidence && a->is_open == b->is_open &&
	       a->is_inferred == b->is_inferred;
}

static void memory_clear(struct part_memory *memory)
{
	memset(memory, 0, sizeof(*memory));
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
		number |= (uint64_t)(*from & 0x7f) << shift;
		shift += 7;
	} while (*from++ & 0x80);
	*ret_number = number;
	return from;
}

/* Maps small differences of either sign to small numbers. */
static uint64_t difference_fold(uint64_t difference)
{
	return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t difference_unfold(uint64_t folded)
{
	return folded >> 1 ^ (0 - (folded & 1));
}

static uint8_t *shape_put(struct part_log *log, uint8_t *to, const struct part_shape *shape)
{
	uint64_t number;

	to = number_put(to, shape->track);
	to = number_put(to, shape->depth);
	to = number_put(to, (uint64_t)shape->cpu << 1 | shape->is_inferred);
	if (!shape->cause)
		return to;
	number = timeline_cause_number(log->timeline, shape->cause);
	to = number_put(to, difference_fold(number - log->memory.cause));
	log->memory.cause = number;
	return to;
}

static uint8_t *log_reserve(struct part_log *log)
{
	if (log->byte_capacity - log->byte_count < PART_BYTES_MAX) {
		log->byte_capacity = log->byte_capacity ? log->byte_capacity * 2 : 4096;
		log->byte = xreallocarray(log->byte, log->byte_capacity, 1);
	}
	return log->byte + log->byte_count;
}

static void log_begin_block(struct part_log *log, nsec_t end)
{
	ARRAY_GROW(log->block, log->block_count, log->block_capacity);
	log->block[log->block_count++] = (struct part_block){log->byte_count, end};
	memory_clear(&log->memory);
}

void part_log_add(struct part_log *log, const struct part *part)
{
	struct part_shape shape = {
		.cause = part->cause,
		.track = part->track,
		.depth = part->depth,
		.cpu = part->cpu,
		.state = (uint8_t)part->state,
		.confidence = (uint8_t)part->confidence,
		.is_open = part->is_open,
		.is_inferred = part->is_inferred,
		.is_taken = true,
	};
	struct part_shape *place = memory_place(&log->memory, &shape);
	uint8_t *to = log_reserve(log);

	assert(part->begin <= part->end && (log->part_count == 0 || part->end == log->begin));
	if (log->part_count++ % PART_BLOCK == 0)
		log_begin_block(log, part->end);
	log->begin = part->begin;
	if (shape_is_same(place, &shape)) {
		*to++ = (uint8_t)(place - log->memory.shape);
		to = number_put(to, part->end - part->begin);
	} else {
		*to++ = (uint8_t)(PART_IN_FULL | (shape.is_open ? OPEN_BIT : 0) |
		                  (shape.cause ? CAUSE_BIT : 0) |
		                  (unsigned)shape.confidence << CONFIDENCE_SHIFT | shape.state);
		to = number_put(to, part->end - part->begin);
		to = shape_put(log, to, &shape);
		*place = shape;
	}
	log->byte_count = (size_t)(to - log->byte);
}

static const uint8_t *shape_get(const struct part_log *log, const uint8_t *from, uint8_t first,
                                struct part_memory *memory, struct part_shape *ret_shape)
{
	uint64_t track, depth, cpu, difference;

	from = number_get(from, &track);
	from = number_get(from, &depth);
	from = number_get(from, &cpu);
	*ret_shape = (struct part_shape){
		.track = (uint32_t)track,
		.depth = (uint32_t)depth,
		.cpu = (uint16_t)(cpu >> 1),
		.is_inferred = cpu & 1,
		.state = (uint8_t)(first & STATE_MASK),
		.confidence = (uint8_t)((first & (CAUSE_BIT - 1)) >> CONFIDENCE_SHIFT),
		.is_open = (first & OPEN_BIT) != 0,
		.is_taken = true,
	};
	if (first & CAUSE_BIT) {
		from = number_get(from, &difference);
		memory->cause += difference_unfold(difference);
		ret_shape->cause = timeline_cause_of_number(log->timeline, memory->cause);
	}
	*memory_place(memory, ret_shape) = *ret_shape;
	return from;
}

static void block_decode(const struct part_log *log, size_t index, struct part *parts, size_t count)
{
	struct part_memory memory;
	const uint8_t *from = log->byte + log->block[index].at;
	nsec_t end = log->block[index].end;

	memory_clear(&memory);
	for (size_t i = 0; i < count; i++) {
		struct part_shape shape;
		uint8_t first = *from++;
		uint64_t length;

		from = number_get(from, &length);
		if (first & PART_IN_FULL)
			from = shape_get(log, from, first, &memory, &shape);
		else
			shape = memory.shape[first];
		parts[i] = (struct part){
			.begin = end - length,
			.end = end,
			.track = shape.track,
			.depth = shape.depth,
			.state = (enum part_state)shape.state,
			.cpu = shape.cpu,
			.cause = shape.cause,
			.confidence = (enum confidence)shape.confidence,
			.is_open = shape.is_open,
			.is_inferred = shape.is_inferred,
		};
		end -= length;
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
