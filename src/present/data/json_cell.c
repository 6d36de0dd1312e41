/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json_cell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "words/cause/cause_kind.h"
#include "words/cause/futex_kind.h"
#include "words/cause/stall.h"

void json_task(struct json_writer *json, const struct task *task)
{
	if (!task) {
		json_put_null(json);
		return;
	}
	json_object_begin(json, JSON_INLINE);
	json_key(json, "tid");
	json_put_i64(json, task->tid);
	json_key(json, "tgid");
	if (task->tgid < 0)
		json_put_null(json);
	else
		json_put_i64(json, task->tgid);
	json_member_string(json, "comm", task->comm);
	if (task->host) {
		json_key(json, "machine");
		json_put_u64(json, task->machine);
	}
	if (task->cgroup)
		json_member_string(json, "cgroup", *task->cgroup ? task->cgroup : NULL);
	json_object_end(json);
}

static void put_title(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)value;
	json_put_string(json, cause->name);
}

static void put_task(struct json_writer *json, bool has_task, const struct task *task)
{
	json_task(json, has_task ? task : NULL);
}

static void put_waker(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)value;
	put_task(json, cause->has_waker, &cause->waker);
}

static void put_originator(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)value;
	put_task(json, cause->has_originator, &cause->originator);
}

static void put_what(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)value;
	json_put_string(json, cause->what);
}

static void put_disk(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)value;
	json_put_string(json, cause->disk);
}

static void put_u16(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)cause;
	json_put_u64(json, *(const uint16_t *)value);
}

static void put_u32(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)cause;
	json_put_u64(json, *(const uint32_t *)value);
}

static void put_u64(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)cause;
	json_put_u64(json, *(const uint64_t *)value);
}

static void put_index(struct json_writer *json, const struct cause *cause, const void *value)
{
	int32_t index = *(const int32_t *)value;

	(void)cause;
	if (index < 0)
		json_put_null(json);
	else
		json_put_i64(json, index);
}

static void put_bool(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)cause;
	json_put_bool(json, *(const bool *)value);
}

static void put_string(struct json_writer *json, const struct cause *cause, const void *value)
{
	json_put_string(json, cause_string(cause, *(const uint32_t *)value));
}

static void put_time(struct json_writer *json, const struct cause *cause, const void *value)
{
	uint32_t time = *(const uint32_t *)value;

	(void)cause;
	if (time == TIME_UNKNOWN)
		json_put_null(json);
	else
		json_put_u64(json, time);
}

static void put_device(struct json_writer *json, const struct cause *cause, const void *value)
{
	uint32_t dev = *(const uint32_t *)value;

	(void)cause;
	json_put_string(json, dev ? DEVICE_TEXT(dev) : NULL);
}

static void put_address(struct json_writer *json, const struct cause *cause, const void *value)
{
	uint64_t address = *(const uint64_t *)value;
	char text[32];

	(void)cause;
	(void)snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_put_string(json, address ? text : NULL);
}

static void put_call(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)cause;
	json_put_string(json, sleep_call_name((enum sleep_call)*(const uint8_t *)value));
}

static void put_call_what(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)cause;
	json_put_string(json, sleep_call_what((enum sleep_call)*(const uint8_t *)value));
}

static void put_limit(struct json_writer *json, const struct cause *cause, const void *value)
{
	(void)cause;
	json_put_string(json, cpu_limit_name((enum cpu_limit)*(const uint8_t *)value));
}

static void (*const member_writers[MEMBER_TYPE_COUNT])(struct json_writer *, const struct cause *,
                                                       const void *value) = {
	[MEMBER_TITLE] = put_title,     [MEMBER_WAKER] = put_waker,
	[MEMBER_WHAT] = put_what,       [MEMBER_ORIGINATOR] = put_originator,
	[MEMBER_DISK] = put_disk,
	[MEMBER_U16] = put_u16,         [MEMBER_U32] = put_u32,
	[MEMBER_U64] = put_u64,         [MEMBER_INDEX] = put_index,
	[MEMBER_BOOL] = put_bool,       [MEMBER_STRING] = put_string,
	[MEMBER_TIME] = put_time,       [MEMBER_DEVICE] = put_device,
	[MEMBER_ADDRESS] = put_address, [MEMBER_CALL] = put_call,
	[MEMBER_CALL_WHAT] = put_call_what, [MEMBER_LIMIT] = put_limit,
};

