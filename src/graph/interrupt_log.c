/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interrupt_log.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/xalloc.h"

#define NUMBER_BYTES_MAX 10
#define MORE_BIT         0x80u

void interrupt_log_init(struct interrupt_log *log)
{
	*log = (struct interrupt_log){0};
}

void interrupt_log_release(struct interrupt_log *log)
{
	for (size_t cpu = 0; cpu < log->cpu_count; cpu++)
		free(log->cpu[cpu].byte);
	free(log->cpu);
	*log = (struct interrupt_log){0};
}

static void number_put(struct interrupt_cpu *cpu, uint64_t number)
{
	unsigned shift = 0, more = 0;

	while (number >> shift >= MORE_BIT)
		shift += 7;
	for (;; shift -= 7, more = MORE_BIT) {
		cpu->byte[cpu->count++] = (uint8_t)((number >> shift & ~MORE_BIT) | more);
		if (shift == 0)
			return;
	}
}

static uint64_t number_get_back(struct interrupt_cursor *cursor)
{
	uint64_t number = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		assert(cursor->count > 0);
		byte = cursor->byte[--cursor->count];
		number |= (uint64_t)(byte & ~MORE_BIT) << shift;
		shift += 7;
	} while (byte & MORE_BIT);
	return number;
}

/* To the stretch before the one that is read. */
static bool cursor_step(struct interrupt_cursor *cursor)
{
	if (cursor->count == 0) {
		*cursor = (struct interrupt_cursor){0};
		return false;
	}
	cursor->end = cursor->before;
	cursor->begin = cursor->end - number_get_back(cursor);
	cursor->before = cursor->begin - number_get_back(cursor);
	return true;
}

void interrupt_cursor_init(struct interrupt_cursor *cursor, const struct interrupt_log *log,
                           uint32_t number)
{
	*cursor = (struct interrupt_cursor){0};
	if (number >= log->cpu_count)
		return;
	cursor->byte = log->cpu[number].byte;
	cursor->count = log->cpu[number].count;
	cursor->before = log->cpu[number].end;
	(void)cursor_step(cursor);
}

bool interrupt_cursor_find(struct interrupt_cursor *cursor, nsec_t t)
{
	while (cursor->end && cursor->begin >= t)
		(void)cursor_step(cursor);
	return cursor->end != 0;
}

static struct interrupt_cpu *log_find_cpu(struct interrupt_log *log, uint32_t number)
{
	while (log->cpu_count <= number) {
		ARRAY_GROW(log->cpu, log->cpu_count, log->cpu_capacity);
		log->cpu[log->cpu_count++] = (struct interrupt_cpu){0};
	}
	return &log->cpu[number];
}

void interrupt_log_add(struct interrupt_log *log, uint32_t number, nsec_t begin, nsec_t end)
{
	struct interrupt_cpu *cpu = log_find_cpu(log, number);
	struct interrupt_cursor last = {0};

	assert(begin <= end && cpu->end <= end);
	if (begin < cpu->end)
		interrupt_cursor_init(&last, log, number);
	while (last.end && last.begin >= begin) {
		cpu->count = last.count;
		cpu->end = last.before;
		(void)cursor_step(&last);
	}
	begin = nsec_max(begin, cpu->end);
	if (begin == end)
		return;
	if (cpu->capacity - cpu->count < 2 * NUMBER_BYTES_MAX) {
		cpu->capacity = cpu->capacity ? cpu->capacity * 2 : 256;
		cpu->byte = xreallocarray(cpu->byte, cpu->capacity, 1);
	}
	number_put(cpu, begin - cpu->end);
	number_put(cpu, end - begin);
	cpu->end = end;
}
