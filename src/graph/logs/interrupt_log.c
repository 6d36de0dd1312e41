/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interrupt_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/xalloc.h"

/* The most elements of a stretch. */
#define ELEMENTS_MAX 3

void interrupt_log_release(struct interrupt_log *log)
{
	for (size_t cpu = 0; cpu < log->cpu_count; cpu++)
		free(log->cpu[cpu].stretch);
	free(log->cpu);
	*log = (struct interrupt_log){0};
}

static struct logged_stretch number_split(uint64_t number)
{
	return (struct logged_stretch){(uint32_t)(number >> 32), (uint32_t)number};
}

static uint64_t number_join(const struct logged_stretch *split)
{
	return (uint64_t)split->before << 32 | split->length;
}

static void stretch_put(struct interrupt_cpu *cpu, nsec_t before, nsec_t length)
{
	if (before < LOGGED_LARGE && length < LOGGED_LARGE) {
		cpu->stretch[cpu->count++] =
			(struct logged_stretch){(uint32_t)before, (uint32_t)length};
		return;
	}
	cpu->stretch[cpu->count++] = number_split(before);
	cpu->stretch[cpu->count++] = number_split(length);
	cpu->stretch[cpu->count++] = (struct logged_stretch){LOGGED_LARGE, LOGGED_LARGE};
}

/* Moves to the stretch before the present one; all 0: there is none. */
static void cursor_step(struct interrupt_cursor *cursor)
{
	const struct logged_stretch *stretch;
	nsec_t before, length;

	if (cursor->count == 0) {
		*cursor = (struct interrupt_cursor){0};
		return;
	}
	stretch = &cursor->stretch[cursor->count - 1];
	before = stretch->before;
	length = stretch->length;
	if (length == LOGGED_LARGE) {
		stretch -= ELEMENTS_MAX - 1;
		before = number_join(&stretch[0]);
		length = number_join(&stretch[1]);
	}
	ASSUME(stretch >= cursor->stretch && length > 0 && before + length <= cursor->before);
	cursor->count = (size_t)(stretch - cursor->stretch);
	cursor->end = cursor->before;
	cursor->begin = cursor->end - length;
	cursor->before = cursor->begin - before;
}

void interrupt_cursor_init(struct interrupt_cursor *cursor, const struct interrupt_log *log,
                           uint32_t number)
{
	*cursor = (struct interrupt_cursor){0};
	if (number >= log->cpu_count)
		return;
	cursor->stretch = log->cpu[number].stretch;
	cursor->count = log->cpu[number].count;
	cursor->before = log->cpu[number].end;
	cursor_step(cursor);
}

struct interrupt_cursor *interrupt_cursors_new(const struct interrupt_log *log)
{
	struct interrupt_cursor *cursor = xcalloc(log->cpu_count, sizeof(*cursor));

	for (uint32_t cpu = 0; cpu < log->cpu_count; cpu++)
		interrupt_cursor_init(&cursor[cpu], log, cpu);
	return cursor;
}

bool interrupt_cursor_find(struct interrupt_cursor *cursor, nsec_t t)
{
	ASSUME(cursor->begin <= cursor->end);
	while (cursor->end && cursor->begin >= t)
		cursor_step(cursor);
	return cursor->end != 0;
}

/* Removes the stretches that began at `begin` or later: an outer one covers them. */
static void log_take_back(struct interrupt_log *log, uint32_t number, nsec_t begin)
{
	struct interrupt_cpu *cpu = &log->cpu[number];
	struct interrupt_cursor last;

	interrupt_cursor_init(&last, log, number);
	while (last.end && last.begin >= begin) {
		cpu->count = last.count;
		cpu->end = last.before;
		cursor_step(&last);
	}
}

void interrupt_log_add(struct interrupt_log *log, uint32_t number, nsec_t begin, nsec_t end)
{
	struct interrupt_cpu *cpu;

	ARRAY_REACH(log->cpu, log->cpu_count, log->cpu_capacity, number);
	cpu = &log->cpu[number];
	assert(begin <= end && cpu->end <= end);
	if (begin < cpu->end)
		log_take_back(log, number, begin);
	begin = nsec_max(begin, cpu->end);
	if (begin == end)
		return;
	if (cpu->capacity - cpu->count < ELEMENTS_MAX) {
		cpu->capacity = cpu->capacity ? cpu->capacity * 2 : 64;
		cpu->stretch = xreallocarray(cpu->stretch, cpu->capacity, sizeof(*cpu->stretch));
	}
	assert(cpu->end <= begin && begin < end);
	stretch_put(cpu, begin - cpu->end, end - begin);
	cpu->end = end;
}

void interrupt_log_trim(struct interrupt_log *log, nsec_t t)
{
	for (uint32_t number = 0; number < log->cpu_count; number++) {
		struct interrupt_cpu *cpu = &log->cpu[number];
		struct interrupt_cursor cursor;
		size_t gone = cpu->count;

		assert(cpu->count <= cpu->capacity);
		if (gone == 0)
			continue;
		interrupt_cursor_init(&cursor, log, number);
		while (cursor.end > t) {
			gone = cursor.count;
			cursor_step(&cursor);
		}
		memmove(cpu->stretch, cpu->stretch + gone,
		        (cpu->count - gone) * sizeof(*cpu->stretch));
		cpu->count -= gone;
	}
}
