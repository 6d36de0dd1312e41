/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json_cell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/format.h"
#include "words/cause/cause_kind.h"
#include "words/cause/futex_kind.h"
#include "words/cause/stall.h"

/* Writers of what is no plain value stand apart: inlined, they would make json_cell() save
   registers for every cell. */
#define APART static __attribute__((noinline)) void

void json_task(struct json_writer *json, const struct task *task)
{
	if (!json_object_if(json, task))
		return;
	json_key(json, "tid");
	json_put_i64(json, task->tid);
	json_member_known(json, "tgid", task->tgid >= 0, (uint64_t)task->tgid);
	json_member_string(json, "comm", task->comm);
	if (task->host)
		json_member_u64(json, "machine", task->machine);
	if (task->cgroup)
		json_member_string(json, "cgroup", *task->cgroup ? task->cgroup : NULL);
	json_object_end(json);
}

void json_member_task(struct json_writer *json, const char *key, const struct task *task)
{
	json_key(json, key);
	json_task(json, task);
}

/* Writes a member that is known. */
static void put_member(struct json_writer *json, const struct cause *cause,
                       const struct cause_member *member)
{
	const void *value = cause_member_at(cause, member);
	char address[32];

	switch (member->type) {
	case MEMBER_TITLE:
		json_put_string(json, cause->name);
		break;
	case MEMBER_WAKER:
		json_task(json, cause->has_waker ? &cause->waker : NULL);
		break;
	case MEMBER_ORIGINATOR:
		json_task(json, cause->has_originator ? &cause->originator : NULL);
		break;
	case MEMBER_WHAT:
		json_put_string(json, cause->what);
		break;
	case MEMBER_DISK:
		json_put_string(json, cause->disk);
		break;
	case MEMBER_U16:
		json_put_u64(json, *(const uint16_t *)value);
		break;
	case MEMBER_U32:
		json_put_u64(json, *(const uint32_t *)value);
		break;
	case MEMBER_U64:
		json_put_u64(json, *(const uint64_t *)value);
		break;
	case MEMBER_INDEX:
		json_put_known(json, *(const int32_t *)value >= 0, *(const uint32_t *)value);
		break;
	case MEMBER_BOOL:
		json_put_bool(json, *(const bool *)value);
		break;
	case MEMBER_STRING:
		json_put_string(json, cause_string(cause, *(const uint32_t *)value));
		break;
	case MEMBER_TIME:
		json_put_known(json, *(const uint32_t *)value != TIME_UNKNOWN,
		               *(const uint32_t *)value);
		break;
	case MEMBER_DEVICE:
		json_put_string(json, *(const uint32_t *)value
		                              ? DEVICE_TEXT(*(const uint32_t *)value)
		                              : NULL);
		break;
	case MEMBER_ADDRESS:
		(void)snprintf(address, sizeof(address), "0x%" PRIx64, *(const uint64_t *)value);
		json_put_string(json, *(const uint64_t *)value ? address : NULL);
		break;
	case MEMBER_CALL:
		json_put_string(json, sleep_call_name((enum sleep_call)*(const uint8_t *)value));
		break;
	case MEMBER_CALL_WHAT:
		json_put_string(json, sleep_call_what((enum sleep_call)*(const uint8_t *)value));
		break;
	case MEMBER_LIMIT:
		json_put_string(json, cpu_limit_name((enum cpu_limit)*(const uint8_t *)value));
		break;
	case MEMBER_TYPE_COUNT:
		break;
	}
}

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
			put_member(json, cause, member);
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
	json_member_u64(json, "inode", cause->inode);
	json_member_string(json, "inode_dev", DEVICE_TEXT(cause->inode_dev));
	json_member_bool(json, "fsync", cause->is_sync);
}

void json_cause(struct json_writer *json, const struct cause *cause)
{
	const char *variable;

	if (!json_object_if(json, cause))
		return;
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
	if (cause->has_waker && !cause_kind_has(cause->kind, MEMBER_WAKER))
		json_member_task(json, "waker", &cause->waker);
	if (cause_has_stopper(cause))
		json_member_task(json, "stopped_by", &cause->originator);
	json_object_end(json);
}

static void json_link_stacks(struct json_writer *json, const struct chain_link *link)
{
	json_key(json, "stack");
	json_put_parts(json, link->stack, ';');
	json_key(json, "user_stack");
	json_put_parts(json, link->user_stack, ';');
	json_key(json, "waker_stack");
	json_put_parts(json, link->waker_stack, ';');
}

/* Begins the object of an aim with what all of them have; false: nothing is known, and null is
   written. */
static bool aim_begin(struct json_writer *json, enum aim_kind kind, const char *name)
{
	if (!json_object_if(json, kind != AIM_NONE))
		return false;
	json_member_string(json, "kind", aim_kind_name(kind));
	json_member_string(json, "name", name);
	return true;
}

void json_brief_aim(struct json_writer *json, const struct brief_aim *aim)
{
	if (aim_begin(json, aim->kind, aim->name))
		json_object_end(json);
}

APART json_links(struct json_writer *json, const struct links *links)
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

APART json_by_kind(struct json_writer *json, const nsec_t *by_kind)
{
	json_object_begin(json, JSON_INLINE);
	for (unsigned kind = 0; by_kind && kind < CAUSE_KIND_COUNT; kind++)
		if (by_kind[kind])
			json_member_u64(json, cause_kind_name(kind), by_kind[kind]);
	json_object_end(json);
}

