/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences on a whole machine: its CPUs, disks and network, idle tasks, standstills. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/cost_kind.h"
#include "analysis/tables/machine_time.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "summary.h"
#include "tally/tally.h"
#include "words/cause/cause_kind.h"
#include "words/task_words.h"

/* How much network devices sent and received, for the first sentence on a whole machine. Traffic
   of a window is known to TRAFFIC_SLICE, about a millisecond; so that of a short window is not
   reported. */

struct device_use {
	struct keyed_sum of; /* key: machine << 32 | name id; total: bytes */
	struct traffic_interval sum;
};

struct network_use {
	const struct question *question;
	struct keyed_sums devices; /* struct device_use */
};

static void network_use_take(void *state, const struct interval *interval)
{
	struct network_use *use = state;
	const struct traffic_interval *traffic = &interval->traffic;
	uint64_t machine = hosts_of_cpu(&use->question->timeline->hosts, interval->cpu);
	struct device_use *device = keyed_sums_of(&use->devices, machine << 32 | traffic->dev);

	device->of.total += traffic->sent + traffic->received;
	device->sum.sent += traffic->sent;
	device->sum.received += traffic->received;
	device->sum.sent_here += traffic->sent_here;
	device->sum.received_here += traffic->received_here;
}

const struct gatherer network_use = {
	.state_bytes = sizeof(struct network_use),
	.sum_count = 1,
	.sum_bytes = sizeof(struct device_use),
	.on_interval = network_use_take,
	.interval_kinds = INTERVAL_MASK(INTERVAL_TRAFFIC),
};

/* Whether all packets of that direction were recorded, as far as the file says. */
static bool is_recorded(const struct network_use *use, bool are_sent)
{
	const struct resolved *resolved = use->question->resolved;
	enum event_kind kind = are_sent ? EVENT_NET_QUEUE : EVENT_NET_RECEIVE;
	const char *event = are_sent ? "net:net_dev_queue" : "net:netif_receive_skb";

	return resolved->seen.has[kind] ||
	       recorded_events(&resolved->recorded, "net", event, resolved->described.has[kind]) ==
	               EVENTS_NONE;
}

static bool is_known(const struct network_use *use)
{
	return use->devices.count > 0 &&
	       (!use->question->resolved->is_windowed ||
	        question_length(use->question) >= TRAFFIC_LEAST);
}

/* What the device of the machine with the most bytes carried, `beyond` it or in all; nothing if
   there is none. Packets that cross within the machine may be counted on one side of a window's
   edge, and the rest of their bytes on the other. */
static struct traffic_interval busiest(const struct network_use *use, uint32_t machine, bool beyond)
{
	struct traffic_interval most = {.dev = 0};

	TALLY_ROWS(&use->devices.tally, const struct device_use, device) {
		struct traffic_interval sum = device->sum;

		sum.dev = (uint32_t)device->of.key;
		sum.sent -= beyond ? nsec_min(sum.sent, sum.sent_here) : 0;
		sum.received -= beyond ? nsec_min(sum.received, sum.received_here) : 0;
		if (device->of.key >> 32 == machine &&
		    sum.sent + sum.received > most.sent + most.received)
			most = sum;
	}
	return most;
}

/* Appends "network eth0 1.2 MiB/s out, 0.1 MiB/s in": the device that carried most bytes to or from
   other machines; if none did, the one that carried most within this machine, such as lo. Appends
   nothing if no packets were recorded. A direction of which none were recorded is left out. Only
   devices of that machine count. */
static void network_use_append(const struct network_use *use, uint32_t machine, struct buffer *to)
{
	const struct timeline *timeline = use->question->timeline;
	struct traffic_interval most = busiest(use, machine, /* beyond= */ true);
	nsec_t length = machine_time(use->question, machine);
	bool has_sent = is_recorded(use, true), has_received = is_recorded(use, false);
	_cleanup_(buffer_release) struct buffer name = {0};

	if (most.sent + most.received == 0)
		most = busiest(use, machine, /* beyond= */ false);
	if (!is_known(use) || length == 0 || most.sent + most.received == 0)
		return;
	prose_machine_append(&name, timeline, machine);
	prose_name_append(&name, timeline, most.dev);
	say(to, NULL, "network {text}[{if} at least][ {size}/s out[{if},]][ {size}/s in]",
	    TEXT(name.text), IF(health_is_impaired(use->question->health)),
	    WHEN(has_sent, SIZE(nsec_per_second(most.sent, length))), IF(has_received),
	    WHEN(has_received, SIZE(nsec_per_second(most.received, length))));
}

