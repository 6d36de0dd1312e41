/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "joined_source.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "ftwait/host.h"

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
	struct source_descriptor *descriptors;
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
static void shifted_note(const struct shifted_source *shifted, nsec_t *time)
{
	if (*time == 0 || *time == NSEC_NEVER)
		return;
	*time = shifted_time(shifted, *time);
	if (*time == 0)
		*time = 1;
}

/* What the inner source finds out while it is read. */
static void shifted_follow(struct shifted_source *shifted)
{
	const struct source *inner = shifted->inner;
	struct source *source = &shifted->source;

	source->health = inner->health;
	source->data_read = inner->data_read;
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

static int shifted_open_again(const struct source *source, struct source **ret, struct buffer *why)
{
	const struct shifted_source *shifted = (const struct shifted_source *)source;
	struct source *inner;
	int r = source_open_again(shifted->inner, &inner, why);

	if (r == 0)
		*ret = source_shift(inner, &shifted->line, shifted->ahead);
	return r;
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
	free(shifted->descriptors);
	free(shifted->user_maps);
	(void)source_close(shifted->inner);
	free(shifted);
}

static const struct source_ops shifted_ops = {
	.name = "shifted",
	.next_batch = shifted_next_batch,
	.read_symbols = shifted_read_symbols,
	.open_again = shifted_open_again,
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

/* The same of a list. */
#define COPY_OF(list) copy_of((list).item, (list).count, sizeof(*(list).item))

static void shifted_copy_notes(struct shifted_source *shifted)
{
	const struct recording_notes *inner = &shifted->inner->notes;
	struct recording_notes *notes = &shifted->source.notes;

	notes->tasks.item = shifted->known_tasks = COPY_OF(inner->tasks);
	for (size_t i = 0; i < inner->tasks.count; i++)
		shifted_note(shifted, &shifted->known_tasks[i].read);
	notes->processes.item = shifted->processes = COPY_OF(inner->processes);
	for (size_t i = 0; i < inner->processes.count; i++)
		shifted_note(shifted, &shifted->processes[i].read);
	notes->open_waits.item = shifted->open_waits = COPY_OF(inner->open_waits);
	for (size_t i = 0; i < inner->open_waits.count; i++) {
		shifted_note(shifted, &shifted->open_waits[i].since);
		shifted_note(shifted, &shifted->open_waits[i].seen);
	}
	notes->programs.item = shifted->programs = COPY_OF(inner->programs);
	for (size_t i = 0; i < inner->programs.count; i++) {
		shifted_note(shifted, &shifted->programs[i].begin);
		shifted_note(shifted, &shifted->programs[i].read);
	}
	notes->descriptors.item = shifted->descriptors = COPY_OF(inner->descriptors);
	for (size_t i = 0; i < inner->descriptors.count; i++) {
		shifted_note(shifted, &shifted->descriptors[i].from);
		shifted_note(shifted, &shifted->descriptors[i].to);
	}
	notes->user_maps.item = shifted->user_maps = COPY_OF(inner->user_maps);
	for (size_t i = 0; i < inner->user_maps.count; i++)
		shifted_note(shifted, &shifted->user_maps[i].seen);
}

static void shifted_set_times(struct shifted_source *shifted)
{
	struct recording_notes *notes = &shifted->source.notes;

	for (size_t i = 0; i < notes->cpu_limits.count; i++)
		shifted_note(shifted, &notes->cpu_limits.item[i].since);
	for (size_t i = 0; i < notes->realtime.count; i++)
		notes->realtime.pair[i].time =
			shifted_time(shifted, notes->realtime.pair[i].time);
	if (notes->trigger.condition) {
		notes->trigger.at = shifted_time(shifted, notes->trigger.at);
		notes->trigger.since = shifted_time(shifted, notes->trigger.since);
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

/* As many as a machine can have. */
#define JOINED_CPUS_MAX 32768

struct joined_source {
	struct source source; /* first: ops cast it back */
	struct source_part *parts;
	struct source_stream *streams;
	struct open_wait *open_waits;
	struct known_process *processes;
};

/* The part that has the stream. */
static const struct source_part *part_of_stream(const struct source *source, size_t stream)
{
	size_t part = source->part_count - 1;

	while (source->parts[part].first_stream > stream)
		part--;
	return &source->parts[part];
}

/* Keeps the first damage, and the first read that failed. */
static void health_follow(struct input_health *health, const struct input_health *part)
{
	health->damaged |= part->damaged;
	if (!health->damage)
		health->damage = part->damage;
	if (!health->failure || !health->failure->error)
		health->failure = part->failure;
}

/* What the parts find out while they are read. */
static void joined_follow(struct source *source, const struct source *part, uint64_t read_before)
{
	health_follow(&source->health, &part->health);
	source->data_read += part->data_read - read_before;
}

static enum pull joined_next_batch(struct source *source, size_t stream, struct record_batch *ret)
{
	const struct source_part *part = part_of_stream(source, stream);
	uint64_t read_before = part->source->data_read;
	enum pull pull = source_next_batch(part->source, stream - part->first_stream, ret);

	joined_follow(source, part->source, read_before);
	return pull;
}

static void joined_close(struct source *source)
{
	struct joined_source *joined = (struct joined_source *)source;

	for (size_t i = 0; i < source->part_count; i++) {
		(void)source_close(joined->parts[i].source);
		free((char *)(uintptr_t)joined->parts[i].file);
		free((char *)(uintptr_t)joined->parts[i].name);
	}
	free(joined->parts);
	free(joined->streams);
	free(joined->open_waits);
	free(joined->processes);
	free(joined);
}

static int joined_open_again(const struct source *source, struct source **ret, struct buffer *why);

static const struct source_ops joined_ops = {
	.name = "joined",
	.next_batch = joined_next_batch,
	.open_again = joined_open_again,
	.close = joined_close,
};

static unsigned part_cpus(const struct source *part)
{
	unsigned cpus = part->cpu_count;

	for (size_t i = 0; i < part->stream_count; i++)
		if (part->streams[i].cpu >= cpus)
			cpus = part->streams[i].cpu + 1;
	return cpus;
}

static void joined_add_streams(struct joined_source *joined, const struct source_part *part)
{
	struct source *source = &joined->source;

	for (size_t i = 0; i < part->source->stream_count; i++) {
		struct source_stream *stream = &joined->streams[source->stream_count++];

		*stream = part->source->streams[i];
		stream->cpu += part->cpu_first;
		stream->buffer += (unsigned)source->buffer_count;
	}
	source->buffer_count += part->source->buffer_count;
	source->cpu_count = part->cpu_first + part_cpus(part->source);
}

static void joined_add_snapshots(struct joined_source *joined, uint32_t host)
{
	struct source *source = &joined->source;
	const struct source *part = joined->parts[host].source;

	for (size_t i = 0; i < part->notes.open_waits.count; i++) {
		struct open_wait *wait = &joined->open_waits[source->notes.open_waits.count++];

		*wait = part->notes.open_waits.item[i];
		wait->tid = hosts_process_id(host, wait->tid);
		wait->owner = hosts_process_id(host, wait->owner);
		for (size_t j = 0; j < wait->holder_count; j++)
			wait->holder[j] = hosts_process_id(host, wait->holder[j]);
	}
	for (size_t i = 0; i < part->notes.processes.count; i++) {
		struct known_process *process = &joined->processes[source->notes.processes.count++];

		*process = part->notes.processes.item[i];
		process->tgid = hosts_process_id(host, process->tgid);
		process->parent = hosts_process_id(host, process->parent);
		process->cgroup = SOURCE_CGROUP_NONE; /* the groups stay with the part */
	}
}

/* What all parts have in common; NULL: they differ, or it is not known. */
static const char *common_text(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0 ? a : NULL;
}

/* Adds what a machine's recorder was asked for; the snapshots are added apart. */
static void notes_join(struct recording_notes *notes, const struct recording_notes *part,
                       uint32_t host)
{
	notes->recorded = common_text(notes->recorded, part->recorded);
	notes->asked = common_text(notes->asked, part->asked);
	if (part->command.pid && !notes->command.pid) {
		notes->command.pid = hosts_process_id(host, part->command.pid);
		notes->command.word = part->command.word;
		notes->command.count = part->command.count;
	}
	notes->pids.count += part->pids.count; /* the number is asked for */
	if (part->trigger.condition && !notes->trigger.condition) {
		notes->trigger = part->trigger;
		notes->trigger.tid = hosts_process_id(host, part->trigger.tid);
	}
}

static void joined_describe(struct source *source)
{
	const struct source *first = source->parts[0].source;

	source->kernel = first->kernel;
	source->arch = first->arch;
	source->clock = first->clock;
	source->notes.recorded = first->notes.recorded;
	source->notes.asked = first->notes.asked;
	source->is_big_endian = first->is_big_endian;
	source->long_bytes = first->long_bytes;
	source->page_bytes = first->page_bytes;
	source->notes.realtime = first->notes.realtime;
	source->stacks_buffer = UINT32_MAX;
	memcpy(source->notes.recorder, first->notes.recorder, sizeof(source->notes.recorder));
	for (size_t i = 0; i < source->part_count; i++) {
		const struct source *part = source->parts[i].source;

		source->kernel = common_text(source->kernel, part->kernel);
		source->arch = common_text(source->arch, part->arch);
		source->clock = common_text(source->clock, part->clock);
		source->data_bytes += part->data_bytes;
		source->data_read += part->data_read;
		health_follow(&source->health, &part->health);
		notes_join(&source->notes, &part->notes, (uint32_t)i);
	}
}

static bool joined_fits(const struct source_part *parts, size_t count, struct buffer *why)
{
	size_t streams = 0, cpus = 0;

	for (size_t i = 0; i < count; i++) {
		streams += parts[i].source->stream_count;
		cpus += part_cpus(parts[i].source);
	}
	if (streams <= SOURCE_STREAMS_MAX && cpus <= JOINED_CPUS_MAX)
		return true;
	buffer_printf(why, "together they have %zu CPUs, more than %d", cpus, JOINED_CPUS_MAX);
	return false;
}

struct source *source_join(const struct source_part *parts, size_t count, struct buffer *why)
{
	struct joined_source *joined;
	size_t streams = 0, waits = 0, processes = 0;

	assert(count > 0 && count <= HOSTS_MAX);
	if (!joined_fits(parts, count, why)) {
		for (size_t i = 0; i < count; i++)
			(void)source_close(parts[i].source);
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		streams += parts[i].source->stream_count;
		waits += parts[i].source->notes.open_waits.count;
		processes += parts[i].source->notes.processes.count;
	}
	joined = xcalloc(1, sizeof(*joined));
	joined->parts = xcalloc(count, sizeof(*joined->parts));
	joined->streams = xcalloc(streams, sizeof(*joined->streams));
	joined->open_waits = xcalloc(waits, sizeof(*joined->open_waits));
	joined->processes = xcalloc(processes, sizeof(*joined->processes));
	joined->source = (struct source){
		.ops = &joined_ops,
		.parts = joined->parts,
		.part_count = count,
		.streams = joined->streams,
		.notes.open_waits.item = joined->open_waits,
		.notes.processes.item = joined->processes,
	};
	for (size_t i = 0; i < count; i++) {
		joined->parts[i] = parts[i];
		joined->parts[i].file = xstrdup(parts[i].file);
		joined->parts[i].name = xstrdup(parts[i].name);
		joined->parts[i].first_stream = (uint32_t)joined->source.stream_count;
		joined->parts[i].cpu_first = joined->source.cpu_count;
		joined_add_streams(joined, &joined->parts[i]);
		joined_add_snapshots(joined, (uint32_t)i);
	}
	joined_describe(&joined->source);
	return &joined->source;
}

static int joined_open_again(const struct source *source, struct source **ret, struct buffer *why)
{
	struct source_part part[HOSTS_MAX];
	size_t count = 0;
	int r = 0;

	while (count < source->part_count && r == 0) {
		part[count] = source->parts[count];
		r = source_open_again(source->parts[count].source, &part[count].source, why);
		count += r == 0;
	}
	if (r == 0) {
		*ret = source_join(part, count, why);
		return *ret ? 0 : -EINVAL;
	}
	for (size_t i = 0; i < count; i++)
		(void)source_close(part[i].source);
	return r;
}
