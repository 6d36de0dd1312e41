/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "clocks/clock_tree.h"
#include "command_lead.h"
#include "ftwait/host.h"
#include "joined_source.h"
#include "talk_log.h"
#include "words/time_scale.h"

/* What is read later is as a message that is received: each reading is one to the common clock, and
   with the next reading one back. */
bool clock_readings_fit(const struct source *source, nsec_t begin, nsec_t end,
                        struct clock_fit *ret)
{
	const struct clock_reading *reading = source->readings;
	const size_t count = source->reading_count;
	struct clock_message *there, *back;
	bool is_found;

	*ret = (struct clock_fit){0};
	if (source->has_common_clock || count == 0)
		return source->has_common_clock;
	there = xcalloc(count, sizeof(*there));
	back = xcalloc(count, sizeof(*back));
	for (size_t i = 0; i < count; i++) {
		back[i] = (struct clock_message){reading[i].own, reading[i].common};
		if (i + 1 < count)
			there[i] = (struct clock_message){reading[i].common, reading[i + 1].own};
	}
	is_found = clock_fit_find(&(struct clock_talk){
		.there = there, .there_count = count - 1,
		.back = back, .back_count = count,
		.first_begin = begin + (reading[0].common - reading[0].own),
		.first_end = end + (reading[0].common - reading[0].own),
		.second_begin = begin, .second_end = end,
	}, ret) == CLOCK_FIT_FOUND;
	free(there);
	free(back);
	return is_found;
}

/* By how much a clock and the time of day may drift apart in a recording. */
#define WRITTEN_DAY_ERROR INT64_C(10000000)

/* What is found of each recording before all are joined. */
struct machine_found {
	struct talk_log talk;
	char name[HOST_BYTES];
	char boot_id[64]; /* ""; not known */
	char clock[32];
	uint64_t trace_clock; /* source_trace_clock() */
	bool has_host;        /* that is its host's */
	bool has_command;     /* it was recorded for one */
	bool has_day;  /* its time of day is known: */
	int64_t day;   /* CLOCK_REALTIME less its clock, at its begin */
	nsec_t day_error; /* by how much that may be wrong; NSEC_NEVER: not known */
	bool is_of_several;      /* its file has other machines, too */
	bool has_common;         /* how its clock relates to the common one of these is known: */
	struct clock_fit common;
};

/* Members of the tree `root`, in `member`. */
#define TREE_EACH(comparison, root, member)                                                   \
	for (size_t member = 0; member < (comparison)->setup->count; member++)                \
		if ((comparison)->tree.clock[member].root == (root))

/* Where the clock of a tree stands on the first machine's. */
struct tree_place {
	bool is_set;
	enum placement placement; /* this and day_bound: as in struct source_part */
	nsec_t day_bound;
	int64_t offset; /* added to times of the tree */
};

struct comparison {
	const struct machines_setup *setup;
	struct machine_found *found;
	struct clock_tree tree;
	struct tree_place *place; /* by root */
	int64_t ahead; /* added to all times beside what the lines give */
};

static void text_keep(char *to, size_t size, const char *text)
{
	(void)snprintf(to, size, "%s", text ? text : "");
}

/* Whether a host name is that of machines without a name. */
static bool is_no_name(const char *name)
{
	return strcmp(name, "(none)") == 0 || strcmp(name, "localhost") == 0;
}

/* A name that can stand before a task's: no ':', which ends it, and nothing that is no name. A host
   name ends at its first full stop; a given name is meant as it is. */
static void name_keep(struct machine_found *found, const char *given, const char *host,
                      size_t index)
{
	const char *name = given ? given : host ? host : "";
	size_t most = given ? strlen(given) : strcspn(name, "."), length = 0;

	for (; length < most && length + 1 < HOST_BYTES; length++) {
		unsigned char byte = (unsigned char)name[length];

		found->name[length] = byte == ':' || byte <= ' ' ? '-' : name[length];
	}
	found->name[length] = '\0';
	if (length == 0 || (!given && is_no_name(found->name)))
		(void)snprintf(found->name, HOST_BYTES, "machine%zu", index);
}

/* No two machines have one name: later ones get their number, or the next one that is free. */
static void names_part(struct machine_found *found, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		size_t length = strlen(found[i].name), number = i;

		if (length > HOST_BYTES - 8)
			length = HOST_BYTES - 8;
		for (size_t k = 0; k < i; k++) {
			if (strcmp(found[i].name, found[k].name) != 0)
				continue;
			(void)snprintf(found[i].name + length, HOST_BYTES - length, "-%zu",
			               number++);
			k = SIZE_MAX; /* that name may be taken, too */
		}
	}
}

