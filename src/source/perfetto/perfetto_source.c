/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_source.h"

#include <errno.h>
#include <stdlib.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/map.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "ftwait/host.h"
#include "perfetto_bundle.h"
#include "perfetto_packets.h"
#include "source/source_notes.h"
#include "source/text/text_tables.h"
#include "wire.h"
#include "words/kernel/kernel_feature.h"

#define NAME_BYTES_MAX  256
#define OTHERS_SHOWN 4
#define STREAMS_MAX  16384
#define LAYERS_MAX   4

/* Where a bundle is. */
struct perfetto_bundle_place {
	struct perfetto_place at;
	uint32_t sequence;
	struct perfetto_part part;
};

/* One CPU of one writer; of events that come too late in its bundles, one layer that is in order of
   time. Exports end with what was at their begin. */
struct perfetto_stream {
	struct text_queue queue;
	struct perfetto_cpu cpu;
	struct perfetto_bundle_place *place;
	size_t count, next;
};

/* A machine whose events are not read. */
struct perfetto_other {
	uint32_t machine;
	uint64_t events;
};

struct perfetto_source {
	struct source source; /* first member: perfetto_ops cast it back */
	struct perfetto_packets packets;
	struct text_store text;
	struct perfetto_reader reader;
	struct perfetto_rounds rounds;
	struct text_tasks tasks;
	struct map stream_by_writer; /* sequence << 32 | layer and CPU -> index */
	struct perfetto_stream *streams; /* one for each of source.streams */
	size_t stream_count;
	struct perfetto_clocks clocks;
	uint32_t clock;          /* of ftrace, in the first bundle */
	uint32_t machine;        /* the one that is read; 0: the host */
	struct perfetto_other *other; /* by when the first event of each comes */
	size_t other_count;
	struct map other_by_machine;
	uint64_t events;
	bool is_opening;         /* in the first pass */
	int error;               /* of keeping what compressed packets contain */
	struct buffer *why;      /* while opening */
	uint8_t *bytes;          /* of the bundle that is being read */
	size_t room;
	struct perfetto_stream *reading;
};

/* Each writer has streams of its own, as its bundles alone are in order of time. */
static struct perfetto_stream *stream_of(struct perfetto_source *perfetto, uint32_t sequence,
                                         uint32_t cpu, uint32_t layer)
{
	struct source *source = &perfetto->source;
	uint64_t key = (uint64_t)sequence << 32 | layer * TEXT_CPUS_MAX | cpu;
	uint32_t at = map_get(&perfetto->stream_by_writer, key), buffer = 0;

	if (at != MAP_NONE)
		return &perfetto->streams[at];
	for (size_t i = 0; i < source->stream_count; i++)
		buffer += source->streams[i].cpu == cpu;
	map_put(&perfetto->stream_by_writer, key, (uint32_t)source->stream_count);
	LIST_ADD(source->streams, struct source_stream) =
		(struct source_stream){.cpu = cpu, .buffer = buffer};
	LIST_ADD(perfetto->streams, struct perfetto_stream) =
		(struct perfetto_stream){.cpu.tid = -1};
	if (cpu >= source->cpu_count)
		source->cpu_count = cpu + 1;
	if (buffer >= source->buffer_count)
		source->buffer_count = buffer + 1;
	return &perfetto->streams[source->stream_count - 1];
}

static void record_take(void *state, const struct text_head *head, const uint8_t *record,
                        size_t bytes)
{
	struct perfetto_source *perfetto = state;

	if (perfetto->is_opening)
		perfetto->events++;
	else
		text_queue_add(&perfetto->reading->queue, head->time, record, bytes);
}