static void json_members(struct json_writer *json, const struct cause *cause)
{
	const struct cause_member *member = cause_kinds[cause->kind].member;

	for (; member->key; member++) {
		if (member->is_rare && !member->is_known(cause))
			continue;
		json_key(json, member->key);
		if (member->is_known && !member->is_known(cause))
			json_put_null(json);
		else
			member_writers[member->type](json, cause, cause_member_at(cause, member));
	}
}

/* The program's variable that a cause of kind task is named by; NULL: none. */
static const char *futex_variable(const struct cause *cause)
{
	size_t prefix = sizeof(FUTEX_NAME_PREFIX) - 1;

	return (cause->kind == CAUSE_TASK || cause->kind == CAUSE_UNKNOWN) && cause->name &&
	                       strncmp(cause->name, FUTEX_NAME_PREFIX, prefix) == 0
	               ? cause->name + prefix
	               : NULL;
}

/* The file that was read or synced. */
static void json_inode(struct json_writer *json, const struct cause *cause)
{
	if (!cause->inode)
		return;
	json_key(json, "inode");
	json_put_u64(json, cause->inode);
	json_member_string(json, "inode_dev", DEVICE_TEXT(cause->inode_dev));
	json_key(json, "fsync");
	json_put_bool(json, cause->is_sync);
}

void json_cause(struct json_writer *json, const struct cause *cause)
{
	const char *variable;

	if (!cause) {
		json_put_null(json);
		return;
	}
	json_object_begin(json, JSON_INLINE);
	json_member_string(json, "kind", cause_kind_name(cause->kind));
	variable = futex_variable(cause);
	json_member_string(json, "name", variable ? "futex" : cause->name);
	json_members(json, cause);
	if (variable)
		json_member_string(json, "variable", variable);
	/* causes of any kind may have it; some kinds always have it, null if it is not known */
	if (cause->what && !cause_kind_has(cause->kind, MEMBER_WHAT))
		json_member_string(json, "what", cause->what);
	if (cause->file)
		json_member_string(json, "file", cause->file);
	json_inode(json, cause);
	if (cause->purpose)
		json_member_string(json, "for", cause->purpose);
	if (cause_stall(cause))
		json_member_string(json, "stall", cause_stall(cause)->key);
	if (cause->request)
		json_member_string(json, "request", cause->request);
	/* the waker behind a work item, a signal or a packet, if it is not the cause's task */
	if (cause->has_waker && !cause_kind_has(cause->kind, MEMBER_WAKER)) {
		json_key(json, "waker");
		json_task(json, &cause->waker);
	}
	if (cause_has_stopper(cause)) {
		json_key(json, "stopped_by");
		json_task(json, &cause->originator);
	}
	json_object_end(json);
}

/* Writes an array of the functions of `text`, which has ";" between them; NULL: null. */
static void json_frames(struct json_writer *json, const char *text)
{
	_cleanup_(freep) char *frames = text ? xstrdup(text) : NULL;
	char *rest = frames;
	const char *function;

	if (!frames) {
		json_put_null(json);
		return;
	}
	json_array_begin(json, JSON_INLINE);
	while ((function = strsep(&rest, ";")))
		json_put_string(json, function);
	json_array_end(json);
}

static void json_link_stacks(struct json_writer *json, const struct chain_link *link)
{
	json_key(json, "stack");
	json_frames(json, link->stack);
	json_key(json, "user_stack");
	json_frames(json, link->user_stack);
	json_key(json, "waker_stack");
	json_frames(json, link->waker_stack);
}

/* Begins the object of an aim with what all of them have; false: nothing is known, and null is
   written. */
static bool aim_begin(struct json_writer *json, enum aim_kind kind, const char *name)
{
	if (kind == AIM_NONE) {
		json_put_null(json);
		return false;
	}
	json_object_begin(json, JSON_INLINE);
	json_member_string(json, "kind", aim_kind_name(kind));
	json_member_string(json, "name", name);
	return true;
}

void json_brief_aim(struct json_writer *json, const struct brief_aim *aim)
{
	if (aim_begin(json, aim->kind, aim->name))
		json_object_end(json);
}

