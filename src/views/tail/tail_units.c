/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tail_units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/paths/path_task.h"
#include "analysis/tables/cost_kind.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "graph/walk/competitors.h"
#include "graph/walk/walk.h"

/* Keys and leaves of a recording; the time of more is TAIL_OTHER, or has no leaf. */
#define KEYS_MAX (1u << 16)

/* Keys and leaves of one unit while it is walked, and of one wait; the time of more likewise. */
#define ROWS_MAX   64
#define ENDS_MAX   16

/* The time of a key with one leaf. */
struct unit_row {
	uint32_t key, leaf;
	nsec_t total;
};

/* Where the walk of a wait came to, as the walk says it: tasks have no names yet. */
struct wait_end {
	enum part_state state;
	const struct cause_note *cause;
	uint32_t track;
	nsec_t total;
};

/* A unit while it is walked, newest part first. */
struct unit_walk {
	struct tail_units *units;
	uint32_t track;
	nsec_t begin;
	nsec_t left_out;
	size_t depth;
	uint32_t hop; /* the track that the task itself waits for, while depth > 0 */
	/* the task's own wait that is being walked, by its segment; SIZE_MAX: none */
	size_t wait;
	nsec_t waited;     /* of the wait so far, without the run queue after it */
	struct voter hops; /* of that */
	struct wait_end end[ENDS_MAX];
	size_t end_count;
	struct unit_row row[ROWS_MAX];
	size_t row_count;
};

void tail_units_init(struct tail_units *units, struct timeline *timeline,
                     const struct interrupt_log *interrupts, const struct sync_calls *syncs)
{
	*units = (struct tail_units){
		.timeline = timeline, .interrupts = interrupts, .syncs = syncs};
	tally_init(&units->keys, sizeof(*units->key), sizeof(units->key->key), KEYS_MAX);
	tally_init(&units->leaves, sizeof(*units->leaf), sizeof(*units->leaf), KEYS_MAX);
	(void)tally_row(&units->keys, &(struct tail_key){.what = TAIL_OTHER});
	assert(units->key_count == TAIL_KEY_OTHER + 1);
}

void tail_units_release(struct tail_units *units)
{
	tally_release(&units->keys);
	tally_release(&units->leaves);
	free(units->unit);
	free(units->part);
	free(units->leaf_time);
	*units = (struct tail_units){0};
}

/* The number of the key's row, which counts so much of that task behind it. */
static uint32_t key_number(struct tail_units *units, const struct tail_key *key, uint32_t behind,
                           nsec_t time)
{
	struct tail_key_row *row = tally_row(&units->keys, key);

	if (!row)
		return TAIL_KEY_OTHER;
	if (behind != TRACK_NONE)
		voter_vote(&row->behind, behind, time);
	return tally_number(&units->keys, row);
}

static void row_add(struct unit_walk *walk, uint32_t key, uint32_t leaf, nsec_t time)
{
	size_t at = 0;

	while (at < walk->row_count && (walk->row[at].key != key || walk->row[at].leaf != leaf))
		at++;
	if (at == ROWS_MAX) {
		/* the last row has the rest */
		at--;
		walk->row[at].key = TAIL_KEY_OTHER;
		walk->row[at].leaf = TAIL_NONE;
	} else if (at == walk->row_count) {
		walk->row[walk->row_count++] = (struct unit_row){.key = key, .leaf = leaf};
	}
	walk->row[at].total += time;
}

static void plain_add(struct unit_walk *walk, enum tail_what what, nsec_t time)
{
	const struct tail_key key = {.what = what};

	if (time)
		row_add(walk, key_number(walk->units, &key, TRACK_NONE, time), TAIL_NONE, time);
}