APART json_by_aim(struct json_writer *json, const nsec_t *by_aim)
{
	json_object_begin(json, JSON_INLINE);
	for (unsigned kind = AIM_NONE + 1; kind < AIM_KIND_COUNT; kind++)
		if (by_aim[kind])
			json_member_u64(json, aim_kind_name((enum aim_kind)kind), by_aim[kind]);
	json_object_end(json);
}

APART json_aim(struct json_writer *json, const struct aim *aim)
{
	if (!aim_begin(json, aim->kind, aim->name))
		return;
	json_member_u64(json, "began_ns", aim->begin);
	json_member_string(json, "ended", aim_end_name(aim->end));
	json_member_array(json, "holders", JSON_INLINE);
	for (size_t i = 0; i < aim->holder_count; i++)
		json_task(json, &aim->holder[i]);
	json_array_end(json);
	json_member_string(json, "peer", aim->peer);
	json_object_end(json);
}

APART json_distribution(struct json_writer *json, const struct distribution_sum *sum)
{
	json_object_begin(json, JSON_INLINE);
	json_member_u64(json, "count", sum->count);
	json_member_u64(json, "total_ns", sum->total);
	json_member_u64(json, "min_ns", sum->min);
	json_member_u64(json, "p50_ns", sum->p50);
	json_member_u64(json, "p90_ns", sum->p90);
	json_member_u64(json, "p99_ns", sum->p99);
	json_member_u64(json, "max_ns", sum->max);
	json_member_u64(json, "max_at_ns", sum->max_at);
	json_member_array(json, "histogram", JSON_INLINE);
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

APART json_series(struct json_writer *json, const struct series *series)
{
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < series->count; i++)
		json_put_u64(json, series->value[i]);
	json_array_end(json);
}

APART json_tallies(struct json_writer *json, const struct tallies *tallies)
{
	json_object_begin(json, JSON_INLINE);
	for (size_t i = 0; i < tallies->count; i++) {
		char key[24];

		(void)snprintf(key, sizeof(key), "%" PRId64, tallies->tally[i].number);
		json_member_u64(json, key, tallies->tally[i].count);
	}
	json_object_end(json);
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

APART json_row(struct json_writer *json, const struct cell_rows *rows, size_t row)
{
	json_object_begin(json, JSON_INLINE);
	json_row_members(json, rows->columns, rows->column_count,
	                 &rows->cells[row * rows->column_count]);
	json_object_end(json);
}

APART json_rows(struct json_writer *json, const struct cell_rows *rows)
{
	bool is_list = rows->column_count == 1 && !rows->columns[0].key;

	json_array_begin(json, JSON_INLINE);
	for (size_t row = 0; row < rows->count; row++)
		if (is_list)
			json_cell(json, &rows->cells[row]);
		else
			json_row(json, rows, row);
	json_array_end(json);
}

static void member_real(struct json_writer *json, const char *key, bool is_known, double value)
{
	json_key(json, key);
	if (is_known)
		json_put_real(json, value);
	else
		json_put_null(json);
}

APART json_change(struct json_writer *json, const struct change *change)
{
	json_object_begin(json, JSON_INLINE);
	member_real(json, "old", true, change->old);
	member_real(json, "new", true, change->new);
	member_real(json, "shift", true, change->shift);
	member_real(json, "low", change->has_interval, change->low);
	member_real(json, "high", change->has_interval, change->high);
	json_object_end(json);
}

void json_labels(struct json_writer *json, const struct label *labels, size_t count)
{
	json_member_object(json, "labels", JSON_INLINE);
	for (size_t i = 0; i < count; i++)
		json_member_string(json, labels[i].key, labels[i].value);
	json_object_end(json);
}

void json_cell(struct json_writer *json, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_EMPTY:
		json_put_null(json);
		break;
	case CELL_TEXT:
		json_put_string(json, cell->text);
		break;
	case CELL_COUNT:
		json_put_u64(json, cell->count);
		break;
	case CELL_INTEGER:
	case CELL_PRIORITY:
		json_put_i64(json, cell->integer);
		break;
	case CELL_INSTANT:
	case CELL_DURATION:
		json_put_known(json, cell->time != NSEC_NEVER, cell->time);
		break;
	case CELL_RATIO:
	case CELL_RATE:
		json_put_real(json, cell->ratio);
		break;
	case CELL_BOOL:
		json_put_bool(json, cell->boolean);
		break;
	case CELL_MACHINE:
		json_put_u64(json, cell->machine.number);
		break;
	case CELL_TASK:
		json_task(json, &cell->task);
		break;
	case CELL_CAUSE:
		json_cause(json, cell->cause);
		break;
	case CELL_AIM:
		json_aim(json, cell->aim);
		break;
	case CELL_BRIEF_AIM:
		json_brief_aim(json, &cell->brief_aim);
		break;
	case CELL_CONFIDENCE:
		json_put_string(json, confidence_name(cell->confidence));
		break;
	case CELL_LINKS:
		json_links(json, &cell->links);
		break;
	case CELL_FRAMES:
		json_put_parts(json, cell->text, ';');
		break;
	case CELL_DISTRIBUTION:
		json_distribution(json, cell->distribution);
		break;
	case CELL_TALLIES:
		json_tallies(json, &cell->tallies);
		break;
	case CELL_BY_KIND:
		json_by_kind(json, cell->by_kind);
		break;
	case CELL_BY_AIM:
		json_by_aim(json, cell->by_aim);
		break;
	case CELL_SERIES:
		json_series(json, &cell->series);
		break;
	case CELL_CHANGE:
		json_change(json, cell->change);
		break;
	case CELL_ROWS:
		json_rows(json, &cell->rows);
		break;
	case CELL_RECORD:
		json_row(json, &cell->rows, 0);
		break;
	}
}