static void other_see(struct perfetto_source *perfetto, const struct perfetto_packet *packet)
{
	struct perfetto_bundle bundle;
	uint64_t events;
	uint32_t at;

	if (!packet->ftrace.at ||
	    !perfetto_bundle_parse(packet->ftrace, packet->sequence, &bundle))
		return;
	events = perfetto_bundle_count(&bundle);
	at = map_get(&perfetto->other_by_machine, packet->machine);
	if (events > 0 && at == MAP_NONE) {
		at = (uint32_t)perfetto->other_count;
		map_put(&perfetto->other_by_machine, packet->machine, at);
		LIST_ADD(perfetto->other, struct perfetto_other) =
			(struct perfetto_other){.machine = packet->machine};
	}
	if (events > 0)
		perfetto->other[at].events += events;
}

/* The events of the loaded bundle that are late, or those that are not, are of the stream. */
static void stream_add(struct perfetto_source *perfetto, struct perfetto_stream *stream,
                       const struct perfetto_bundle_place *place, struct perfetto_bundle *bundle)
{
	bundle->part = place->part;
	LIST_ADD(stream->place, struct perfetto_bundle_place) = *place;
	perfetto_bundle_take(&perfetto->reader, bundle, &stream->cpu, record_take, perfetto);
}

static void bundle_add(struct perfetto_source *perfetto, struct perfetto_bundle_place *place,
                       struct perfetto_bundle *bundle)
{
	const nsec_t begin = perfetto_bundle_load(&perfetto->reader, bundle);
	uint32_t layer = 1;

	place->part.late = stream_of(perfetto, bundle->sequence, bundle->cpu, 0)->cpu.last;
	place->part.is_late = begin < place->part.late;
	while (place->part.is_late && layer + 1 < LAYERS_MAX &&
	       begin < stream_of(perfetto, bundle->sequence, bundle->cpu, layer)->cpu.last)
		layer++;
	if (place->part.is_late)
		stream_add(perfetto,
		           stream_of(perfetto, bundle->sequence, bundle->cpu, layer), place,
		           bundle);
	place->part.is_late = false;
	stream_add(perfetto, stream_of(perfetto, bundle->sequence, bundle->cpu, 0), place, bundle);
}

/* Bundles of all CPUs and their names are numbered in rounds. */
static void ftrace_see(struct perfetto_source *perfetto, const struct perfetto_packet *packet)
{
	struct perfetto_bundle_place place = {.sequence = packet->sequence};
	struct perfetto_bundle bundle;
	int r;

	if (!perfetto_bundle_parse(packet->ftrace, packet->sequence, &bundle)) {
		perfetto->reader.bad++;
		return;
	}
	if (perfetto->events == 0)
		perfetto->clock = bundle.clock;
	place.part.round = perfetto_rounds_see(&perfetto->rounds, packet->sequence, bundle.cpu,
	                                       packet->is_cleared);
	if (perfetto_values_intern(&perfetto->reader.values, place.part.round, packet->interned))
		perfetto_rounds_name(&perfetto->rounds, packet->sequence);
	r = perfetto_packets_keep(&perfetto->packets, packet->ftrace, &place.at, perfetto->why);
	if (r < 0) {
		perfetto->error = r;
		return;
	}
	if (perfetto->source.stream_count + LAYERS_MAX > STREAMS_MAX) {
		perfetto->reader.bad++;
		return;
	}
	bundle_add(perfetto, &place, &bundle);
}

/* Processes and threads have the same fields, but for the numbers. The name of a program's file may
   be the first word of the command line. */
