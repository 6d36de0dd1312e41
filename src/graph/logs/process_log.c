/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "process_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/data/order.h"

void stay_log_release(struct stay_log *stays)
{
	map_release(&stays->newest);
	free(stays->stay);
	*stays = (struct stay_log){0};
}

void group_log_rank(struct group_log *log, const uint32_t *hierarchy, size_t count)
{
	log->ranked_count = count < GROUP_RANKED_MAX ? count : GROUP_RANKED_MAX;
	memcpy(log->ranked, hierarchy, log->ranked_count * sizeof(*hierarchy));
}

/* Lower ranks count more; UINT64_MAX: it does not count. */
static uint64_t hierarchy_rank(const struct group_log *log, uint32_t hierarchy)
{
	if (log->ranked_count == 0)
		return hierarchy;
	for (size_t i = 0; i < log->ranked_count; i++)
		if (log->ranked[i] == hierarchy)
			return i;
	return UINT64_MAX;
}

/* Index + 1 of the newest stay; 0: there is none. */
static uint32_t stays_newest(const struct stay_log *stays, uint32_t key)
{
	uint32_t index = stays->count ? map_get(&stays->newest, key) : MAP_NONE;

	ASSUME(index == MAP_NONE || index < stays->count);
	return index == MAP_NONE ? 0 : index + 1;
}

static void stays_add(struct stay_log *stays, uint32_t key, const struct stay *stay)
{
	uint32_t before = stays_newest(stays, key);

	if (!stays->newest.slot)
		map_init(&stays->newest);
	ARRAY_GROW(stays->stay, stays->count, stays->capacity);
	assert(stays->stay && before <= stays->count);
	stays->stay[stays->count] = *stay;
	stays->stay[stays->count].before = before;
	stays->stay[stays->count].number = before ? stays->stay[before - 1].number + 1 : 1;
	map_put(&stays->newest, key, (uint32_t)stays->count++);
}

const struct stay *stay_log_at(const struct stay_log *stays, uint32_t key, nsec_t t)
{
	uint32_t newest = stays_newest(stays, key);
	const struct stay *stay = newest ? &stays->stay[newest - 1] : NULL;

	while (stay && stay->since > t)
		stay = stay_log_before(stays, stay);
	return stay;
}

void group_log_begin(struct group_log *log, int32_t id, const struct stay *stay)
{
	const struct stay *newest = stay_log_at(&log->stays, (uint32_t)id, NSEC_NEVER);

	if (newest && newest->text == stay->text && newest->hierarchy == stay->hierarchy)
		return;
	if ((newest && newest->number >= GROUP_STAYS_MAX) || log->stays.count >= GROUP_LOG_MAX)
		log->left_out++;
	else
		stays_add(&log->stays, (uint32_t)id, stay);
}

void group_log_move(struct group_log *log, int32_t id, const struct stay *stay)
{
	const struct stay *newest = stay_log_at(&log->stays, (uint32_t)id, NSEC_NEVER);
	uint64_t rank = hierarchy_rank(log, stay->hierarchy);

	if (rank == UINT64_MAX)
		return;
	if (newest && newest->text && newest->hierarchy != stay->hierarchy &&
	    (stay->is_root ||
	     (!newest->is_root && rank > hierarchy_rank(log, newest->hierarchy))))
		return;
	group_log_begin(log, id, stay);
}

/* The kernel finishes an exec soon after others can read its command line, but it may be preempted
   in between. */
#define FINISH_NS 100000000u

void program_log_release(struct program_log *log)
{
	free(log->line);
	stay_log_release(&log->stays);
	map_release(&log->label);
}

void program_log_add(struct program_log *log, const struct program_line *line)
{
	ARRAY_ADD(log->line, log->line_count, log->line_capacity) = *line;
}

static int line_compare(const void *a, const void *b)
{
	const struct program_line *x = a, *y = b;
	uint32_t one = (uint32_t)x->tgid, other = (uint32_t)y->tgid;

	return ORDER_BY((one > other) - (one < other), RISING(x, y, begin));
}

void program_log_close(struct program_log *log)
{
	if (program_log_is_empty(log))
		return;
	assert(log->stays.count == 0);
	array_sort(log->line, log->line_count, sizeof(*log->line), line_compare);
}

/* The process's last line that begins by t; NULL: none. */
static const struct program_line *line_at(const struct program_log *log, int32_t tgid, nsec_t t)
{
	const struct program_line *last = NULL;
	size_t at = array_lower_bound(log->line, log->line_count, sizeof(*log->line),
	                              (uint32_t)tgid);

	for (; at < log->line_count && log->line[at].tgid == tgid && log->line[at].begin <= t; at++)
		last = &log->line[at];
	return last;
}

uint32_t program_log_older(const struct program_log *log, int32_t tgid)
{
	const struct program_line *line;

	if (program_log_is_empty(log))
		return 0;
	line = line_at(log, tgid, 0);
	return line ? line->text : 0;
}

void program_log_fork(struct program_log *log, uint32_t track, nsec_t time, uint32_t text)
{
	if (text)
		stays_add(&log->stays, track, &(struct stay){.since = time, .text = text});
}

void program_log_exec(struct program_log *log, uint32_t track, int32_t tgid, nsec_t time)
{
	const struct stay *before = stay_log_at(&log->stays, track, time);
	const struct program_line *line = line_at(log, tgid, time);
	bool is_its = line && line->begin > 0 && time <= line->read + FINISH_NS &&
	              (!before || before->since < line->begin);

	stays_add(&log->stays, track,
	          &(struct stay){.since = time, .text = is_its ? line->text : 0});
}

static uint64_t label_key(uint32_t comm, uint32_t text)
{
	return (uint64_t)comm << 32 | text;
}

uint32_t program_log_label(const struct program_log *log, uint32_t comm, uint32_t text)
{
	uint32_t label = log->label.slot ? map_get(&log->label, label_key(comm, text)) : MAP_NONE;

	return label == MAP_NONE ? 0 : label;
}

void program_log_set_label(struct program_log *log, uint32_t comm, uint32_t text, uint32_t label)
{
	assert(label);
	if (!log->label.slot)
		map_init(&log->label);
	map_put(&log->label, label_key(comm, text), label);
}
