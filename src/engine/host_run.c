/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "ftwait/stream.h"
#include "recording_remarks.h"
#include "words/task_words.h"
#include "words/kernel/trace_clock.h"

/* The symbols, which the source provides only once. The second thread may be using the source, so
   it is paused. */
static struct symbols *host_run_symbols(struct host_run *host)
{
	if (symbols_are_read(host->symbols))
		return host->symbols;
	host->pause(host->thread);
	symbols_read(host->symbols);
	host->resume(host->thread);
	return host->symbols;
}

static const char *find_symbol(void *state, uint64_t address)
{
	return symbols_find(host_run_symbols(state), address);
}

static const char *find_symbol_within(void *state, uint64_t address)
{
	return symbols_find_within(host_run_symbols(state), address);
}

static const char *find_object(void *state, uint64_t address)
{
	return symbols_find_object(host_run_symbols(state), address);
}

static bool host_run_names_locks(const struct host_run *host, const struct machine_setup *setup)
{
	bool is_asked = false;

	for (size_t i = 0; i < setup->interval_sink_count; i++)
		is_asked |= setup->interval_sinks[i].kinds & INTERVAL_MASK(INTERVAL_LOCK);
	return is_asked && host->decoder->described.has[EVENT_LOCK_BEGIN];
}

void host_run_open(struct host_run *host, const struct machine_setup *setup)
{
	struct machine_setup own = *setup;

	host->decoder = decoder_new(host->source);
	host->symbols = host->kernel ? symbols_new_of_text(host->kernel)
	                             : symbols_new(host->source);
	own.host = host->number;
	own.source = host->source;
	own.symbol = find_symbol;
	own.symbol_within = find_symbol_within;
	own.object = find_object;
	own.symbols = host;
	own.user_function = host->users ? user_frames_name : NULL;
	own.user_file = user_frames_name_file;
	own.user_variable = host->users ? user_frames_name_variable : NULL;
	own.user_period = user_frames_period;
	own.users = host->users;
	own.health = host->health;
	own.lacks_contexts = host->source->lacks_contexts;
	own.lacks_timers = host->source->lacks_timers;
	machine_setup_expect(&own, &host->decoder->described);
	if (host_run_names_locks(host, setup))
		symbols_keep_objects(host->symbols);
	host->machine = machine_new(&own);
}

void host_run_close(struct host_run *host)
{
	machine_free(host->machine);
	symbols_free(host->symbols);
	decoder_free(host->decoder);
	health_release(&host->own);
}

void host_run_begin(struct host_run *host, nsec_t time)
{
	host->has_any = true;
	host->first = time;
	host->last = time;
	host->whole_from = time;
	machine_begin(host->machine, time);
}

static void host_run_note_input(struct host_run *host)
{
	const struct source *source = host->source;

	host->health->input_damaged |= source->health.damaged;
	for (size_t i = 0; i < source->health.note_count; i++)
		if (!host->kernel || !strstr(source->health.notes[i], STREAM_NOTE_UNNAMED))
			health_note(host->health, "%s", source->health.notes[i]);
}

void host_run_note_overwritten(struct host_run *host, uint64_t events, nsec_t end)
{
	if (events != LOST_UNCOUNTED)
		host->overwritten += events;
	host->has_overwritten = true;
	host->whole_from = nsec_max(host->whole_from, end);
}