static void json_links(struct json_writer *json, const struct links *links)
{
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < links->count; i++) {
		json_object_begin(json, JSON_INLINE);
		json_member_string(json, "comm", links->link[i].comm);
		json_member_string(json, "state", links->link[i].state);
		json_key(json, "cause");
		json_cause(json, links->link[i].cause);
		json_key(json, "aim");
		json_brief_aim(json, &links->link[i].aim);
		if (links->has_stacks)
			json_link_stacks(json, &links->link[i]);
		json_object_end(json);
	}
	json_array_end(json);
}

static void json_by_kind(struct json_writer *json, const nsec_t *by_kind)
{
	json_object_begin(json, JSON_INLINE);
	for (unsigned kind = 0; by_kind && kind < CAUSE_KIND_COUNT; kind++)
		if (by_kind[kind])
			json_member_u64(json, cause_kind_name(kind), by_kind[kind]);
	json_object_end(json);
}

static void empty_cell(struct json_writer *json, const struct cell *cell)
{
	(void)cell;
	json_put_null(json);
}

static void text_cell(struct json_writer *json, const struct cell *cell)
{
	json_put_string(json, cell->text);
}

static void count_cell(struct json_writer *json, const struct cell *cell)
{
	json_put_u64(json, cell->count);
}

static void integer_cell(struct json_writer *json, const struct cell *cell)
{
	json_put_i64(json, cell->integer);
}

static void time_cell(struct json_writer *json, const struct cell *cell)
{
	if (cell->time == NSEC_NEVER)
		json_put_null(json);
	else
		json_put_u64(json, cell->time);
}

static void ratio_cell(struct json_writer *json, const struct cell *cell)
{
	json_put_real(json, cell->ratio);
}

static void bool_cell(struct json_writer *json, const struct cell *cell)
{
	json_put_bool(json, cell->boolean);
}

static void task_cell(struct json_writer *json, const struct cell *cell)
{
	json_task(json, &cell->task);
}

static void cause_cell(struct json_writer *json, const struct cell *cell)
{
	json_cause(json, cell->cause);
}

static void aim_cell(struct json_writer *json, const struct cell *cell)
{
	const struct aim *aim = cell->aim;

	if (!aim_begin(json, aim->kind, aim->name))
		return;
	json_member_u64(json, "began_ns", aim->begin);
	json_member_string(json, "ended", aim_end_name(aim->end));
	json_key(json, "holders");
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < aim->holder_count; i++)
		json_task(json, &aim->holder[i]);
	json_array_end(json);
	json_member_string(json, "peer", aim->peer);
	json_object_end(json);
}

static void brief_aim_cell(struct json_writer *json, const struct cell *cell)
{
	json_brief_aim(json, &cell->brief_aim);
}

static void confidence_cell(struct json_writer *json, const struct cell *cell)
{
	json_put_string(json, confidence_name(cell->confidence));
}

static void links_cell(struct json_writer *json, const struct cell *cell)
{
	json_links(json, &cell->links);
}

static void frames_cell(struct json_writer *json, const struct cell *cell)
{
	json_frames(json, cell->text);
}

static void distribution_cell(struct json_writer *json, const struct cell *cell)
{
	const struct distribution_sum *sum = cell->distribution;

	json_object_begin(json, JSON_INLINE);
	json_member_u64(json, "count", sum->count);
	json_member_u64(json, "total_ns", sum->total);
	json_member_u64(json, "min_ns", sum->min);
	json_member_u64(json, "p50_ns", sum->p50);
	json_member_u64(json, "p90_ns", sum->p90);
	json_member_u64(json, "p99_ns", sum->p99);
	json_member_u64(json, "max_ns", sum->max);
	json_member_u64(json, "max_at_ns", sum->max_at);
	json_key(json, "histogram");
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < sum->bucket_count; i++) {
		json_object_begin(json, JSON_INLINE);
		json_member_u64(json, "from_ns", sum->bucket[i].from);
		json_member_u64(json, "to_ns", sum->bucket[i].to);
		json_member_u64(json, "count", sum->bucket[i].count);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void series_cell(struct json_writer *json, const struct cell *cell)
{
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < cell->series.count; i++)
		json_put_u64(json, cell->series.value[i]);
	json_array_end(json);
}

static void tallies_cell(struct json_writer *json, const struct cell *cell)
{
	json_object_begin(json, JSON_INLINE);
	for (size_t i = 0; i < cell->tallies.count; i++) {
		char key[24];

		(void)snprintf(key, sizeof(key), "%" PRId64, cell->tallies.tally[i].number);
		json_member_u64(json, key, cell->tallies.tally[i].count);
	}
	json_object_end(json);
}