static void task_see(struct perfetto_source *perfetto, struct wire task, bool is_thread)
{
	struct text_head head = {.tgid = -1, .comm = line_of("<...>")};
	struct wire_field field;

	while (wire_next(&task, &field)) {
		if (field.number == 1 && field.type == WIRE_NUMBER)
			head.tid = (int32_t)field.value;
		else if (field.number == 3 && field.type == WIRE_NUMBER)
			head.tgid = (int32_t)field.value;
		else if (field.number == (is_thread ? 2 : 3) && field.bytes > 0 &&
		         head.comm.at[0] == '<')
			head.comm = wire_line(wire_of(&field));
	}
	if (head.tid <= 0)
		return;
	for (const char *at = head.comm.at; !is_thread && at < head.comm.end && *at != ' '; at++)
		if (*at == '/' && at + 1 < head.comm.end)
			head.comm.at = at + 1;
	if (line_length(head.comm) > PERFETTO_COMM_MAX - 1)
		head.comm.end = head.comm.at + PERFETTO_COMM_MAX - 1;
	if (!is_thread)
		head.tgid = head.tid;
	text_tasks_add(&perfetto->tasks, &head);
}

static void tree_see(struct perfetto_source *perfetto, struct wire tree)
{
	struct wire_field field;

	while (wire_next(&tree, &field))
		if (field.type == WIRE_BYTES && (field.number == 1 || field.number == 2))
			task_see(perfetto, wire_of(&field), field.number == 2);
}

static void name_take(struct perfetto_source *perfetto, const struct wire_field *field,
                      const char **ret)
{
	if (!*ret)
		*ret = text_store_line(&perfetto->text, wire_line(wire_of(field)), NAME_BYTES_MAX);
}

/* SystemInfo: utsname 1 with version 2, release 3, machine 4; the machine's name 17 */
static void system_see(struct perfetto_source *perfetto, struct wire system)
{
	struct wire_field field[18], names[5];
	struct source *source = &perfetto->source;

	if (system.at == system.end)
		return;
	(void)wire_read(system, field, ARRAY_SIZE(field));
	(void)wire_read(wire_of(&field[1]), names, ARRAY_SIZE(names));
	name_take(perfetto, &field[17], &source->notes.machine.host);
	name_take(perfetto, &names[3], &source->kernel);
	name_take(perfetto, &names[4], &source->arch);
	/* its sched_switch has other bits */
	perfetto->reader.values.has_old_states =
		kernel_release_lacks(source->kernel, FEATURE_STATES);
}

static void packet_see(void *state, const struct perfetto_packet *packet)
{
	struct perfetto_source *perfetto = state;

	if (perfetto->error)
		return;
	if (packet->machine != perfetto->machine) {
		other_see(perfetto, packet);
		return;
	}
	system_see(perfetto, packet->system);
	tree_see(perfetto, packet->tree);
	perfetto_clocks_see(&perfetto->clocks, packet->clocks);
	perfetto_clocks_sync(&perfetto->clocks, packet->sync);
	if (packet->ftrace.at < packet->ftrace.end)
		ftrace_see(perfetto, packet);
}

/* Reads the stream's next bundle into its queue; false: there is none. */
static bool stream_read(struct perfetto_source *perfetto, struct perfetto_stream *stream)
{
	const struct perfetto_bundle_place *place;
	struct perfetto_bundle bundle;
	size_t bytes;

	if (stream->next == stream->count)
		return false;
	place = &stream->place[stream->next++];
	bytes = place->at.bytes;
	if (bytes > perfetto->room) {
		perfetto->room = bytes;
		perfetto->bytes = xrealloc(perfetto->bytes, perfetto->room);
	}
	if (!perfetto_packets_load(&perfetto->packets, &place->at, perfetto->bytes) ||
	    !perfetto_bundle_parse((struct wire){perfetto->bytes, perfetto->bytes + bytes, false},
	                           place->sequence, &bundle))
		return true;
	bundle.part = place->part;
	(void)perfetto_bundle_load(&perfetto->reader, &bundle);
	if (bundle.has_lost && !place->part.is_late)
		text_queue_lose(&stream->queue, LOST_UNCOUNTED);
	perfetto->reading = stream;
	perfetto_bundle_take(&perfetto->reader, &bundle, &stream->cpu, record_take, perfetto);
	perfetto->source.data_read += bytes;
	return true;
}