static void host_run_note_events(struct host_run *host)
{
	const struct source *source = host->source;
	struct health *health = host->health;
	struct event_kinds seen = host->seen;
	const struct recording_remarks remarks = {
		.source = source,
		.seen = &seen,
		.has_wakeup_timers = decoder_hide_parts(host->decoder, &seen),
		.described = &host->decoder->recorded,
		.state_form = decoder_state_form(host->decoder),
		.has_any = host->has_any,
	};

	if (host->users)
		user_frames_note(host->users, health);
	if (source->clock && !source->is_scaled && !trace_clock_find(source->clock))
		health_doubt(health, "its clock \"%s\" is not known: its time stamps are taken as "
		                     "nanoseconds", source->clock);
	recording_remarks_lacks(&remarks, health);
	if (host->has_any && recording_remarks_lack(&remarks, EVENT_SCHED_SWITCH)) {
		/* even if wake-ups alone show something */
		health->explained_ns = 0;
		health->unseen_ns = 0;
	}
	if (host->has_overwritten)
		health_note(health, "%s older events were overwritten, as --ring keeps the newest: "
		            "the events of all CPUs are there from %s after its begin on",
		            host->overwritten ? COUNT_TEXT(host->overwritten) : "some",
		            DURATION_TEXT(host->whole_from - host->first));
	if (host->decoder->formats_bad)
		health_doubt(health, "%zu event format%s could not be read: such events are left "
		             "out",
		             host->decoder->formats_bad,
		             format_plural(host->decoder->formats_bad));
	recording_remarks_rest(&remarks, health);
}

/* Reports show only the first notes. Damage comes first, then notes on missing events, since these
   explain most unknown causes; the other notes of the recording come last. */
void host_run_note(struct host_run *host)
{
	if (host->source->health.damaged)
		host_run_note_input(host);
	host_run_note_events(host);
	if (!host->source->health.damaged)
		host_run_note_input(host);
}

/* Machines of which the same is said. */
struct host_group {
	const char **name;
	size_t count;
};

static void group_add(struct host_group *group, const struct source *source, size_t machine)
{
	group->name[group->count++] = source->parts[machine].name;
}

static void placed_append(const struct source_part *part, bool are_several, struct buffer *to)
{
	static const char *const words[] = {
		[PLACED_AT_BEGIN] = " placed as if all began together",
		[PLACED_BY_DAY] = " placed by time of day",
		[PLACED_BY_HOST] = " placed as trace-cmd measured it",
		[PLACED_AS_WRITTEN] = " placed by the times that the file has of all",
	};

	buffer_puts(to, are_several ? "they are" : "it is");
	buffer_puts(to, words[part->placement]);
	if (part->day_bound != NSEC_NEVER)
		buffer_printf(to, " (+-%s if both kernels' times of day are as exact as they say)",
		              DURATION_TEXT(part->day_bound));
}

static const char *unclear_words(const struct source_part *part)
{
	return part->is_ambiguous ? "the packets between them fit several differences of the "
	                            "clocks, or one of these was set"
	                          : "no packets between them were recognized on both sides";
}

static bool is_unclear(const struct source_part *part)
{
	return part->root != 0;
}

/* How many machines can be compared with that one, itself included. */
static size_t tree_size(const struct source *source, const struct source_part *part)
{
	size_t size = 0;

	for (size_t i = 0; i < source->part_count; i++)
		size += source->parts[i].root == part->root;
	return size;
}

/* Whether one line says of both that they cannot be compared with the first one: both belong to one
   tree, or both are alone. */
static bool are_unclear_alike(const struct source *source, size_t one, size_t other)
{
	const struct source_part *a = &source->parts[one], *b = &source->parts[other];

	return is_unclear(a) && is_unclear(b) &&
	       (a->root == b->root ||
	        (tree_size(source, a) == 1 && tree_size(source, b) == 1 &&
	         a->placement == b->placement && a->day_bound == b->day_bound &&
	         a->is_ambiguous == b->is_ambiguous));
}

static void note_unclear(const struct source *source, size_t first,
                         const struct host_group *group, struct health *health)
{
	const struct source_part *part = &source->parts[first];
	_cleanup_(buffer_release) struct buffer names = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(buffer_release) struct buffer placed = buffer_of(BUFFER_LIMIT_DEFAULT);

	host_names_append(&names, group->name, group->count);
	placed_append(part, group->count > 1, &placed);
	if (group->count == 1)
		buffer_printf(&placed, ", and nothing leads from %s or to it", names.text);
	else if (tree_size(source, part) == 1)
		buffer_puts(&placed, ", and nothing leads from them or to them");
	else
		buffer_puts(&placed, ", and nothing leads from these to others or back");
	health_doubt(health, "the clocks of %s and the other machines cannot be compared: %s; %s",
	             names.text, unclear_words(part), placed.text);
}

