/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_groups.h"

#include "analysis/group_shares.h"
#include "base/data/array.h"

#define GROUPS_MAX   (1u << 16)
#define OWNERS_NAMED 3

struct group_row {
	struct group_key { uint32_t group; } key;
	struct distribution length;
	nsec_t slept;
};

struct lock_groups {
	const struct question *question;
	struct task_groups groups;
	struct relation rows;
	struct group_shares owners; /* of `length`: the groups that had the locks */
};

static void share_add(struct lock_groups *self, const struct lock_share *share)
{
	const struct task_groups *groups = &self->groups;
	uint32_t group = groups->of_track[share->waiter];
	struct group_row *row = group == TASK_GROUP_NONE
	                                ? NULL
	                                : relation_row(&self->rows, &(struct group_key){group});

	if (!row)
		return;
	distribution_merge(&row->length, &share->figures.length);
	row->slept += share->figures.slept;
	if (share->owner != TRACK_NONE && groups->of_track[share->owner] != TASK_GROUP_NONE)
		group_shares_add(&self->owners, group, groups->of_track[share->owner],
		                 share->owned);
}

#define AT(member) RELATION_AT(struct group_row, member)

enum {
	COLUMN_GROUP,
	COLUMN_CGROUP,
	COLUMN_OWNERS = 6,
	COLUMN_OWNERS_TEXT,
};

static const struct field fields[] = {
	[COLUMN_GROUP] = {"group", "GROUP", CELL_TEXT, 0, RELATION_FILLED},
	[COLUMN_CGROUP] = {"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY, RELATION_FILLED},
	{NULL, "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1), AT(length.count)},
	{"slept_ns", "SLEPT", CELL_DURATION, COLUMN_USEFUL(1), AT(slept)},
	{NULL, "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY, AT(length.total)},
	{"length", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2), AT(length)},
	[COLUMN_OWNERS] = {"owners", "WHO HAD IT", CELL_ROWS, COLUMN_DATA_ONLY, RELATION_FILLED},
	[COLUMN_OWNERS_TEXT] = {NULL, "WHO HAD IT", CELL_TEXT, COLUMN_TEXT_ONLY, RELATION_FILLED},
};

static void row_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct lock_groups *self = view;
	const struct group_row *row = of;

	task_group_cells(&self->groups, self->question->timeline, row->key.group,
	                 &cell[COLUMN_GROUP]);
	group_shares_fill(&self->owners, row->key.group, row->length.total, OWNERS_NAMED,
	                  &cell[COLUMN_OWNERS], &text[COLUMN_OWNERS_TEXT]);
}

static const struct measure by_key[] = {{AT(slept)}};

static const struct relation_form form = {
	"groups",
	"Groups, by the time that they slept for locks",
	fields,
	ARRAY_SIZE(fields),
	.by_key = by_key,
	.then = {AT(length.total)},
	.fill = row_fill,
	.rows_named = "groups",
};

void lock_groups_put(const struct lock_list *list, const struct question *question,
                     const struct output *to)
{
	struct lock_groups self = {.question = question};

	task_groups_init(&self.groups, question);
	relation_init(&self.rows, sizeof(struct group_row), sizeof(struct group_key), GROUPS_MAX);
	group_shares_init(&self.owners, question, &self.groups, /* strangers= */ NULL);
	for (size_t i = 0; i < list->share_count; i++) {
		const struct lock_share *share = &list->share[i];

		if (share->waiter != TRACK_NONE && question->resolved->is_asked[share->waiter] &&
		    lock_list_knows_owners(list, share->lock) &&
		    lock_kind_has_owner(lock_list_kind(list, share->lock)))
			share_add(&self, share);
	}
	relation_put(&self.rows, &form, &self, question, to);
	relation_release(&self.rows, &form);
	group_shares_release(&self.owners);
	task_groups_release(&self.groups);
}