/* How long the CPU was in interrupts in [begin, end). */
static nsec_t interrupted_in(const struct interrupt_log *log, uint16_t cpu, nsec_t begin,
                             nsec_t end)
{
	const struct interrupt_cpu *of;
	nsec_t sum = 0;

	if (cpu >= log->cpu_count)
		return 0;
	of = &log->cpu[cpu];
	for (size_t i = ARRAY_AFTER(of->stretch, of->count, end, begin);
	     i < of->count && of->stretch[i].begin < end; i++)
		sum += nsec_min(of->stretch[i].end, end) - nsec_max(of->stretch[i].begin, begin);
	return sum;
}

static void run_add(struct unit_walk *walk, const struct part *part)
{
	nsec_t length = part->end - part->begin;
	nsec_t interrupted =
		interrupted_in(walk->units->interrupts, part->cpu, part->begin, part->end);

	assert(interrupted <= length);
	plain_add(walk, TAIL_RAN, length - interrupted);
	plain_add(walk, TAIL_INTERRUPTED, interrupted);
}

/* key: of the wait that ended so. A wait for a disk has one leaf, whichever thread waited for the
   disk. */
static uint32_t leaf_of(struct unit_walk *walk, const struct tail_key *key,
                        const struct wait_end *end)
{
	struct timeline *timeline = walk->units->timeline;
	enum cost_kind kind = cost_of_part(end->state, end->cause);
	bool is_wait = kind == COST_WAIT && end->cause;
	bool is_own = end->track == walk->track ||
	              (is_wait && end->cause->kind == CAUSE_DISK &&
	               key->aim.kind == AIM_DISK && key->behind == 0);
	const struct tail_leaf leaf = {
		.kind = kind,
		.cause = is_wait ? (uint32_t)end->cause->kind + 1 : 0,
		.name = is_wait ? cost_object(timeline, end->cause) : 0,
		.comm = is_own ? 0 : cost_task(timeline, end->track),
	};
	const struct tail_leaf *row = tally_row(&walk->units->leaves, &leaf);

	return row ? tally_number(&walk->units->leaves, row) : TAIL_NONE;
}

/* The task that was waited for: the walk followed it for at least half of the wait, or else it is
   known to have held what the waiter wanted. */
static uint32_t wait_behind(const struct unit_walk *walk)
{
	uint32_t behind = voter_task(&walk->hops);

	if (behind == TRACK_NONE || walk->hops.all < walk->waited - walk->hops.all)
		behind = timeline_aim(walk->units->timeline, walk->track, walk->wait).holder;
	return behind == walk->track ? TRACK_NONE : behind;
}

/* The same aim for all that is one to people: a condition of glibc has several futexes, in turn,
   which are called by their places in it: "ready+0x28", "ready+0x2c". */
static struct aim_key wait_aim(struct timeline *timeline, struct brief_aim aim)
{
	struct aim_key key = aim_key_of(timeline, aim);
	const char *place = aim.kind == AIM_CONDITION && aim.name ? strstr(aim.name, "+0x") : NULL;
	_cleanup_(buffer_release) struct buffer whole = {0};

	if (!place || place == aim.name)
		return key;
	buffer_append(&whole, aim.name, (size_t)(place - aim.name));
	key.name = intern_adds(&timeline->names, whole.text);
	return key;
}

/* The request of a disk that most of the wait went to; NULL: none, as far as the walk shows. */
static const struct cause_note *wait_disk(const struct unit_walk *walk)
{
	const struct wait_end *most = NULL;

	for (size_t i = 0; i < walk->end_count; i++) {
		const struct wait_end *end = &walk->end[i];

		if (end->state == PART_WAITING && end->cause && end->cause->kind == CAUSE_DISK &&
		    (!most || end->total > most->total))
			most = end;
	}
	return most ? most->cause : NULL;
}

/* Whether the wait was for a disk, whoever ended it: a file system has threads of its own for what
   is left to do when requests are completed, and for its journal. */