static enum pull perfetto_next_batch(struct source *source, size_t index, struct record_batch *ret)
{
	struct perfetto_source *perfetto = (struct perfetto_source *)source;
	struct perfetto_stream *stream = &perfetto->streams[index];

	while (!text_queue_take(&stream->queue, ret))
		if (!stream_read(perfetto, stream)) {
			ret->lost_events = stream->queue.lost_events;
			return PULL_END;
		}
	return PULL_ITEM;
}

static int64_t perfetto_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	struct perfetto_source *perfetto = (struct perfetto_source *)source;

	return text_symbols_read(&perfetto->reader.values.symbols, offset, to, size);
}

/* Releases all but the packets. */
static void perfetto_release(struct perfetto_source *perfetto)
{
	for (size_t i = 0; i < perfetto->source.stream_count; i++) {
		text_queue_release(&perfetto->streams[i].queue);
		free(perfetto->streams[i].place);
	}
	free(perfetto->streams);
	free(source_list_items(&perfetto->source.streams));
	free(perfetto->other);
	free(perfetto->bytes);
	map_release(&perfetto->stream_by_writer);
	map_release(&perfetto->other_by_machine);
	perfetto_clocks_release(&perfetto->clocks);
	text_tasks_release(&perfetto->tasks);
	perfetto_rounds_release(&perfetto->rounds);
	perfetto_reader_release(&perfetto->reader);
	text_store_release(&perfetto->text);
}

static void perfetto_close(struct source *source)
{
	struct perfetto_source *perfetto = (struct perfetto_source *)source;

	perfetto_release(perfetto);
	perfetto_packets_release(&perfetto->packets);
	free(perfetto);
}

static int perfetto_open_machine(const struct source *source, size_t number, struct source **ret,
                                 struct buffer *why);

static int perfetto_open_again(const struct source *source, struct source **ret,
                               struct buffer *why)
{
	return perfetto_open_machine(source, 0, ret, why);
}

static const struct source_ops perfetto_ops = {
	.name = "perfetto",
	.next_batch = perfetto_next_batch,
	.read_symbols = perfetto_read_symbols,
	.open_again = perfetto_open_again,
	.open_machine = perfetto_open_machine,
	.close = perfetto_close,
};

static void perfetto_freep(struct perfetto_source **perfetto)
{
	if (*perfetto)
		perfetto_close(&(*perfetto)->source);
}

/* All but the packets. */
static void perfetto_init(struct perfetto_source *perfetto, uint32_t machine)
{
	perfetto_reader_init(&perfetto->reader);
	perfetto_rounds_init(&perfetto->rounds);
	text_tasks_init(&perfetto->tasks);
	map_init(&perfetto->stream_by_writer);
	map_init(&perfetto->other_by_machine);
	perfetto->machine = machine;
	perfetto->is_opening = true;
	perfetto->source = (struct source){
		.ops = &perfetto_ops,
		.is_big_endian = byte_order_is_big(),
		.long_bytes = sizeof(uint64_t),
		.stacks_buffer = UINT32_MAX,
		.health.failure = perfetto->packets.file.failure,
		.buffer_count = 1,
		.has_common_clock = machine == 0,
	};
}

/* What cannot be read because the trace is damaged. */
static void damage_note(struct perfetto_source *perfetto)
{
	const struct perfetto_packets *packets = &perfetto->packets;
	struct source *source = &perfetto->source;
	uint64_t bad = perfetto->reader.bad + packets->bad;

	if (packets->file.damage[0])
		source_damage(source, &perfetto->text, "%s", packets->file.damage);
	if (packets->wrong != UINT64_MAX)
		source_damage(source, &perfetto->text,
		              "cut short: its packets end at byte %llu of %llu; what followed is "
		              "missing", (unsigned long long)packets->wrong,
		              (unsigned long long)packets->file.bytes);
	if (packets->damaged > 0)
		source_damage(source, &perfetto->text,
		              "damaged: compressed packets that cannot be unpacked, or only in "
		              "part: %llu", (unsigned long long)packets->damaged);
	if (packets->unread > 0)
		source_damage(source, &perfetto->text,
		              "damaged: its compressed packets make more than %u times their "
		              "size, which no trace does; the first %s of it are read",
		              UNPACK_RATIO_MAX, SIZE_TEXT(packets->unpacked_bytes));
	if (bad > 0)
		source_damage(source, &perfetto->text,
		              "damaged: messages that make no sense, and were left out: %llu",
		              (unsigned long long)bad);
}

