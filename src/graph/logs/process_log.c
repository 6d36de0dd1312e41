/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "process_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/data/order.h"

void group_log_init(struct group_log *log)
{
	*log = (struct group_log){0};
	map_init(&log->newest);
}

void group_log_release(struct group_log *log)
{
	map_release(&log->newest);
	free(log->stay);
	log->stay = NULL;
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

static const struct group_stay *log_newest(const struct group_log *log, int32_t id)
{
	uint32_t index = map_get(&log->newest, (uint32_t)id);

	ASSUME(index == MAP_NONE || index < log->count);
	return index == MAP_NONE ? NULL : &log->stay[index];
}

void group_log_begin(struct group_log *log, int32_t id, const struct group_stay *stay)
{
	uint32_t before = map_get(&log->newest, (uint32_t)id);
	uint32_t number;

	assert(before == MAP_NONE || log->stay);
	number = before == MAP_NONE ? 1 : log->stay[before].number + 1;
	if (before != MAP_NONE && log->stay[before].path == stay->path &&
	    log->stay[before].hierarchy == stay->hierarchy)
		return;
	if (number > GROUP_STAYS_MAX || log->count >= GROUP_LOG_MAX) {
		log->left_out++;
		return;
	}
	ARRAY_GROW(log->stay, log->count, log->capacity);
	assert(log->stay);
	log->stay[log->count] = *stay;
	log->stay[log->count].before = before == MAP_NONE ? 0 : before + 1;
	log->stay[log->count].number = number;
	map_put(&log->newest, (uint32_t)id, (uint32_t)log->count++);
}

void group_log_move(struct group_log *log, int32_t id, const struct group_stay *stay)
{
	const struct group_stay *newest = log_newest(log, id);
	uint64_t rank = hierarchy_rank(log, stay->hierarchy);

	if (rank == UINT64_MAX)
		return;
	if (newest && newest->path && newest->hierarchy != stay->hierarchy &&
	    (stay->is_root ||
	     (!newest->is_root && rank > hierarchy_rank(log, newest->hierarchy))))
		return;
	group_log_begin(log, id, stay);
}

const struct group_stay *group_log_at(const struct group_log *log, int32_t id, nsec_t t)
{
	const struct group_stay *stay = log_newest(log, id);

	while (stay && stay->since > t)
		stay = group_log_before(log, stay);
	return stay;
}

/* The kernel finishes an exec soon after others can read its command line, but it may be preempted
   in between. */
#define FINISH_NS 100000000u

void program_log_release(struct program_log *log)
{
	free(log->line);
	free(log->stay);
	map_release(&log->newest);
	map_release(&log->label);
}

void program_log_add(struct program_log *log, const struct program_line *line)
{
	ARRAY_GROW(log->line, log->line_count, log->line_capacity);
	log->line[log->line_count++] = *line;
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
	assert(log->stay_count == 0);
	array_sort(log->line, log->line_count, sizeof(*log->line), line_compare);
	if (!log->newest.slot) /* else another machine's lines were closed before */
		map_init(&log->newest);
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

static void log_put(struct program_log *log, uint32_t track, nsec_t time, uint32_t text)
{
	uint32_t newest = map_get(&log->newest, track);

	assert(newest == MAP_NONE || newest < log->stay_count);
	ARRAY_GROW(log->stay, log->stay_count, log->stay_capacity);
	map_put(&log->newest, track, (uint32_t)log->stay_count);
	log->stay[log->stay_count++] = (struct program_stay){
		.since = time,
		.text = text,
		.before = newest == MAP_NONE ? 0 : newest + 1,
	};
}

void program_log_fork(struct program_log *log, uint32_t track, nsec_t time, uint32_t text)
{
	if (text)
		log_put(log, track, time, text);
}

void program_log_exec(struct program_log *log, uint32_t track, int32_t tgid, nsec_t time)
{
	const struct program_stay *before = program_log_at(log, track, time);
	const struct program_line *line = line_at(log, tgid, time);
	bool is_its = line && line->begin > 0 && time <= line->read + FINISH_NS &&
	              (!before || before->since < line->begin);

	log_put(log, track, time, is_its ? line->text : 0);
}

const struct program_stay *program_log_at(const struct program_log *log, uint32_t track, nsec_t t)
{
	uint32_t newest = log->stay_count ? map_get(&log->newest, track) : MAP_NONE;
	const struct program_stay *stay = newest == MAP_NONE ? NULL : &log->stay[newest];

	while (stay && stay->since > t)
		stay = program_log_before(log, stay);
	return stay;
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