static int comparison_read(struct comparison *comparison, size_t index, struct buffer *why)
{
	const struct machines_setup *setup = comparison->setup;
	const struct machine_file *file = &setup->files[index];
	struct machine_found *found = &comparison->found[index];
	struct source *source;
	int r = setup->open(setup->state, index, &source, why);

	if (r < 0)
		return r;
	name_keep(found, file->name, source->notes.machine.host, index);
	text_keep(found->boot_id, sizeof(found->boot_id), source->notes.machine.boot_id);
	text_keep(found->clock, sizeof(found->clock), source->clock);
	found->trace_clock = source_trace_clock(source);
	found->has_host = source->notes.machine.host_trace_id != 0;
	found->has_command = source->notes.command.pid != 0;
	talk_log_read(source, &found->talk);
	found->has_day = source->notes.realtime.count > 0;
	found->day_error = NSEC_NEVER;
	if (found->has_day) {
		found->day = (int64_t)(time_scale_real(&source->notes.realtime, found->talk.begin) -
		                       found->talk.begin);
		found->day_error = time_scale_error(&source->notes.realtime);
	}
	found->is_of_several = source->machine_count > 0;
	found->has_common = clock_readings_fit(source, found->talk.begin, found->talk.end,
	                                       &found->common);
	(void)source_close(source);
	return 0;
}

static bool way_is_same(const struct talk_way *a, const struct talk_way *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->packet[i].time != b->packet[i].time ||
		    a->packet[i].bytes != b->packet[i].bytes)
			return false;
	return true;
}

/* Whether the two are copies of one recording. */
static bool is_one_recording(const struct machine_found *a, const struct machine_found *b)
{
	return a->talk.has_any && (a->boot_id[0] || a->talk.sent.count) &&
	       strcmp(a->boot_id, b->boot_id) == 0 &&
	       a->talk.begin == b->talk.begin && a->talk.end == b->talk.end &&
	       way_is_same(&a->talk.sent, &b->talk.sent) &&
	       way_is_same(&a->talk.received, &b->talk.received);
}

/* Each recording may be given once; else the index of the second one and a phrase. */
static int comparison_check(const struct comparison *comparison, size_t *ret_at, struct buffer *why)
{
	for (size_t i = 1; i < comparison->setup->count; i++)
		for (size_t k = 0; k < i; k++)
			if (is_one_recording(&comparison->found[i], &comparison->found[k])) {
				*ret_at = i;
				return buffer_fail(why, -EINVAL, "it is the same recording as "
				                   "%s; give each machine's recording once",
				                   comparison->setup->files[k].path);
			}
	return 0;
}

/* Whether both were recorded during one boot of one machine, on the same clock. */
static bool is_one_machine(const struct machine_found *a, const struct machine_found *b)
{
	return a->boot_id[0] && strcmp(a->boot_id, b->boot_id) == 0 && a->clock[0] &&
	       strcmp(a->clock, b->clock) == 0;
}

/* The first recording of the machine, on the same clock. */
static uint32_t first_of_machine(const struct comparison *comparison, size_t at)
{
	uint32_t first = 0;

	while (first < at && !is_one_machine(&comparison->found[at], &comparison->found[first]))
		first++;
	return first;
}

static void on_pair(void *state, size_t done, size_t all)
{
	const struct machines_setup *setup = state;

	setup->on_progress("comparing clocks", done, all);
}

static void comparison_find_clocks(struct comparison *comparison)
{
	const struct machines_setup *setup = comparison->setup;
	const struct clock_tree_watch watch = {on_pair, (void *)(uintptr_t)setup};
	size_t count = setup->count;
	struct host_packets *packets = xcalloc(count, sizeof(*packets));

	for (size_t i = 0; i < count; i++) {
		const struct talk_log *talk = &comparison->found[i].talk;

		packets[i] = (struct host_packets){
			.sent = talk->sent.packet,
			.sent_count = talk->sent.count,
			.received = talk->received.packet,
			.received_count = talk->received.count,
			.begin = talk->begin,
			.end = talk->end,
			.near_clock = comparison->found[i].trace_clock,
			.streams = talk->streams.stream,
			.stream_count = talk->streams.count,
			.same_clock = first_of_machine(comparison, i) + 1,
		};
	}
	clock_tree_find(packets, count, setup->on_progress ? &watch : NULL, &comparison->tree);
	free(packets);
}