static bool wait_is_for_disk(const struct unit_walk *walk, enum aim_kind aim, uint32_t behind)
{
	struct timeline *timeline = walk->units->timeline;
	struct track *track = &timeline->track[walk->track];

	if (aim == AIM_DISK)
		return behind == TRACK_NONE || track_is_kernel(timeline, behind);
	return aim == AIM_NONE && behind != TRACK_NONE && track_is_kernel(timeline, behind) &&
	       sync_calls_have(walk->units->syncs, walk->track, track->segment[walk->wait].begin,
	                       timeline_segment_end(track, walk->wait));
}

/* Clears *behind if that is one of the threads by which the file system waits for the disk. */
static struct tail_key wait_key(const struct unit_walk *walk, uint32_t *behind)
{
	struct timeline *timeline = walk->units->timeline;
	const struct segment *segment = &timeline->track[walk->track].segment[walk->wait];
	const struct cause_note *cause = segment_cause(timeline, segment);
	struct brief_aim aim = brief_aim_of_segment(timeline, walk->track, walk->wait);
	const struct cause_note *disk = segment->kind == SEGMENT_WAIT ? wait_disk(walk) : NULL;

	if (disk && wait_is_for_disk(walk, aim.kind, *behind)) {
		aim = brief_aim_of_cause(timeline, walk->track, disk);
		*behind = TRACK_NONE;
	}
	return (struct tail_key){
		.what = segment->kind == SEGMENT_STOPPED ? TAIL_STOPPED : TAIL_WAIT,
		.aim = wait_aim(timeline, aim),
		.cause = aim.kind == AIM_NONE && cause ? (uint32_t)cause->kind + 1 : 0,
		.behind = *behind == TRACK_NONE ? 0 : cost_task(timeline, *behind),
	};
}

/* Adds the wait that was walked, with the run queue after it, and begins none. */
static void wait_flush(struct unit_walk *walk)
{
	struct tail_key key;
	uint32_t behind, number;
	nsec_t all = 0;

	if (walk->wait == SIZE_MAX)
		return;
	for (size_t i = 0; i < walk->end_count; i++)
		all += walk->end[i].total;
	behind = wait_behind(walk);
	key = wait_key(walk, &behind);
	if (walk->units->leaves_out_idle && key.what == TAIL_WAIT &&
	    timeline_chosen_sleep(walk->units->timeline, walk->track, walk->wait) ==
	            SLEEP_FOR_WORK) {
		walk->left_out += all;
	} else {
		number = key_number(walk->units, &key, behind, all);
		for (size_t i = 0; i < walk->end_count; i++)
			row_add(walk, number, leaf_of(walk, &key, &walk->end[i]),
			        walk->end[i].total);
	}
	walk->wait = SIZE_MAX;
	walk->waited = 0;
	walk->hops = (struct voter){0};
	walk->end_count = 0;
}

static void wait_begin(struct unit_walk *walk, size_t wait)
{
	if (walk->wait == wait)
		return;
	wait_flush(walk);
	walk->wait = wait;
}

static void wait_end_add(struct unit_walk *walk, const struct part *part)
{
	size_t at = 0;

	while (at < walk->end_count &&
	       (walk->end[at].state != part->state || walk->end[at].cause != part->cause ||
	        walk->end[at].track != part->track))
		at++;
	if (at == ENDS_MAX)
		at--; /* the last one has the rest */
	else if (at == walk->end_count)
		walk->end[walk->end_count++] = (struct wait_end){
			.state = part->state, .cause = part->cause, .track = part->track};
	walk->end[at].total += part->end - part->begin;
}

static bool segment_is_wait(const struct segment *segment)
{
	return segment->kind == SEGMENT_WAIT || segment->kind == SEGMENT_STOPPED;
}

/* Whether the segment is a stay in a run queue that there would not be without the wait before it.
   A sleep that the task chose is over when its time is: who has the CPU then is another reason. */
static bool queue_is_of_wait(const struct timeline *timeline, uint32_t index, size_t at,
                             nsec_t unit_begin)
{
	const struct segment *segment = &timeline->track[index].segment[at];
	const struct cause_note *note;

	return segment->kind == SEGMENT_RUNNABLE && at > 0 && segment->begin > unit_begin &&
	       segment_is_wait(segment - 1) &&
	       timeline_aim_kind(timeline, index, at - 1, &note) != AIM_TIME;
}