/* Appends the machines and their events. */
static void others_describe(const struct perfetto_source *perfetto, size_t first,
                            struct buffer *to)
{
	const size_t end = first + OTHERS_SHOWN;

	for (size_t i = first; i < perfetto->other_count && i < end; i++) {
		const struct perfetto_other *other = &perfetto->other[i];

		buffer_printf(to, "%s%llu of ", i > first ? ", " : "",
		              (unsigned long long)other->events);
		if (other->machine)
			buffer_printf(to, "machine %u", other->machine);
		else
			buffer_puts(to, "the host");
	}
	if (perfetto->other_count > end)
		buffer_printf(to, " and those of %zu more", perfetto->other_count - end);
}

/* `first_left_out`: index of the first other machine that the reader of the source does not see. */
static void perfetto_note(struct perfetto_source *perfetto, size_t first_left_out)
{
	struct source *source = &perfetto->source;
	_cleanup_(buffer_release) struct buffer line = buffer_of(400);

	damage_note(perfetto);
	if (perfetto->other_count > first_left_out) {
		others_describe(perfetto, first_left_out, &line);
		if (perfetto->machine)
			buffer_printf(&line, "; read are those of machine %u",
			              perfetto->machine);
		source_note(source, &perfetto->text,
		            "the trace is of several machines; events that are left out: %s",
		            line.text);
	}
	source_note(source, &perfetto->text,
	            "it is a Perfetto trace: it contains no sockets, no stacks, and only the kinds "
	            "of events that were asked for; a trace.dat contains more");
	if (perfetto->reader.unplaced > 0)
		source_note(source, &perfetto->text,
		            "switches and wake-ups of compact_sched that have no known task, as "
		            "their CPU recorded no switch before: %llu",
		            (unsigned long long)perfetto->reader.unplaced);
	if (perfetto->reader.values.has_objects)
		source_note(source, &perfetto->text,
		            "Perfetto numbers timers, work items and locks anew each time it reads "
		            "the kernel's buffers, so who armed, queued or held one before that is "
		            "not known");
	buffer_clear(&line);
	if (text_layout_describe_unknown(perfetto->reader.layout, "Perfetto", "events", &line))
		source_note(source, &perfetto->text, "%s", line.text);
}

/* Fills the source with the results of the first pass, and prepares the second one. */
static void perfetto_finish(struct perfetto_source *perfetto)
{
	struct source *source = &perfetto->source;

	text_layout_add_formats(perfetto->reader.layout, &perfetto->text, source);
	text_tasks_describe(&perfetto->tasks, &source->notes);
	perfetto_clocks_describe(&perfetto->clocks, perfetto->clock, source);
	for (size_t i = 0; i < source->stream_count; i++) {
		const struct perfetto_stream *stream = &perfetto->streams[i];

		perfetto->streams[i].cpu = (struct perfetto_cpu){.tid = -1};
		for (size_t k = 0; k < stream->count; k++)
			source->data_bytes += stream->place[k].at.bytes;
	}
	perfetto->reader.context = (struct text_context){0};
	perfetto->is_opening = false;
}

/* Reads the machine's packets. */
static void perfetto_see(struct perfetto_source *perfetto, uint32_t machine)
{
	perfetto_init(perfetto, machine);
	perfetto_packets_read(&perfetto->packets, packet_see, perfetto);
}