static bool is_alone(const struct comparison *comparison, size_t root)
{
	size_t members = 0;

	TREE_EACH(comparison, root, i)
		members++;
	return members == 1;
}

/* Machines that no packets relate are related by a clock that was read beside those of all. */
static void comparison_use_common(struct comparison *comparison)
{
	const struct machine_found *first = &comparison->found[0];
	const struct clock_line back = clock_line_inverse(&first->common.line);

	for (size_t i = 1; i < comparison->setup->count && first->has_common; i++) {
		const struct machine_found *found = &comparison->found[i];

		if (found->has_common && is_alone(comparison, i) &&
		    strcmp(found->clock, first->clock) == 0)
			comparison->tree.clock[i] = (struct host_clock){
				.line = clock_line_chain(&back, &found->common.line),
				.bound = nsec_max(first->common.bound + found->common.bound, 1),
			};
	}
}

/* Whether one was recorded on the host of the other, or both are virtual machines of one host, and
   trace-cmd put their times on the host's clock. How well it did is not recorded. */
static bool have_one_host(const struct machine_found *a, const struct machine_found *b)
{
	return (a->has_host || b->has_host) && a->trace_clock && a->trace_clock == b->trace_clock;
}

static int64_t tree_shift(const struct comparison *comparison, size_t machine, nsec_t time)
{
	return clock_line_shift(&comparison->tree.clock[machine].line, time);
}

/* The sum of what both kernels say. */
static nsec_t days_error(const struct machine_found *a, const struct machine_found *b)
{
	return a->day_error == NSEC_NEVER || b->day_error == NSEC_NEVER
	               ? NSEC_NEVER : a->day_error + b->day_error;
}

/* By the time of day of its first machine that has noted it. */
static bool place_by_day(struct comparison *comparison, size_t root)
{
	const struct machine_found *first = &comparison->found[0];
	struct tree_place *place = &comparison->place[root];

	TREE_EACH(comparison, root, i) {
		const struct machine_found *found = &comparison->found[i];

		if (!first->has_day || !found->has_day)
			continue;
		*place = (struct tree_place){
			.is_set = true,
			.placement = PLACED_BY_DAY,
			.day_bound = days_error(first, found),
			.offset = found->day - first->day -
			          tree_shift(comparison, i, found->talk.begin),
		};
		return true;
	}
	return false;
}

/* One file has the times of both, and their times of day do not contradict these. */
static bool place_as_written(struct comparison *comparison, size_t root)
{
	const struct machine_found *first = &comparison->found[0], *found;
	int64_t difference;

	found = &comparison->found[root];
	difference = first->has_day && found->has_day ? found->day - first->day : 0;
	if (!found->is_of_several || difference > WRITTEN_DAY_ERROR ||
	    difference < -WRITTEN_DAY_ERROR)
		return false;
	comparison->place[root] = (struct tree_place){
		.is_set = true,
		.placement = PLACED_AS_WRITTEN,
		.day_bound = NSEC_NEVER,
	};
	return true;
}

static void place_at_begin(struct comparison *comparison, size_t root)
{
	const struct machine_found *found = comparison->found;

	comparison->place[root] = (struct tree_place){
		.is_set = true,
		.placement = PLACED_AT_BEGIN,
		.day_bound = NSEC_NEVER,
		.offset = (int64_t)(found[0].talk.begin - found[root].talk.begin),
	};
}

/* By a machine of it that trace-cmd put on the clock of one that has its place. */
static bool place_by_host(struct comparison *comparison, size_t root)
{
	const struct machine_found *found = comparison->found;

	TREE_EACH(comparison, root, i)
		for (size_t k = 0; k < comparison->setup->count; k++) {
			const struct tree_place *other =
				&comparison->place[comparison->tree.clock[k].root];
			nsec_t begin = found[i].talk.begin;

			if (!other->is_set || !have_one_host(&found[i], &found[k]))
				continue;
			comparison->place[root] = (struct tree_place){
				.is_set = true,
				.placement = PLACED_BY_HOST,
				.day_bound = NSEC_NEVER,
				.offset = other->offset + tree_shift(comparison, k, begin) -
			                  tree_shift(comparison, i, begin),
			};
			return true;
		}
	return false;
}

