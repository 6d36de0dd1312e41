/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interrupt_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/xalloc.h"

void interrupt_log_release(struct interrupt_log *log)
{
	for (size_t cpu = 0; cpu < log->cpu_count; cpu++)
		free(log->cpu[cpu].stretch);
	free(log->cpu);
	*log = (struct interrupt_log){0};
}

/* Moves to the stretch before the present one; all 0: there is none. */
static void cursor_step(struct interrupt_cursor *cursor)
{
	cursor->at = cursor->count ? cursor->stretch[--cursor->count] : (struct logged_stretch){0};
}

void interrupt_cursor_init(struct interrupt_cursor *cursor, const struct interrupt_log *log,
                           uint32_t number)
{
	*cursor = (struct interrupt_cursor){0};
	if (number >= log->cpu_count)
		return;
	cursor->stretch = log->cpu[number].stretch;
	cursor->count = log->cpu[number].count;
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
	ASSUME(cursor->begin <= cursor->end && (cursor->stretch || !cursor->end));
	while (cursor->end && cursor->begin >= t)
		cursor_step(cursor);
	return cursor->end != 0;
}

/* End of the last stretch, which may be forgotten. */
static nsec_t cpu_end(const struct interrupt_cpu *cpu)
{
	return cpu->count ? cpu->stretch[cpu->count - 1].end : cpu->forgotten;
}

void interrupt_log_add(struct interrupt_log *log, uint32_t number, nsec_t begin, nsec_t end)
{
	struct interrupt_cpu *cpu;

	ARRAY_REACH(log->cpu, log->cpu_count, log->cpu_capacity, number);
	cpu = &log->cpu[number];
	assert(begin <= end && cpu_end(cpu) <= end);
	/* an outer one covers those that began in it */
	while (cpu->count && cpu->stretch[cpu->count - 1].begin >= begin)
		cpu->count--;
	begin = nsec_max(begin, cpu_end(cpu));
	if (begin == end)
		return;
	assert(cpu_end(cpu) <= begin && begin < end);
	ARRAY_ADD(cpu->stretch, cpu->count, cpu->capacity) = (struct logged_stretch){begin, end};
}

void interrupt_log_trim(struct interrupt_log *log, nsec_t t)
{
	for (uint32_t number = 0; number < log->cpu_count; number++) {
		struct interrupt_cpu *cpu = &log->cpu[number];
		size_t gone = ARRAY_AFTER(cpu->stretch, cpu->count, end, t);

		assert(gone <= cpu->count && cpu->count <= cpu->capacity);
		if (gone == 0)
			continue;
		cpu->forgotten = cpu->stretch[gone - 1].end;
		cpu->count -= gone;
		memmove(cpu->stretch, cpu->stretch + gone, cpu->count * sizeof(*cpu->stretch));
	}
}