static const struct column columns[] = {
	{MACHINE_COLUMN},
	{"dev", NULL, CELL_TEXT, 0},
	{"sent_bytes", NULL, CELL_COUNT, 0},
	{"received_bytes", NULL, CELL_COUNT, 0},
	{"sent_here_bytes", NULL, CELL_COUNT, 0},
	{"received_here_bytes", NULL, CELL_COUNT, 0},
};

static struct cell cell_of_bytes(uint64_t bytes, bool is_known)
{
	return (struct cell){.type = is_known ? CELL_COUNT : CELL_EMPTY, .count = bytes};
}

static const struct relation_form form = {.order = {{RELATION_AT(struct device_use, of.total)}}};

/* Puts the bytes of each device, for JSON, if packets were recorded. */
static void network_use_put(const struct network_use *use, const struct output *to)
{
	const struct timeline *timeline = use->question->timeline;
	size_t skip = machine_column_skip(timeline), count = ARRAY_SIZE(columns) - skip;
	bool has_sent = is_recorded(use, true), has_received = is_recorded(use, false);
	const struct tally devices =
		relation_of(use->devices.element, sizeof(struct device_use), use->devices.count);
	struct relation_rows rows;
	struct cell *cells;

	if (!is_known(use))
		return;
	rows = relation_choose(&devices, &form, use, use->question);
	cells = xcalloc(rows.count * count, sizeof(*cells));
	for (size_t i = 0; i < rows.count; i++) {
		const struct device_use *device = rows.row[i];
		const struct cell cell[] = {
			cell_of_machine(timeline, (uint32_t)(device->of.key >> 32)),
			{.type = CELL_TEXT,
			 .text = intern_text(&timeline->names, (uint32_t)device->of.key)},
			cell_of_bytes(device->sum.sent, has_sent),
			cell_of_bytes(device->sum.received, has_received),
			cell_of_bytes(device->sum.sent_here, has_sent),
			cell_of_bytes(device->sum.received_here, has_received),
		};

		memcpy(&cells[i * count], cell + skip, count * sizeof(*cells));
	}
	output_field(to, "networks", NULL, &(struct cell){
		.type = CELL_ROWS,
		.rows = {columns + skip, count, cells, rows.count},
	});
	free(cells);
	relation_rows_release(&rows);
}

bool summary_is_of_machine(const struct summary *summary)
{
	const struct question *question = summary->question;

	return summary->explanation->path_track == TRACK_NONE &&
	       !question->resolved->is_targeted && !question_has_filter(question);
}

/* What the use of its CPUs and disks makes of a machine. */
static const char *lead_words(const struct cpu_use *use, double disk)
{
	if (cpu_use_is_too_little(use))
		return TOO_LITTLE_CPU;
	if (disk >= PART_ALWAYS)
		return "A disk is the limit";
	if (cpu_use_is_full(use))
		return "No CPU to spare";
	return cpu_use_busy(use) <= PART_IDLE && disk <= PART_IDLE ? "Mostly idle" : "Partly busy";
}

/* What held tasks of a name up: costs of their own, then what they waited for by cause. */
enum { HOLDER_WAITS = COST_KIND_COUNT, HOLDER_COUNT = HOLDER_WAITS + CAUSE_KIND_COUNT };

struct sufferer {
	struct keyed_sum of; /* key: name id; total: held up */
	nsec_t by[HOLDER_COUNT];
};

static nsec_t holders_of(const struct summary *summary, const struct times *times, nsec_t *by)
{
	nsec_t sum = 0;

	memset(by, 0, HOLDER_COUNT * sizeof(*by));
	for (enum cpu_limit limit = 0; limit < CPU_LIMIT_COUNT; limit++)
		by[cost_of_limit(limit)] += times->limited[limit];
	by[COST_QUEUE] = times->runnable - times->throttled;
	by[COST_STOPPED] = times->stopped;
	if (explanation_walks(summary->explanation, times->track)) {
		for (enum cause_kind kind = 0; kind < CAUSE_KIND_COUNT; kind++)
			if (cause_kinds[kind].holds_up || kind == CAUSE_LOCK ||
			    kind == CAUSE_WORK || kind == CAUSE_WORK_PENDING)
				by[HOLDER_WAITS + kind] = times->by_kind[kind];
	}
	for (size_t i = 0; i < HOLDER_COUNT; i++)
		sum += by[i];
	return sum;
}