static bool place_by_hosts(struct comparison *comparison)
{
	bool has_placed = false;

	for (size_t i = 0; i < comparison->setup->count; i++)
		if (comparison->tree.clock[i].root == i && !comparison->place[i].is_set)
			has_placed |= place_by_host(comparison, i);
	return has_placed;
}

static bool has_guest(const struct comparison *comparison, size_t root)
{
	TREE_EACH(comparison, root, i)
		if (comparison->found[i].has_host)
			return true;
	return false;
}

/* Returns the root of the next tree without a place, or SIZE_MAX if all have one. Those with
   virtual machines come last, because the place of the host's recording determines theirs. */
static size_t next_without_place(const struct comparison *comparison)
{
	size_t next = SIZE_MAX;

	for (size_t i = comparison->setup->count; i-- > 0;)
		if (comparison->tree.clock[i].root == i && !comparison->place[i].is_set &&
		    (next == SIZE_MAX || has_guest(comparison, next) || !has_guest(comparison, i)))
			next = i;
	return next;
}

/* Puts the trees beside that of the first machine. */
static void comparison_align(struct comparison *comparison)
{
	size_t next;

	comparison->place[0] = (struct tree_place){.is_set = true, .day_bound = NSEC_NEVER};
	do {
		while (place_by_hosts(comparison))
			;
		next = next_without_place(comparison);
		if (next != SIZE_MAX && !place_as_written(comparison, next) &&
		    !place_by_day(comparison, next))
			place_at_begin(comparison, next);
	} while (next != SIZE_MAX);
	for (size_t i = 0; i < comparison->setup->count; i++)
		comparison->tree.clock[i].line.offset +=
			comparison->place[comparison->tree.clock[i].root].offset;
}

/* If any recording began before the first one's clock did, all times are later by as much. */
static void comparison_lift(struct comparison *comparison)
{
	int64_t least = 0;

	for (size_t i = 0; i < comparison->setup->count; i++) {
		const struct talk_log *talk = &comparison->found[i].talk;
		int64_t begin = (int64_t)talk->begin +
		                clock_line_shift(&comparison->tree.clock[i].line, talk->begin);

		if (talk->has_any && talk->begin < HOST_TIME_MAX && begin < least)
			least = begin;
	}
	comparison->ahead = -least;
}

ORDER_FUNCTION(place_compare, struct packet_place, RISING(x, y, cpu), RISING(x, y, number))

static struct packet_place place_of(const struct machines *machines, uint32_t host,
                                    const struct talk_place *place, uint32_t message)
{
	return (struct packet_place){
		.cpu = machines->source->parts[host].cpu_first + place->cpu,
		.number = place->number,
		.message = message,
	};
}

/* Sorts the places of sent packets; a packet that was received by several machines is one message:
   all its receptions get the number that it keeps. */
static void messages_settle(struct machines *machines, size_t count)
{
	uint32_t *kept = xcalloc(count + 1, sizeof(*kept));
	size_t sent = 0;

	array_sort(machines->sent, count, sizeof(*machines->sent), place_compare);
	for (size_t i = 0; i < count; i++) {
		const struct packet_place *place = &machines->sent[i];

		if (sent && place_compare(&machines->sent[sent - 1], place) == 0) {
			kept[place->message] = machines->sent[sent - 1].message;
			continue;
		}
		kept[place->message] = place->message;
		machines->sent[sent++] = *place;
	}
	for (size_t i = 0; i < count; i++)
		machines->received[i].message = kept[machines->received[i].message];
	array_sort(machines->received, count, sizeof(*machines->received), place_compare);
	free(kept);
	machines->messages = (struct host_messages){machines->sent, machines->received, sent,
	                                            count};
}

static void machines_keep_messages(struct machines *machines, const struct comparison *comparison)
{
	const struct clock_tree *tree = &comparison->tree;

	machines->sent = xcalloc(tree->message_count, sizeof(*machines->sent));
	machines->received = xcalloc(tree->message_count, sizeof(*machines->received));
	for (size_t i = 0; i < tree->message_count; i++) {
		const struct host_message *message = &tree->message[i];
		uint32_t number = (uint32_t)i + 1;

		machines->sent[i] =
			place_of(machines, message->from,
		                 &comparison->found[message->from].talk.sent.place[message->sent],
		                 number);
		machines->received[i] = place_of(
			machines, message->to,
			&comparison->found[message->to].talk.received.place[message->received],
			number);
	}
	messages_settle(machines, tree->message_count);
}

