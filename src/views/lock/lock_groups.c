/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_groups.h"

#include <stdlib.h>

#include "analysis/relation.h"
#include "analysis/task_groups.h"
#include "base/array.h"
#include "base/format.h"

#define GROUPS_MAX   (1u << 16)
#define OWNERS_NAMED 3

struct group_row {
	struct group_key { uint32_t group; } key;
	struct distribution length;
	nsec_t slept;
};

struct group_owner {
	struct owner_key { uint32_t group, owner; } key;
	nsec_t total;
};

struct lock_groups {
	const struct question *question;
	struct task_groups groups;
	struct relation rows, owners;
};

static void share_add(struct lock_groups *self, const struct lock_share *share)
{
	const struct task_groups *groups = &self->groups;
	uint32_t group = groups->of_track[share->waiter];
	struct group_row *row = group == TASK_GROUP_NONE
	                                ? NULL
	                                : relation_row(&self->rows, &(struct group_key){group});
	struct group_owner *owner;

	if (!row)
		return;
	distribution_merge(&row->length, &share->figures.length);
	row->slept += share->figures.slept;
	if (share->owner == TRACK_NONE || share->owned == 0 ||
	    groups->of_track[share->owner] == TASK_GROUP_NONE)
		return;
	owner = relation_row(&self->owners,
	                     &(struct owner_key){group, groups->of_track[share->owner]});
	if (owner)
		owner->total += share->owned;
}

static int owner_compare(const void *a, const void *b)
{
	const struct group_owner *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->key.owner < y->key.owner ? -1 : x->key.owner > y->key.owner;
}

/* The owners that the group waited for, most first; the caller frees the array. */
static struct group_owner *owners_of(const struct lock_groups *self, uint32_t group,
                                     size_t *ret_count)
{
	struct group_owner *owner = xcalloc(self->owners.count, sizeof(*owner));
	size_t count = 0;

	for (size_t i = 0; i < self->owners.count; i++) {
		const struct group_owner *of = relation_at(&self->owners, i);

		if (of->key.group == group)
			owner[count++] = *of;
	}
	array_sort(owner, count, sizeof(*owner), owner_compare);
	*ret_count = count;
	return owner;
}

static const struct column owner_columns[] = {
	{"group", "GROUP", CELL_TEXT, 0},
	{"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY},
	{"total_ns", "TOTAL", CELL_DURATION, 0},
};

#define OWNER_COLUMNS ARRAY_SIZE(owner_columns)

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
	const struct timeline *timeline = self->question->timeline;
	const struct group_row *row = of;
	size_t count;
	struct group_owner *owner = owners_of(self, row->key.group, &count);
	struct cell *cells = xcalloc(count * OWNER_COLUMNS, sizeof(*cells));

	task_group_cells(&self->groups, timeline, row->key.group, &cell[COLUMN_GROUP]);
	for (size_t i = 0; i < count; i++) {
		uint32_t by = owner[i].key.owner;

		task_group_cells(&self->groups, timeline, by, &cells[i * OWNER_COLUMNS]);
		cells[i * OWNER_COLUMNS + 2] =
			(struct cell){.type = CELL_DURATION, .time = owner[i].total};
		if (i < OWNERS_NAMED)
			buffer_printf(&text[COLUMN_OWNERS_TEXT], "%s%s %s", i ? ", " : "",
			              by == row->key.group ? "itself"
			                                   : self->groups.group[by].name,
			              RATIO_TEXT(nsec_ratio(owner[i].total, row->length.total)));
	}
	cell[COLUMN_OWNERS].rows = (struct cell_rows){owner_columns, OWNER_COLUMNS, cells, count};
	free(owner);
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
	relation_init(&self.owners, sizeof(struct group_owner), sizeof(struct owner_key),
	              GROUPS_MAX);
	for (size_t i = 0; i < list->share_count; i++) {
		const struct lock_share *share = &list->share[i];

		if (share->waiter != TRACK_NONE && question->resolved->is_asked[share->waiter] &&
		    lock_list_knows_owners(list, share->lock) &&
		    lock_kind_has_owner(lock_list_kind(list, share->lock)))
			share_add(&self, share);
	}
	relation_put(&self.rows, &form, &self, question, to);
	relation_release(&self.rows, &form);
	relation_release(&self.owners, NULL);
	task_groups_release(&self.groups);
}