/* The wait that the task's own segment belongs to, or comes after in a run queue; SIZE_MAX: none
   within the unit. */
static size_t wait_of(const struct unit_walk *walk, size_t at)
{
	const struct track *track = &walk->units->timeline->track[walk->track];

	if (at == SIZE_MAX)
		return SIZE_MAX;
	if (queue_is_of_wait(walk->units->timeline, walk->track, at, walk->begin))
		at--;
	return segment_is_wait(&track->segment[at]) ? at : SIZE_MAX;
}

/* A part of the task itself that is of no wait. */
static void own_add(struct unit_walk *walk, const struct part *part)
{
	nsec_t length = part->end - part->begin;
	bool is_limit = part->cause && part->cause->kind == CAUSE_THROTTLED;

	wait_flush(walk);
	if (part->depth == 0 && part->state == PART_RUNNING)
		run_add(walk, part);
	else if (part->depth == 0 && part->state == PART_RUNNABLE)
		plain_add(walk, is_limit ? TAIL_LIMIT : TAIL_QUEUE, length);
	else
		plain_add(walk, TAIL_UNKNOWN, length);
}

static bool part_is_of_wait(const struct part *part)
{
	return part->depth > 0 || part->state == PART_WAITING || part->state == PART_STOPPED ||
	       (part->state == PART_RUNNABLE &&
	        !(part->cause && part->cause->kind == CAUSE_THROTTLED));
}

static void take_part(void *state, const struct part *part)
{
	struct unit_walk *walk = state;
	struct track *track = &walk->units->timeline->track[walk->track];
	size_t wait = SIZE_MAX;

	if (part->begin == part->end)
		return;
	if (part_is_of_wait(part))
		wait = wait_of(walk, timeline_find(track, part->end));
	/* several sleeps may be walked as one: then its parts do not end where the sleeps do */
	if (wait == SIZE_MAX && part->depth > 0)
		wait = walk->wait;
	if (wait == SIZE_MAX) {
		own_add(walk, part);
		return;
	}
	wait_begin(walk, wait);
	wait_end_add(walk, part);
	if (part->depth > 0 || part->state != PART_RUNNABLE)
		walk->waited += part->end - part->begin;
	if (part->depth > 0 && walk->depth > 0)
		voter_vote(&walk->hops, walk->hop, part->end - part->begin);
}

static void take_descent(void *state, uint32_t waiter, uint32_t track,
                         const struct cause_note *cause)
{
	struct unit_walk *walk = state;

	(void)waiter;
	(void)cause;
	if (walk->depth++ == 0)
		walk->hop = track;
}

static void take_ascent(void *state)
{
	struct unit_walk *walk = state;

	assert(walk->depth > 0);
	walk->depth--;
}

static int row_compare(const void *a, const void *b)
{
	const struct unit_row *x = a, *y = b;

	return ORDER_BY(RISING(x, y, key), FALLING(x, y, total), RISING(x, y, leaf));
}

static int part_compare(const void *a, const void *b)
{
	const struct tail_part *x = a, *y = b;

	return ORDER_BY(FALLING(x, y, total), RISING(x, y, key));
}

/* Makes one part of all rows of a key; its leaves are those of the rows from `first_leaf` on, the
   largest first. Returns how many. */
static size_t parts_fold(struct unit_walk *walk, struct tail_part part[ROWS_MAX])
{
	size_t count = 0;

	array_sort(walk->row, walk->row_count, sizeof(*walk->row), row_compare);
	for (size_t i = 0; i < walk->row_count; i++) {
		const struct unit_row *row = &walk->row[i];

		if (count == 0 || part[count - 1].key != row->key)
			part[count++] = (struct tail_part){.key = row->key, .first_leaf = i};
		part[count - 1].total += row->total;
		part[count - 1].leaf_count++;
	}
	array_sort(part, count, sizeof(*part), part_compare);
	return count;
}