static void comparison_find_leads(const struct comparison *comparison, enum command_lead *ret)
{
	struct lead_machine machines[HOSTS_MAX];

	for (size_t i = 0; i < comparison->setup->count; i++) {
		const struct machine_found *found = &comparison->found[i];
		uint32_t root = comparison->tree.clock[i].root;
		bool is_placed = comparison->place[root].placement != PLACED_AT_BEGIN;

		machines[i] = (struct lead_machine){
			.streams = found->talk.streams.stream,
			.stream_count = found->talk.streams.count,
			.clock = is_placed ? 0 : root,
			.has_command = found->has_command,
		};
	}
	command_lead_find(machines, comparison->setup->count, ret);
}

static int machines_join(struct machines *machines, const struct comparison *comparison,
                         size_t *ret_at, struct buffer *why)
{
	const struct machines_setup *setup = comparison->setup;
	struct source_part *parts = xcalloc(setup->count, sizeof(*parts));
	enum command_lead lead[HOSTS_MAX];
	int r = 0;

	comparison_find_leads(comparison, lead);
	for (size_t i = 0; i < setup->count && r >= 0; i++) {
		const struct machine_found *found = &comparison->found[i];
		const struct host_clock *clock = &comparison->tree.clock[i];
		const struct host_clock *root = &comparison->tree.clock[clock->root];
		const struct tree_place *place = &comparison->place[clock->root];
		nsec_t middle = found->talk.begin + (found->talk.end - found->talk.begin) / 2;

		*ret_at = i;
		r = setup->open(setup->state, i, &parts[i].source, why);
		if (r < 0)
			break;
		if (i > 0 || comparison->ahead)
			parts[i].source =
				source_shift(parts[i].source, &clock->line, comparison->ahead);
		parts[i].file = setup->files[i].path;
		parts[i].name = found->name;
		parts[i].offset = clock_line_shift(&clock->line, middle);
		parts[i].bound = clock->bound;
		parts[i].placement = place->placement;
		parts[i].day_bound = place->day_bound;
		parts[i].matched = clock->matched;
		parts[i].root = clock->root;
		parts[i].via = clock->via;
		parts[i].is_ambiguous = root->is_ambiguous;
		parts[i].lead = lead[i];
	}
	if (r >= 0) {
		machines->source = source_join(parts, setup->count, why);
		r = machines->source ? 0 : -E2BIG;
	} else {
		for (size_t i = 0; i < setup->count; i++)
			(void)source_close(parts[i].source);
	}
	free(parts);
	return r;
}

/* Says that times are not those of the first machine's clock. */
static void machines_note_ahead(struct machines *machines, const struct comparison *comparison)
{
	struct source *source = machines->source;

	if (comparison->ahead == 0)
		return;
	(void)snprintf(machines->note, sizeof(machines->note),
	               "times are %s later than by the clock of %s, which had not begun when "
	               "another machine was recorded",
	               DURATION_TEXT((nsec_t)comparison->ahead), comparison->found[0].name);
	source->health.notes[source->health.note_count++] = machines->note;
}

static void comparison_release(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->setup->count; i++)
		talk_log_release(&comparison->found[i].talk);
	free(comparison->found);
	free(comparison->place);
	clock_tree_release(&comparison->tree);
}

int machines_open(const struct machines_setup *setup, struct machines *ret, size_t *ret_at,
                  struct buffer *why)
{
	struct comparison comparison = {.setup = setup};
	int r = 0;

	*ret = (struct machines){0};
	comparison.found = xcalloc(setup->count, sizeof(*comparison.found));
	comparison.place = xcalloc(setup->count, sizeof(*comparison.place));
	for (size_t i = 0; i < setup->count && r >= 0; i++) {
		*ret_at = i;
		if (setup->on_progress)
			setup->on_progress("reading packets", i, setup->count);
		r = comparison_read(&comparison, i, why);
	}
	if (r >= 0)
		r = comparison_check(&comparison, ret_at, why);
	if (r >= 0) {
		names_part(comparison.found, setup->count);
		comparison_find_clocks(&comparison);
		comparison_use_common(&comparison);
		comparison_align(&comparison);
		comparison_lift(&comparison);
		r = machines_join(ret, &comparison, ret_at, why);
	}
	if (r >= 0) {
		machines_keep_messages(ret, &comparison);
		machines_note_ahead(ret, &comparison);
	}
	comparison_release(&comparison);
	return r;
}

void machines_release(struct machines *machines)
{
	machines->source = source_close(machines->source);
	free(machines->sent);
	free(machines->received);
	*machines = (struct machines){0};
}
