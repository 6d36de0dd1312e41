/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "joined_source.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ftwait/host.h"

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

static void source_follow_damage(struct source *source, const struct source *part)
{
	source->damaged |= part->damaged;
	if (!source->damage)
		source->damage = part->damage;
}

/* What the parts find out while they are read. */
static void joined_follow(struct source *source, const struct source *part, uint64_t read_before)
{
	source_follow_damage(source, part);
	if (!source->failure || !source->failure->error)
		source->failure = part->failure;
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

static const struct source_ops joined_ops = {
	.name = "joined",
	.next_batch = joined_next_batch,
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

	for (size_t i = 0; i < part->open_wait_count; i++) {
		struct open_wait *wait = &joined->open_waits[source->open_wait_count++];

		*wait = part->open_waits[i];
		wait->tid = hosts_process_id(host, wait->tid);
		wait->owner = hosts_process_id(host, wait->owner);
		for (size_t j = 0; j < wait->holder_count; j++)
			wait->holder[j] = hosts_process_id(host, wait->holder[j]);
	}
	for (size_t i = 0; i < part->process_count; i++) {
		struct known_process *process = &joined->processes[source->process_count++];

		*process = part->processes[i];
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

static void joined_describe(struct source *source)
{
	const struct source *first = source->parts[0].source;

	source->kernel = first->kernel;
	source->arch = first->arch;
	source->clock = first->clock;
	source->recorded = first->recorded;
	source->asked = first->asked;
	source->is_big_endian = first->is_big_endian;
	source->long_bytes = first->long_bytes;
	source->page_bytes = first->page_bytes;
	source->realtime = first->realtime;
	source->stacks_buffer = UINT32_MAX;
	memcpy(source->recorder, first->recorder, sizeof(source->recorder));
	for (size_t i = 0; i < source->part_count; i++) {
		const struct source *part = source->parts[i].source;

		source->kernel = common_text(source->kernel, part->kernel);
		source->arch = common_text(source->arch, part->arch);
		source->clock = common_text(source->clock, part->clock);
		source->recorded = common_text(source->recorded, part->recorded);
		source->asked = common_text(source->asked, part->asked);
		source->data_bytes += part->data_bytes;
		source->data_read += part->data_read;
		source_follow_damage(source, part);
		if (!source->failure)
			source->failure = part->failure;
		if (part->command_pid && !source->command_pid) {
			source->command_pid = hosts_process_id((uint32_t)i, part->command_pid);
			source->command = part->command;
			source->command_count = part->command_count;
		}
		source->pid_count += part->pid_count; /* the number is asked for */
		if (part->trigger.condition && !source->trigger.condition) {
			source->trigger = part->trigger;
			source->trigger.tid = hosts_process_id((uint32_t)i, part->trigger.tid);
		}
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
		waits += parts[i].source->open_wait_count;
		processes += parts[i].source->process_count;
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
		.open_waits = joined->open_waits,
		.processes = joined->processes,
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
