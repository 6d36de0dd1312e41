/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shifted_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"

struct shifted_batch {
	struct record *record;
	size_t count, capacity;
};

struct shifted_source {
	struct source source; /* first: ops cast it back */
	struct source *inner;
	struct clock_line line;
	int64_t ahead;
	struct shifted_batch *batches; /* by stream */
	struct known_task *known_tasks;
	struct known_process *processes;
	struct open_wait *open_waits;
	struct source_program *programs;
	struct user_maps *user_maps;
};

static nsec_t shifted_time(const struct shifted_source *shifted, nsec_t time)
{
	int64_t shift = clock_line_shift(&shifted->line, time) + shifted->ahead;

	if (shift < 0 && time < (nsec_t)-shift)
		return 0;
	return time + (nsec_t)shift;
}

/* 0 and NSEC_NEVER stand for times that are not known. */
static nsec_t shifted_note(const struct shifted_source *shifted, nsec_t time)
{
	nsec_t there;

	if (time == 0 || time == NSEC_NEVER)
		return time;
	there = shifted_time(shifted, time);
	return there ? there : 1;
}

/* What the inner source finds out while it is read. */
static void shifted_follow(struct shifted_source *shifted)
{
	const struct source *inner = shifted->inner;
	struct source *source = &shifted->source;

	source->damaged = inner->damaged;
	source->damage = inner->damage;
	source->failure = inner->failure;
	source->data_read = inner->data_read;
	memcpy(source->notes, inner->notes, sizeof(source->notes));
	source->note_count = inner->note_count;
}

static enum pull shifted_next_batch(struct source *source, size_t stream, struct record_batch *ret)
{
	struct shifted_source *shifted = (struct shifted_source *)source;
	struct shifted_batch *batch = &shifted->batches[stream];
	enum pull pull = source_next_batch(shifted->inner, stream, ret);

	shifted_follow(shifted);
	if (pull == PULL_END)
		return pull;
	batch->count = 0;
	for (size_t i = 0; i < ret->count; i++) {
		ARRAY_GROW(batch->record, batch->count, batch->capacity);
		batch->record[batch->count] = ret->records[i];
		batch->record[batch->count++].time = shifted_time(shifted, ret->records[i].time);
	}
	ret->records = batch->record;
	return pull;
}

static int64_t shifted_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	return source_read_symbols(((struct shifted_source *)source)->inner, offset, to, size);
}

static void shifted_close(struct source *source)
{
	struct shifted_source *shifted = (struct shifted_source *)source;

	for (size_t i = 0; i < source->stream_count; i++)
		free(shifted->batches[i].record);
	free(shifted->batches);
	free(shifted->known_tasks);
	free(shifted->processes);
	free(shifted->open_waits);
	free(shifted->programs);
	free(shifted->user_maps);
	(void)source_close(shifted->inner);
	free(shifted);
}

static const struct source_ops shifted_ops = {
	.name = "shifted",
	.next_batch = shifted_next_batch,
	.read_symbols = shifted_read_symbols,
	.close = shifted_close,
};

/* A copy of an array of the inner source. */
static void *copy_of(const void *array, size_t count, size_t size)
{
	void *copy = xcalloc(count, size);

	if (count)
		memcpy(copy, array, count * size);
	return copy;
}

static void shifted_copy_notes(struct shifted_source *shifted)
{
	const struct source *inner = shifted->inner;
	struct source *source = &shifted->source;

	source->known_tasks = shifted->known_tasks =
		copy_of(inner->known_tasks, inner->known_task_count, sizeof(*inner->known_tasks));
	for (size_t i = 0; i < inner->known_task_count; i++)
		shifted->known_tasks[i].read = shifted_note(shifted, inner->known_tasks[i].read);
	source->processes = shifted->processes =
		copy_of(inner->processes, inner->process_count, sizeof(*inner->processes));
	for (size_t i = 0; i < inner->process_count; i++)
		shifted->processes[i].read = shifted_note(shifted, inner->processes[i].read);
	source->open_waits = shifted->open_waits =
		copy_of(inner->open_waits, inner->open_wait_count, sizeof(*inner->open_waits));
	for (size_t i = 0; i < inner->open_wait_count; i++) {
		shifted->open_waits[i].since = shifted_note(shifted, inner->open_waits[i].since);
		shifted->open_waits[i].seen = shifted_note(shifted, inner->open_waits[i].seen);
	}
	source->programs = shifted->programs =
		copy_of(inner->programs, inner->program_count, sizeof(*inner->programs));
	for (size_t i = 0; i < inner->program_count; i++) {
		shifted->programs[i].begin = shifted_note(shifted, inner->programs[i].begin);
		shifted->programs[i].read = shifted_note(shifted, inner->programs[i].read);
	}
	source->user_maps = shifted->user_maps =
		copy_of(inner->user_maps, inner->user_maps_count, sizeof(*inner->user_maps));
	for (size_t i = 0; i < inner->user_maps_count; i++)
		shifted->user_maps[i].seen = shifted_note(shifted, inner->user_maps[i].seen);
}

static void shifted_set_times(struct shifted_source *shifted)
{
	struct source *source = &shifted->source;

	for (size_t i = 0; i < source->cpu_limit_count; i++)
		source->cpu_limits[i].since =
			shifted_note(shifted, source->cpu_limits[i].since);
	for (size_t i = 0; i < source->realtime.count; i++)
		source->realtime.pair[i].time =
			shifted_time(shifted, source->realtime.pair[i].time);
	if (source->trigger.condition) {
		source->trigger.at = shifted_time(shifted, source->trigger.at);
		source->trigger.since = shifted_time(shifted, source->trigger.since);
	}
}

struct source *source_shift(struct source *inner, const struct clock_line *line, int64_t ahead)
{
	struct shifted_source *shifted = xcalloc(1, sizeof(*shifted));

	shifted->source = *inner;
	shifted->source.ops = &shifted_ops;
	shifted->inner = inner;
	shifted->line = *line;
	shifted->ahead = ahead;
	shifted->batches = xcalloc(inner->stream_count, sizeof(*shifted->batches));
	shifted_copy_notes(shifted);
	shifted_set_times(shifted);
	return &shifted->source;
}