/* Notes the machines with clocks that could not be compared with that of the first one. */
static void clocks_note(const struct source *source, struct host_group *group,
                        struct health *health)
{
	for (size_t i = 1; i < source->part_count; i++) {
		bool is_noted = !is_unclear(&source->parts[i]);

		for (size_t k = 1; k < i; k++)
			is_noted |= are_unclear_alike(source, i, k);
		if (is_noted)
			continue;
		group->count = 0;
		for (size_t k = i; k < source->part_count; k++)
			if (are_unclear_alike(source, i, k))
				group_add(group, source, k);
		note_unclear(source, i, group, health);
	}
}

/* Returns the machine that trace-cmd compared the part's clock with, if that machine's clock is the
   root's; else NULL. */
static const struct source_part *measured_with(const struct source *source,
                                               const struct source_part *part)
{
	uint64_t clock = source_trace_clock(part->source);

	for (size_t i = 0; i < source->part_count; i++) {
		const struct source_part *other = &source->parts[i];

		if (other->root == part->root && other->bound == 0 &&
		    (other->source->notes.machine.host_trace_id ||
		     part->source->notes.machine.host_trace_id) && clock &&
		    clock == source_trace_clock(other->source))
			return other;
	}
	return NULL;
}

/* trace-cmd compared the clocks of a host and its virtual machines. Adds a note for each result
   that the messages between the two prove wrong. */
static void measured_note(const struct source *source, struct health *health)
{
	for (size_t i = 1; i < source->part_count; i++) {
		const struct source_part *part = &source->parts[i];
		const struct source_part *other = measured_with(source, part);
		nsec_t wrong;

		if (!other || part->bound == 0)
			continue;
		wrong = part->offset > other->offset ? (nsec_t)(part->offset - other->offset)
		                                     : (nsec_t)(other->offset - part->offset);
		if (wrong <= part->bound)
			continue;
		health_note(health,
		            "what trace-cmd measured of the clocks of %s and %s is wrong by %s "
		            "(+-%s), by their messages; times are corrected by that",
		            other->name, part->name, DURATION_TEXT(wrong),
		            DURATION_TEXT(part->bound));
	}
}

static bool has_note(const struct health *health, const char *note)
{
	for (size_t i = 0; i < health->note_count; i++)
		if (strcmp(health->notes[i], note) == 0)
			return true;
	return false;
}

/* Adds note number `of` of machine `first`, unless that was done for an earlier one. */
static void note_join(const struct source *source, const struct host_run *hosts, size_t first,
                      size_t of, struct host_group *group, struct health *ret)
{
	const char *note = hosts[first].health->notes[of];
	bool is_doubt = hosts[first].health->doubts >> of & 1;
	_cleanup_(buffer_release) struct buffer names = buffer_of(BUFFER_LIMIT_DEFAULT);

	for (size_t i = 0; i < first; i++)
		if (has_note(hosts[i].health, note))
			return;
	group->count = 0;
	for (size_t i = first; i < source->part_count; i++)
		if (has_note(hosts[i].health, note))
			group_add(group, source, i);
	host_names_append(&names, group->name, group->count);
	(is_doubt ? health_doubt : health_note)(ret, "%s: %s", names.text, note);
}

void host_notes_join(const struct source *source, const struct host_run *hosts, struct health *ret)
{
	struct host_group group = {.name = xcalloc(source->part_count, sizeof(char *))};

	clocks_note(source, &group, ret);
	measured_note(source, ret);
	for (size_t i = 0; i < source->part_count; i++)
		health_join(ret, hosts[i].health);
	for (size_t i = 0; i < source->part_count; i++)
		for (size_t n = 0; n < hosts[i].health->note_count; n++)
			note_join(source, hosts, i, n, &group, ret);
	free(group.name);
}

