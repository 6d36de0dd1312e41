/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "group_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

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