/* Keeps the part, with its largest leaves: fewer once the unit's parts have many. */
static void part_keep(struct tail_units *units, const struct unit_walk *walk,
                      const struct tail_part *part, size_t times)
{
	const uint32_t most = times < TAIL_PARTS_MAX ? TAIL_LEAVES_MAX : 1;
	struct tail_part kept = {
		.key = part->key, .total = part->total, .first_leaf = units->leaf_time_count};

	for (uint32_t i = 0; i < part->leaf_count && kept.leaf_count < most; i++) {
		const struct unit_row *row = &walk->row[part->first_leaf + i];

		if (row->leaf == TAIL_NONE)
			continue;
		ARRAY_GROW(units->leaf_time, units->leaf_time_count, units->leaf_time_capacity);
		units->leaf_time[units->leaf_time_count++] =
			(struct tail_leaf_time){row->leaf, row->total};
		kept.leaf_count++;
	}
	ARRAY_GROW(units->part, units->part_count, units->part_capacity);
	units->part[units->part_count++] = kept;
}

/* Keeps the largest parts. Those beyond TAIL_PARTS_MAX become one. */
static void parts_keep(const struct unit_walk *walk, struct tail_unit *unit,
                       const struct tail_part *part, size_t count)
{
	struct tail_units *units = walk->units;
	size_t first = units->leaf_time_count;
	nsec_t rest = 0;

	unit->first = units->part_count;
	for (size_t i = 0; i < count; i++) {
		if (part[i].key == TAIL_KEY_OTHER ||
		    (count > TAIL_PARTS_MAX && unit->count >= TAIL_PARTS_MAX - 1)) {
			rest += part[i].total;
			continue;
		}
		part_keep(units, walk, &part[i], units->leaf_time_count - first);
		unit->count++;
	}
	if (rest == 0)
		return;
	part_keep(units, walk, &(struct tail_part){.key = TAIL_KEY_OTHER, .total = rest}, 0);
	unit->count++;
	assert(units->leaf_time_count - first <= TAIL_TIMES_MAX);
}

static nsec_t parts_sum(const struct tail_units *units, const struct tail_unit *unit)
{
	nsec_t sum = 0;

	for (uint32_t i = 0; i < unit->count; i++)
		sum += units->part[unit->first + i].total;
	return sum;
}

void tail_units_add(struct tail_units *units, const struct turn *turn)
{
	struct unit_walk walked = {
		.units = units, .track = turn->track, .begin = turn->begin, .wait = SIZE_MAX};
	const struct walk_visitor visitor = {
		.state = &walked,
		.on_part = take_part,
		.on_descend = take_descent,
		.on_ascend = take_ascent,
	};
	struct tail_unit unit = {.track = turn->track, .begin = turn->begin, .end = turn->end};
	struct tail_part part[ROWS_MAX];
	size_t count;

	walk(units->timeline, turn->track, turn->begin, turn->end, &visitor, &units->result);
	wait_flush(&walked);
	unit.length = turn->end - turn->begin - walked.left_out;
	count = parts_fold(&walked, part);
	parts_keep(&walked, &unit, part, count);
	assert(unit.count <= TAIL_PARTS_MAX && parts_sum(units, &unit) == unit.length);
	ARRAY_GROW(units->unit, units->count, units->capacity);
	units->unit[units->count++] = unit;
}

void tail_units_choose(const struct tail_units *units, const size_t *number, size_t count,
                       struct tail_units *ret)
{
	struct tail_unit *chosen = xcalloc(count + 1, sizeof(*chosen));

	for (size_t i = 0; i < count; i++)
		chosen[i] = units->unit[number[i]];
	free(ret->unit);
	*ret = *units;
	ret->unit = chosen;
	ret->count = count;
}

