/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json_cell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/xalloc.h"

static void json_task(struct json_writer *json, const struct task *task)
{
	json_object_begin(json, JSON_INLINE);
	json_key(json, "tid");
	json_put_i64(json, task->tid);
	json_key(json, "tgid");
	if (task->tgid < 0)
		json_put_null(json);
	else
		json_put_i64(json, task->tgid);
	json_member_string(json, "comm", task->comm);
	json_object_end(json);
}

static void member_task(struct json_writer *json, const char *key, bool has_task,
                        const struct task *task)
{
	json_key(json, key);
	if (has_task)
		json_task(json, task);
	else
		json_put_null(json);
}

static void member_originator(struct json_writer *json, const char *key,
                              const struct cause *cause)
{
	member_task(json, key, cause->has_originator, &cause->originator);
}

static void member_number(struct json_writer *json, const struct cause *cause)
{
	json_key(json, "number");
	if (cause->number < 0)
		json_put_null(json);
	else
		json_put_i64(json, cause->number);
}

static void task_members(struct json_writer *json, const struct cause *cause)
{
	member_task(json, "waker", cause->has_waker, &cause->waker);
}

static void member_time(struct json_writer *json, const char *key, nsec_t time)
{
	json_key(json, key);
	if (time == NSEC_NEVER)
		json_put_null(json);
	else
		json_put_u64(json, time);
}

static void disk_members(struct json_writer *json, const struct cause *cause)
{
	/* What the waits of a folded chain do not share is not set. */
	bool has_request = cause->sector || cause->bytes || cause->rwbs;
	char dev[32];

	(void)snprintf(dev, sizeof(dev), "%" PRIu32 ",%" PRIu32, cause->dev >> 20,
	               cause->dev & 0xfffff);
	json_member_string(json, "dev", cause->dev ? dev : NULL);
	json_key(json, "sector");
	if (has_request)
		json_put_u64(json, cause->sector);
	else
		json_put_null(json);
	json_key(json, "bytes");
	if (has_request)
		json_put_u64(json, cause->bytes);
	else
		json_put_null(json);
	json_member_string(json, "rwbs", cause->rwbs);
	json_member_string(json, "what", cause->what);
	json_member_bool(json, "held_back", cause->is_held_back);
	member_originator(json, "submitter", cause);
	member_time(json, "queue_ns", cause->queue_time);
	member_time(json, "device_ns", cause->device_time);
	member_time(json, "wake_ns", cause->wake_time);
}

static void net_members(struct json_writer *json, const struct cause *cause)
{
	json_member_string(json, "dev", cause->name);
	json_member_string(json, "peer", cause->peer);
	json_key(json, "local_port");
	if (cause->peer)
		json_put_u64(json, cause->local_port);
	else
		json_put_null(json);
	member_originator(json, "sender", cause);
	json_member_bool(json, "no_answer", cause->is_unanswered);
	json_key(json, "retransmits");
	if (cause->is_unanswered)
		json_put_u64(json, cause->retransmits);
	else
		json_put_null(json);
}

static void timer_members(struct json_writer *json, const struct cause *cause)
{
	json_member_string(json, "function", cause->name);
	json_member_bool(json, "own", cause->is_own);
	json_member_string(json, "what", sleep_call_what(cause->call));
	json_member_string(json, "in", sleep_call_name(cause->call));
	member_originator(json, "armed_by", cause);
}

static void softirq_members(struct json_writer *json, const struct cause *cause)
{
	json_member_bool(json, "delay", cause->is_delay);
}

static void work_members(struct json_writer *json, const struct cause *cause)
{
	json_member_string(json, "function", cause->name);
	member_originator(json, "queued_by", cause);
}

static void lock_members(struct json_writer *json, const struct cause *cause)
{
	char address[32];

	/* A string: readers that keep numbers as doubles would merge neighbouring locks. */
	(void)snprintf(address, sizeof(address), "0x%" PRIx64, cause->address);
	json_member_string(json, "address", cause->address ? address : NULL);
	json_member_u64(json, "flags", cause->flags);
	member_originator(json, "owner", cause);
}

static void frozen_members(struct json_writer *json, const struct cause *cause)
{
	member_originator(json, "frozen_by", cause);
}

static void memory_members(struct json_writer *json, const struct cause *cause)
{
	json_member_string(json, "what", cause->what);
}

/* Kinds that are not listed have no members of their own. */
static void (*const kind_members[CAUSE_KIND_COUNT])(struct json_writer *,
                                                    const struct cause *) = {
	[CAUSE_TASK] = task_members,     [CAUSE_DISK] = disk_members,
	[CAUSE_NET] = net_members,       [CAUSE_TIMER] = timer_members,
	[CAUSE_IRQ] = member_number,     [CAUSE_WORK] = work_members,
	[CAUSE_SIGNAL] = member_number,  [CAUSE_LOCK] = lock_members,
	[CAUSE_MEMORY] = memory_members, [CAUSE_SOFTIRQ] = softirq_members,
	[CAUSE_FROZEN] = frozen_members,
};

void json_cause(struct json_writer *json, const struct cause *cause)
{
	if (!cause) {
		json_put_null(json);
		return;
	}
	json_object_begin(json, JSON_INLINE);
	json_member_string(json, "kind", cause_kind_name(cause->kind));
	json_member_string(json, "name", cause->name);
	if (kind_members[cause->kind])
		kind_members[cause->kind](json, cause);
	/* these two always have it, null where nothing is known */
	if (cause->what && cause->kind != CAUSE_DISK && cause->kind != CAUSE_MEMORY)
		json_member_string(json, "what", cause->what);
	/* a work item, a signal, a packet: who did it, where the task is not all there is to say */
	if (cause->has_waker && cause->kind != CAUSE_TASK)
		member_task(json, "waker", true, &cause->waker);
	if (cause_has_stopper(cause))
		member_originator(json, "stopped_by", cause);
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
	_cleanup_(freep) char *frames = xstrdup(cell->text);
	char *rest = frames;
	const char *function;

	json_array_begin(json, JSON_INLINE);
	while ((function = strsep(&rest, ";")))
		json_put_string(json, function);
	json_array_end(json);
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

static void by_kind_cell(struct json_writer *json, const struct cell *cell)
{
	json_by_kind(json, cell->by_kind);
}

static void (*const cell_writers[])(struct json_writer *, const struct cell *) = {
	[CELL_EMPTY] = empty_cell,     [CELL_TEXT] = text_cell,
	[CELL_COUNT] = count_cell,     [CELL_INSTANT] = time_cell,
	[CELL_DURATION] = time_cell,   [CELL_RATIO] = ratio_cell,
	[CELL_BOOL] = bool_cell,       [CELL_TASK] = task_cell,
	[CELL_CAUSE] = cause_cell,     [CELL_CONFIDENCE] = confidence_cell,
	[CELL_LINKS] = links_cell,     [CELL_FRAMES] = frames_cell,
	[CELL_BY_KIND] = by_kind_cell, [CELL_INTEGER] = integer_cell,
	[CELL_DISTRIBUTION] = distribution_cell,
};

void json_cell(struct json_writer *json, const struct cell *cell)
{
	cell_writers[cell->type](json, cell);
}