/* The packets of one CPU that are messages, and how many of all were there so far. */
struct packet_walk {
	const struct packet_place *place; /* of all CPUs; NULL: there are none */
	size_t next, end;
	uint32_t number;
};

struct host_events {
	struct packet_walk *sent, *received; /* by CPU */
	uint32_t cpu_count;
};

static struct packet_walk *walks_new(const struct packet_place *place, size_t count,
                                     uint32_t cpu_count)
{
	struct packet_walk *walks = xcalloc(cpu_count, sizeof(*walks));
	size_t at = 0;

	for (uint32_t cpu = 0; cpu < cpu_count; cpu++) {
		walks[cpu].place = place;
		walks[cpu].next = at;
		while (at < count && place[at].cpu == cpu)
			at++;
		walks[cpu].end = at;
	}
	return walks;
}

struct host_events *host_events_new(const struct host_messages *messages, uint32_t cpu_count)
{
	struct host_events *events = xcalloc(1, sizeof(*events));
	const struct host_messages none = {0};

	if (!messages)
		messages = &none;
	events->cpu_count = cpu_count;
	events->sent = walks_new(messages->sent, messages->sent_count, cpu_count);
	events->received = walks_new(messages->received, messages->received_count, cpu_count);
	return events;
}

struct host_events *host_events_free(struct host_events *events)
{
	if (!events)
		return NULL;
	free(events->sent);
	free(events->received);
	free(events);
	return NULL;
}

/* The message that the next packet of the CPU is; 0: none. */
static uint32_t walk_next(struct packet_walk *walk)
{
	uint32_t number = walk->number++;

	if (walk->next == walk->end || walk->place[walk->next].number != number)
		return 0;
	return walk->place[walk->next++].message;
}

void host_event_fit(struct host_events *events, struct device_names *devices, uint32_t host,
                    uint32_t cpu_first, struct event *event)
{
	uint32_t cpu = event->cpu < events->cpu_count ? event->cpu : events->cpu_count - 1;

	switch ((int)event->kind) {
	case EVENT_SCHED_WAKING:
	case EVENT_SCHED_WAKEUP:
	case EVENT_SCHED_WAKEUP_NEW:
		if (event->wake.cpu >= 0)
			event->wake.cpu += cpu_first;
		break;
	case EVENT_SCHED_MIGRATE:
		event->migrate.to_cpu += cpu_first;
		break;
	case EVENT_NET_QUEUE:
		event->net.message = walk_next(&events->sent[cpu]);
		break;
	case EVENT_NET_RECEIVE:
		event->net.message = walk_next(&events->received[cpu]);
		break;
	case EVENT_FLOCK:
	case EVENT_POSIX_LOCK:
	case EVENT_POSIX_LOCK_END:
		event->file_lock.dev =
			device_names_number(devices, host, (uint32_t)event->file_lock.dev);
		break;
	case EVENT_FILE_ADD:
	case EVENT_FILE_DIRTY:
	case EVENT_FILE_SYNC:
	case EVENT_FILE_SYNC_END:
	case EVENT_FILE_SYNC_CALL:
		event->file.dev = device_names_number(devices, host, (uint32_t)event->file.dev);
		break;
	case EVENT_BLOCK_QUEUE:
	case EVENT_BLOCK_INSERT:
	case EVENT_BLOCK_ISSUE:
	case EVENT_BLOCK_REQUEUE:
	case EVENT_BLOCK_COMPLETE:
	case EVENT_BLOCK_DERIVE:
		event->block.dev = device_names_number(devices, host, (uint32_t)event->block.dev);
		event->block.from_dev =
			device_names_number(devices, host, (uint32_t)event->block.from_dev);
		break;
	default:
		break;
	}
}