nsec_t times_held_up(const struct summary *summary, const struct times *times)
{
	nsec_t by[HOLDER_COUNT], sum = holders_of(summary, times, by);

	return explanation_walks(summary->explanation, times->track) ? sum - times->by_others_work
	                                                             : sum;
}

static void sufferer_add(struct keyed_sums *sums, const struct summary *summary,
                         const struct times *times)
{
	uint32_t name = track_name(&summary->question->timeline->track[times->track]);
	nsec_t by[HOLDER_COUNT];
	struct sufferer *sufferer;

	if (times->held_up_time == 0)
		return;
	(void)holders_of(summary, times, by);
	keyed_sums_add_time(sums, name, times->held_up_time);
	sufferer = keyed_sums_of(sums, name);
	for (size_t i = 0; i < HOLDER_COUNT; i++)
		sufferer->by[i] += by[i];
}

/* What held it up most. */
static size_t holder_of(const struct sufferer *sufferer)
{
	size_t most = 0;

	for (size_t i = 1; i < HOLDER_COUNT; i++)
		if (sufferer->by[i] > sufferer->by[most])
			most = i;
	return most;
}

/* "Held up most: stress-ng-cpu 6.322 s (run queue 98 %), fio 2.463 s (disk 77 %)
   (--blame: by which tasks)." */
static void sufferers_print(const struct summary *summary, const struct output *to)
{
	const struct timeline *timeline = summary->question->timeline;
	_cleanup_(buffer_release) struct buffer names = {0}, next = {0};
	_cleanup_(keyed_sums_release) struct keyed_sums sums;
	const struct sufferer *most;
	const char *view;
	size_t holder;

	keyed_sums_init(&sums, sizeof(struct sufferer), SIZE_MAX);
	SUMMARY_EACH(summary, times)
		if (!track_is_of_recorder(summary->question, times->track))
			sufferer_add(&sums, summary, times);
	keyed_sums_sort(&sums);
	if (sums.total < question_length(summary->question) / DIVISOR_HELD_UP)
		return;
	for (size_t i = 0; i < sums.count && i < SHOWN_SUFFERERS; i++) {
		const struct sufferer *sufferer = keyed_sums_at(&sums, i);
		double share;

		if (nsec_ratio(sufferer->of.total, sums.total) < PART_NAME)
			break;
		holder = holder_of(sufferer);
		share = nsec_ratio(sufferer->by[holder], sufferer->of.total);
		say(&names, timeline, "{,}{name} {time} ({text}[ {share}])",
		    NAME((uint32_t)sufferer->of.key), TIME(sufferer->of.total),
		    TEXT(holder < HOLDER_WAITS
		                 ? cost_kind_words((enum cost_kind)holder)
		                 : cause_kind_words((enum cause_kind)(holder - HOLDER_WAITS))),
		    WHEN(share < PART_WHOLE, SHARE(share)));
	}
	if (!names.length)
		return;
	most = keyed_sums_at(&sums, 0);
	holder = holder_of(most);
	view = holder < HOLDER_WAITS ? NULL : cause_kinds[holder - HOLDER_WAITS].view;
	say(&next, NULL, "--{text}",
	    TEXT(view && view_can_show(summary->question, view) ? view : "sched"));
	say_fact(to, NULL,
	         FACT(FACT_CAUSE, .next = next.text, .figure = FIGURE_TIME,
	              .time = most->of.total),
	         "Held up most: {text} (--blame: by which tasks).", TEXT(names.text));
}