struct tail_part *tail_unit_part(const struct tail_units *units, const struct tail_unit *unit,
                                 uint32_t key)
{
	for (uint32_t i = 0; i < unit->count; i++)
		if (units->part[unit->first + i].key == key)
			return &units->part[unit->first + i];
	return NULL;
}

nsec_t tail_part_leaf(const struct tail_units *units, const struct tail_part *part, uint32_t leaf)
{
	for (uint32_t i = 0; i < part->leaf_count; i++)
		if (units->leaf_time[part->first_leaf + i].leaf == leaf)
			return units->leaf_time[part->first_leaf + i].total;
	return 0;
}

/* Adds the unit's stays in run queues that come after no wait, latest first. Returns how long
   interrupts had the CPUs meanwhile. */
static nsec_t queues_add(struct competitors *competitors, const struct interrupt_log *interrupts,
                         struct track *track, const struct tail_unit *unit)
{
	nsec_t interrupted = 0;

	for (size_t at = timeline_find(track, unit->end);
	     at != SIZE_MAX && timeline_segment_end(track, at) > unit->begin; at--) {
		const struct segment *segment = &track->segment[at];
		nsec_t begin = nsec_max(segment->begin, unit->begin);
		nsec_t end = nsec_min(timeline_segment_end(track, at), unit->end);

		if (segment->kind != SEGMENT_RUNNABLE || segment->cause != CAUSE_NONE ||
		    queue_is_of_wait(competitors->timeline, unit->track, at, unit->begin))
			continue;
		competitors_add(competitors, segment->cpu, begin, end, PRIORITY_UNKNOWN);
		interrupted += interrupted_in(interrupts, segment->cpu, begin, end);
	}
	return interrupted;
}

/* How long tasks with the track's name had the CPU. */
static nsec_t had_by_name(const struct tail_units *units, const struct had_cpu *had,
                          uint32_t track)
{
	uint32_t name = cost_task(units->timeline, track);
	nsec_t sum = 0;

	for (uint32_t other = 0; other < had->track_count; other++)
		if (had->by_track[other] && cost_task(units->timeline, other) == name)
			sum += had->by_track[other];
	return sum;
}

/* Who had the CPU for most of that, with those of the same name for at least half of it;
   TRACK_NONE: nobody, or interrupts. */
static uint32_t queue_behind(struct tail_units *units, const struct tail_unit *unit, nsec_t queued)
{
	/* the log of interrupts is read from its end: for each of many units that takes too long */
	const struct interrupt_log none = {0};
	struct competitors competitors;
	struct had_cpu had = {0};
	nsec_t most;
	uint32_t behind = TRACK_NONE;

	competitors_init(&competitors, units->timeline, &none, &had);
	most = queues_add(&competitors, units->interrupts, &units->timeline->track[unit->track],
	                  unit);
	competitors_finish(&competitors);
	most = nsec_max(most, had.idle);
	for (uint32_t track = 0; track < had.track_count; track++) {
		if (had.by_track[track] <= most)
			continue;
		most = had.by_track[track];
		behind = track;
	}
	if (behind != TRACK_NONE && 2 * had_by_name(units, &had, behind) < queued)
		behind = TRACK_NONE;
	had_cpu_release(&had);
	return behind;
}

void tail_units_name_queue(struct tail_units *units, const struct tail_unit *unit, nsec_t least)
{
	const struct tail_key_row *unnamed =
		tally_find(&units->keys, &(struct tail_key){.what = TAIL_QUEUE});
	struct tail_key key = {.what = TAIL_QUEUE};
	struct tail_part *part = NULL;
	uint32_t behind;

	if (unnamed)
		part = tail_unit_part(units, unit, tally_number(&units->keys, unnamed));
	if (!part || part->total < least)
		return;
	behind = queue_behind(units, unit, part->total);
	if (behind == TRACK_NONE)
		return;
	key.behind = cost_task(units->timeline, behind);
	part->key = key_number(units, &key, behind, part->total);
}