/* A trace that was recorded on a host may be of its virtual machines alone: then that with the most
   events is read. */
static void perfetto_see_other(struct perfetto_source *perfetto)
{
	const struct perfetto_other *most = NULL;
	struct perfetto_packets packets;
	struct buffer *why = perfetto->why;

	for (size_t i = 0; i < perfetto->other_count; i++)
		if (perfetto->other[i].events > (most ? most->events : 0))
			most = &perfetto->other[i];
	if (most) {
		uint32_t machine = most->machine;

		packets = perfetto->packets;
		perfetto_release(perfetto);
		*perfetto = (struct perfetto_source){.packets = packets, .why = why};
		perfetto_packets_rewind(&perfetto->packets);
		perfetto_see(perfetto, machine);
	}
}

static int perfetto_complain(const struct perfetto_source *perfetto, struct buffer *why)
{
	const struct perfetto_packets *packets = &perfetto->packets;

	if (packets->wrong != UINT64_MAX)
		buffer_printf(why, "it is a Perfetto trace that is cut short at byte %llu, before "
		              "its first ftrace event", (unsigned long long)packets->wrong);
	else if (packets->damaged > 0)
		buffer_printf(why, "it is a Perfetto trace of which no ftrace event can be read; "
		              "compressed packets that cannot be unpacked: %llu",
		              (unsigned long long)packets->damaged);
	else
		buffer_puts(why, "it is a Perfetto trace without ftrace events; record with the "
		            "data source linux.ftrace, and the events sched/sched_switch and "
		            "sched/sched_waking");
	return -ENODATA;
}

/* Whether the packets could be read; else returns -errno. */
static int perfetto_check(const struct perfetto_source *perfetto, struct buffer *why)
{
	if (input_file_describe_failure(&perfetto->packets.file, why))
		return perfetto->packets.file.failure->error;
	return perfetto->error;
}

int perfetto_open(const struct input_file *file, struct source **ret, struct buffer *why)
{
	_cleanup_(perfetto_freep) struct perfetto_source *perfetto = xcalloc(1, sizeof(*perfetto));
	int r;

	perfetto->why = why;
	perfetto_packets_init(&perfetto->packets, file);
	perfetto_see(perfetto, 0);
	if (perfetto->events == 0)
		perfetto_see_other(perfetto);
	r = perfetto_check(perfetto, why);
	if (r == 0 && perfetto->events == 0)
		r = perfetto_complain(perfetto, why);
	if (r < 0)
		return r;
	perfetto_note(perfetto, 0);
	perfetto_finish(perfetto);
	if (perfetto->other_count > 0)
		perfetto->source.machine_count = perfetto->other_count < HOSTS_MAX
		                                         ? perfetto->other_count + 1 : HOSTS_MAX;
	*ret = &TAKE_PTR(perfetto)->source;
	return 0;
}

/* The first machine says which ones are beyond the most that there can be. */
static int perfetto_open_machine(const struct source *source, size_t number, struct source **ret,
                                 struct buffer *why)
{
	_cleanup_(perfetto_freep) struct perfetto_source *perfetto = xcalloc(1, sizeof(*perfetto));
	const struct perfetto_source *first = (const struct perfetto_source *)source;
	struct input_file file;
	int r = input_file_open_again(&first->packets.file, &file, why);

	perfetto->why = why;
	perfetto_packets_init(&perfetto->packets, &file);
	perfetto_see(perfetto, number ? first->other[number - 1].machine : first->machine);
	if (r == 0)
		r = perfetto_check(perfetto, why);
	if (r < 0)
		return r;
	perfetto_note(perfetto, number ? SIZE_MAX : HOSTS_MAX - 1);
	perfetto_finish(perfetto);
	perfetto->source.machine_count = source->machine_count;
	*ret = &TAKE_PTR(perfetto)->source;
	return 0;
}