static void machine_print(const struct summary *summary, uint32_t machine, const struct output *to)
{
	const struct hosts *hosts = &summary->question->timeline->hosts;
	const struct cpu_use use = summary_cpu_use(summary, machine);
	bool is_full = cpu_use_is_full(&use);
	uint32_t unrecorded = /* CPUs, though tasks were there */
		hosts_cpu_count(hosts, machine, summary->question->recording.cpu_count) - use.cpus;
	double disk;
	_cleanup_(buffer_release) struct buffer line = {0}, lead = {0}, device = {0}, others = {0},
		network = {0};

	if (use.cpus == 0 || use.length == 0)
		return;
	disk = disk_uses_busiest(advices_state(summary->advices, &disk_uses), machine, &device);
	if (unrecorded)
		cpus_unrecorded_append(&others, summary->question->health, machine);
	buffer_puts(&lead, lead_words(&use, disk));
	if (hosts->count) /* no begin of a sentence */
		lead.text[0] = (char)tolower((unsigned char)lead.text[0]);
	say(&line, NULL,
	    "[{text}: ]{text}: the {many}[{number} ][{if}recorded ]CPU{ was|s were} busy {share} "
	    "of the time[, with [{if}at least ]{decimal} tasks for {it|them} on average][; {text}]["
	    "; disk {text} {share}]",
	    TEXT(hosts_name(hosts, machine)), TEXT(lead.text), MANY(use.cpus),
	    WHEN(use.cpus != 1, NUMBER(use.cpus)), IF(unrecorded),
	    SHARE(cpu_use_busy(&use)), IF(is_full && summary_lacks_wakeups(summary)),
	    WHEN(is_full, DECIMAL(cpu_use_demand(&use))), TEXT(others.text), TEXT(device.text),
	    WHEN(disk > 0, SHARE(disk)));
	network_use_append(advices_state(summary->advices, &network_use), machine, &network);
	if (network.length && line.length + network.length <= LEAD_BYTES) {
		say(&line, NULL, "; {text}", TEXT(network.text));
		buffer_clear(&network);
	}
	prose_end_fact(to, &line,
	               &FACT(FACT_ANSWER, .next = "--sched", .figure = FIGURE_NUMBER,
	                     .number = cpu_use_busy(&use)));
	if (network.length) /* too long: a sentence of its own */
		network.text[0] = 'N';
	prose_end(to, &network);
}

void machine_lead_print(const struct summary *summary, const struct output *to)
{
	const struct question *question = summary->question;
	uint32_t machines = question->timeline->hosts.count;

	/* without switches, what is not known to wait seems to run */
	if (question->recording.cpu_count < 1 || question_length(question) == 0 ||
	    !event_kinds_have_any(&question->resolved->seen, EVENT_LIST(EVENT_SCHED_SWITCH)))
		return;
	for (uint32_t machine = 0; machine < (machines ? machines : 1); machine++)
		machine_print(summary, machine, to);
	network_use_put(advices_state(summary->advices, &network_use), to);
	sufferers_print(summary, to);
}

void machine_idle_print(const struct summary *summary, const struct relation_rows *tasks,
                        const struct output *to)
{
	size_t idle = 0, kernel = 0;

	for (size_t i = 0; i < tasks->count; i++) {
		const struct times *times = tasks->row[i];
		nsec_t chosen = explanation_taken(summary->explanation, times->track).chosen +
		                times->open_unknown + times->by_others_work;
		nsec_t awake = times->running + times->held_up_time;
		nsec_t known = times->time - times->unknown;

		/* it only slept and was not held up, judged by the times that were recorded */
		if (explanation_walks(summary->explanation, times->track))
			awake += times->waiting > chosen ? times->waiting - chosen : 0;
		if (known == 0 || nsec_ratio(awake, known) > 1 - PART_ASLEEP)
			continue;
		idle++;
		kernel += track_is_kernel(summary->question->timeline, times->track);
	}
	if (idle)
		say_to(to, NULL,
		       "Idle: {count} of the {count} tasks[, among them {count} thread{|s} of the "
		       "kernel,] slept for at least 99 % of the time, and nothing held them up.",
		       COUNT(idle), COUNT(tasks->count), WHEN(kernel, COUNT(kernel)));
}

/* Standstills. The idle tasks have no spans. */

#define HOLDS_MAX 4096

void standstill_release(struct standstill *standstill)
{
	free(standstill->ran_until);
	free(standstill->hold);
}

static bool made_stand_still(const struct hold *hold)
{
	return hold->queued >= QUEUED_LEAST && hold->queued >= QUEUED_TO_RAN * hold->ran;
}

/* Of the oldest recent hold it is known by now whether others stood still. */
static void hold_close(struct standstill *standstill)
{
	struct hold *oldest = &standstill->hold[standstill->closed];

	if (made_stand_still(oldest) && standstill->closed < HOLDS_MAX) {
		standstill->closed++;
		return;
	}
	standstill->count--;
	memmove(oldest, oldest + 1, (standstill->count - standstill->closed) * sizeof(*oldest));
}