static void machine_cell(struct json_writer *json, const struct cell *cell)
{
	json_put_u64(json, cell->machine.number);
}

static void by_aim_cell(struct json_writer *json, const struct cell *cell)
{
	json_object_begin(json, JSON_INLINE);
	for (unsigned kind = AIM_NONE + 1; kind < AIM_KIND_COUNT; kind++)
		if (cell->by_aim[kind])
			json_member_u64(json, aim_kind_name((enum aim_kind)kind),
			                cell->by_aim[kind]);
	json_object_end(json);
}

static void by_kind_cell(struct json_writer *json, const struct cell *cell)
{
	json_by_kind(json, cell->by_kind);
}

void json_row_members(struct json_writer *json, const struct column *columns, size_t count,
                      const struct cell *cells)
{
	for (size_t i = 0; i < count; i++) {
		if (!columns[i].key || (columns[i].flags & COLUMN_TEXT_ONLY))
			continue;
		json_key(json, columns[i].key);
		json_cell(json, &cells[i]);
	}
}

static void json_row(struct json_writer *json, const struct cell_rows *rows, size_t row)
{
	json_object_begin(json, JSON_INLINE);
	json_row_members(json, rows->columns, rows->column_count,
	                 &rows->cells[row * rows->column_count]);
	json_object_end(json);
}

static void rows_cell(struct json_writer *json, const struct cell *cell)
{
	const struct cell_rows *rows = &cell->rows;
	bool is_list = rows->column_count == 1 && !rows->columns[0].key;

	json_array_begin(json, JSON_INLINE);
	for (size_t row = 0; row < rows->count; row++)
		if (is_list)
			json_cell(json, &rows->cells[row]);
		else
			json_row(json, rows, row);
	json_array_end(json);
}

static void record_cell(struct json_writer *json, const struct cell *cell)
{
	json_row(json, &cell->rows, 0);
}

static void member_real(struct json_writer *json, const char *key, bool is_known, double value)
{
	json_key(json, key);
	if (is_known)
		json_put_real(json, value);
	else
		json_put_null(json);
}

static void change_cell(struct json_writer *json, const struct cell *cell)
{
	const struct change *change = cell->change;

	json_object_begin(json, JSON_INLINE);
	member_real(json, "old", true, change->old);
	member_real(json, "new", true, change->new);
	member_real(json, "shift", true, change->shift);
	member_real(json, "low", change->has_interval, change->low);
	member_real(json, "high", change->has_interval, change->high);
	json_object_end(json);
}

static void (*const cell_writers[])(struct json_writer *, const struct cell *) = {
	[CELL_EMPTY] = empty_cell,     [CELL_TEXT] = text_cell,
	[CELL_COUNT] = count_cell,     [CELL_INSTANT] = time_cell,
	[CELL_DURATION] = time_cell,   [CELL_RATIO] = ratio_cell,
	[CELL_RATE] = ratio_cell,
	[CELL_BOOL] = bool_cell,       [CELL_MACHINE] = machine_cell,
	[CELL_TASK] = task_cell,
	[CELL_CAUSE] = cause_cell,     [CELL_CONFIDENCE] = confidence_cell,
	[CELL_AIM] = aim_cell,         [CELL_BRIEF_AIM] = brief_aim_cell,
	[CELL_LINKS] = links_cell,     [CELL_FRAMES] = frames_cell,
	[CELL_BY_AIM] = by_aim_cell,
	[CELL_BY_KIND] = by_kind_cell, [CELL_INTEGER] = integer_cell,
	[CELL_PRIORITY] = integer_cell,
	[CELL_DISTRIBUTION] = distribution_cell, [CELL_ROWS] = rows_cell,
	[CELL_TALLIES] = tallies_cell, [CELL_SERIES] = series_cell,
	[CELL_CHANGE] = change_cell,   [CELL_RECORD] = record_cell,
};

void json_labels(struct json_writer *json, const struct label *labels, size_t count)
{
	json_key(json, "labels");
	json_object_begin(json, JSON_INLINE);
	for (size_t i = 0; i < count; i++)
		json_member_string(json, labels[i].key, labels[i].value);
	json_object_end(json);
}

void json_cell(struct json_writer *json, const struct cell *cell)
{
	cell_writers[cell->type](json, cell);
}
