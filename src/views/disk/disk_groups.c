/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_groups.h"

#include "base/data/array.h"
#include "base/text/format.h"
#include "graph/timeline_hosts.h"

#define GROUPS_MAX (1u << 16)

struct group_row {
	struct group_key { uint32_t group, dev; } key; /* group TASK_GROUP_NONE: not known */
	uint64_t requests, bytes, errors;
	struct distribution queue, device;
	nsec_t total; /* sum of both */
};

#define AT(member) RELATION_AT(struct group_row, member)

enum {
	COLUMN_GROUP,
	COLUMN_CGROUP,
	COLUMN_DEV,
	COLUMN_SIZE = 5,
};

static const struct field fields[] = {
	[COLUMN_GROUP] = {"group", "GROUP", CELL_TEXT, 0, RELATION_FILLED},
	[COLUMN_CGROUP] = {"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY, RELATION_FILLED},
	[COLUMN_DEV] = {"dev", "DEV", CELL_TEXT, 0, RELATION_FILLED},
	{"requests", "REQUESTS", CELL_COUNT, COLUMN_SPARE(2), AT(requests)},
	{"bytes", NULL, CELL_COUNT, 0, AT(bytes)},
	[COLUMN_SIZE] = {NULL, "SIZE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1),
	                 RELATION_FILLED},
	{"queue", "QUEUE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2), AT(queue)},
	{"device", "DEVICE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1), AT(device)},
	{"errors", "ERRORS", CELL_COUNT, COLUMN_DATA_ONLY, AT(errors)},
};

static void row_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct disk_groups *self = view;
	const struct group_row *row = of;

	if (row->key.group != TASK_GROUP_NONE) {
		task_group_cells(&self->groups, self->question->timeline, row->key.group,
		                 &cell[COLUMN_GROUP]);
	} else {
		cell[COLUMN_GROUP].text = "not recorded";
		cell[COLUMN_CGROUP].type = CELL_EMPTY;
	}
	buffer_puts(&text[COLUMN_DEV],
	            TIMELINE_DEVICE_NUMBERS(self->question->timeline, row->key.dev));
	buffer_puts(&text[COLUMN_SIZE], SIZE_TEXT(row->bytes));
}

static const struct measure by_key[] = {{AT(total)}};

static const struct relation_form form = {
	"groups",
	"Groups, by the time of their requests",
	fields,
	ARRAY_SIZE(fields),
	.by_key = by_key,
	.fill = row_fill,
	.rows_named = "groups",
};

void disk_groups_init(struct disk_groups *self, const struct question *question)
{
	*self = (struct disk_groups){.question = question};
	task_groups_init(&self->groups, question);
	relation_init(&self->rows, sizeof(struct group_row), sizeof(struct group_key), GROUPS_MAX);
}

void disk_groups_add(struct disk_groups *self, const struct disk_group_share *share)
{
	struct group_key key = {TASK_GROUP_NONE, share->dev};
	struct group_row *row;

	if (share->requests == 0)
		return;
	if (share->task < self->groups.track_count)
		key.group = self->groups.of_track[share->task];
	row = relation_row(&self->rows, &key);
	if (!row)
		return;
	row->requests += share->requests;
	row->bytes += share->bytes;
	row->errors += share->errors;
	distribution_merge(&row->queue, share->queue);
	distribution_merge(&row->device, share->device);
	row->total += share->queue->total + share->device->total;
}

void disk_groups_put(const struct disk_groups *self, const struct output *to)
{
	relation_put(&self->rows, &form, self, self->question, to);
}

void disk_groups_release(struct disk_groups *self)
{
	relation_release(&self->rows, &form);
	task_groups_release(&self->groups);
}