static void standstill_hold(struct standstill *standstill, const struct span *span)
{
	const struct timeline *timeline = standstill->question->timeline;
	const struct track *holder = &timeline->track[span->track];
	uint32_t ran = 0;

	if (span->end - span->begin < HOLD_FAIR_LEAST &&
	    !priority_is_real_time(track_rank(holder, span->begin).priority))
		return;
	for (uint32_t track = 0; track < standstill->track_count; track++)
		ran += track != span->track && standstill->ran_until[track] > span->begin &&
		       timeline->track[track].host == holder->host &&
		       !track_is_kernel(timeline, track);
	if (standstill->count - standstill->closed == STANDSTILL_RECENT)
		hold_close(standstill);
	ARRAY_ADD(standstill->hold, standstill->count, standstill->capacity) = (struct hold){
		.begin = span->begin,
		.end = span->end,
		.track = span->track,
		.ran = ran,
	};
}

static void standstill_queue(struct standstill *standstill, const struct span *span)
{
	const struct timeline *timeline = standstill->question->timeline;

	EACH_OF(standstill->hold + standstill->closed, standstill->count - standstill->closed,
	        struct hold, hold) {
		nsec_t begin = nsec_max(hold->begin, span->begin);
		nsec_t end = nsec_min(hold->end, span->end);

		if (begin < end &&
		    (double)(end - begin) >= PART_ALWAYS * (double)(hold->end - hold->begin) &&
		    timeline->track[hold->track].host == timeline->track[span->track].host &&
		    !track_is_kernel(timeline, span->track))
			hold->queued++;
	}
}

void standstill_add(struct standstill *standstill, const struct span *span)
{
	nsec_t length = span->end - span->begin;

	if (span->kind == SEGMENT_RUN) {
		ARRAY_REACH(standstill->ran_until, standstill->track_count,
		            standstill->track_capacity, span->track);
		if (length >= HOLD_LEAST)
			standstill_hold(standstill, span);
		standstill->ran_until[span->track] = span->end;
	} else if (span->kind == SEGMENT_RUNNABLE && !span->cause &&
	           (double)length >= PART_ALWAYS * HOLD_LEAST) {
		standstill_queue(standstill, span);
	}
}

void standstill_print(const struct standstill *standstill, const struct output *to)
{
	const struct question *question = standstill->question;
	_cleanup_(keyed_sums_release) struct keyed_sums held;
	_cleanup_(buffer_release) struct buffer instants = {0};
	const struct keyed_sum *most; /* the longest holds in all */
	const struct hold *first = NULL, *hold = standstill->hold;
	uint32_t holder, queued = 0;
	nsec_t longest = 0;
	size_t count = 0;
	int priority;

	keyed_sums_init(&held, sizeof(*most), SIZE_MAX);
	for (size_t i = 0; i < standstill->count; i++)
		if (made_stand_still(&hold[i]))
			keyed_sums_add_time(&held, hold[i].track, hold[i].end - hold[i].begin);
	most = keyed_sums_most(&held);
	holder = most ? (uint32_t)most->key : TRACK_NONE;
	for (size_t i = 0; i < standstill->count; i++, hold++) {
		if (hold->track != holder || !made_stand_still(hold))
			continue;
		if (!first)
			first = hold;
		longest = nsec_max(longest, hold->end - hold->begin);
		queued = hold->queued > queued ? hold->queued : queued;
		if (count++ < SHOWN_INSTANTS)
			say(&instants, NULL, "{,}{instant}",
			    INSTANT(&question->instants, hold->begin));
	}
	if (!first)
		return;
	priority = track_rank(&question->timeline->track[holder], first->begin).priority;
	say_fact(to, question->timeline, FACT(FACT_REASON, .next = "--sched"),
	       "Nearly all that could run stood still: at {text}[ and {number} more times], for "
	       "[{if}up to ]{time}, [{if}up to ]{number} programs were in run queues while "
	       "[{ranked}|{task}] kept its CPU (--sched).",
	       TEXT(instants.text), WHEN(count > SHOWN_INSTANTS, NUMBER(count - SHOWN_INSTANTS)),
	       IF(count > 1), TIME(longest), IF(count > 1), NUMBER(queued),
	       WHEN(priority_is_real_time(priority), RANKED_AT(holder, priority)), TASK(holder));
}
