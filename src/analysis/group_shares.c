/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "group_shares.h"

#include <assert.h>

#include "base/data/array.h"
#include "base/text/format.h"
#include "base/xalloc.h"

#define SHARES_MAX (1u << 17)

struct group_share {
	struct share_key { uint32_t group, by; } key;
	nsec_t total;
};

void group_shares_init(struct group_shares *self, const struct question *question,
                       const struct task_groups *groups, const struct group_stranger *strangers)
{
	*self = (struct group_shares){question, groups, strangers, {0}};
	relation_init(&self->shares, sizeof(struct group_share), sizeof(struct share_key),
	              SHARES_MAX);
}

void group_shares_release(struct group_shares *self)
{
	relation_release(&self->shares, NULL);
}

void group_shares_add(struct group_shares *self, uint32_t group, uint32_t by, nsec_t total)
{
	struct group_share *share =
		total ? relation_row(&self->shares, &(struct share_key){group, by}) : NULL;

	if (share)
		share->total += total;
}

static bool share_is_of(const void *group, const void *share)
{
	return ((const struct group_share *)share)->key.group == *(const uint32_t *)group;
}

/* Of equal shares that of the first group is first. */
static uint64_t by_reversed(const void *share)
{
	return UINT32_MAX - ((const struct group_share *)share)->key.by;
}

static const struct measure by_total[] = {{RELATION_AT(struct group_share, total)}};

static const struct relation_form form = {
	.by_key = by_total,
	.then = {.of = by_reversed},
	.is_shown = share_is_of,
};

/* What it is, if it is no group. */
static const struct group_stranger *stranger_of(const struct group_shares *self, uint32_t by)
{
	const struct group_stranger *stranger = self->stranger;

	assert(stranger); /* a view without them has groups only */
	while (stranger->by != by && stranger->by != TASK_GROUP_NONE)
		stranger++;
	return stranger;
}

static const struct column columns[] = {
	{"group", "GROUP", CELL_TEXT, 0},
	{"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY},
	{"kind", "KIND", CELL_TEXT, 0},
	{"total_ns", "TOTAL", CELL_DURATION, 0},
};
static const struct column columns_of_groups[] = {
	{"group", "GROUP", CELL_TEXT, 0},
	{"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY},
	{"total_ns", "TOTAL", CELL_DURATION, 0},
};

/* The cells are zeroes, which is CELL_EMPTY. */
static void share_cells(const struct group_shares *self, const struct group_share *share,
                        struct cell *ret)
{
	uint32_t by = share->key.by;

	if (by < self->groups->count)
		task_group_cells(self->groups, self->question->timeline, by, ret);
	ret += TASK_GROUP_CELLS;
	if (self->stranger)
		*ret++ = (struct cell){.type = CELL_TEXT, .text = stranger_of(self, by)->kind};
	*ret = (struct cell){.type = CELL_DURATION, .time = share->total};
}

static void share_append(struct buffer *to, const struct group_shares *self,
                         const struct group_share *share, nsec_t whole)
{
	uint32_t by = share->key.by;

	buffer_puts(to, to->length ? ", " : "");
	buffer_puts(to, by == share->key.group       ? "itself"
	                : by < self->groups->count ? self->groups->group[by].name
	                                           : stranger_of(self, by)->name);
	buffer_printf(to, " %s", RATIO_TEXT(nsec_ratio(share->total, whole)));
}

void group_shares_fill(const struct group_shares *self, uint32_t group, nsec_t whole, size_t most,
                       struct cell *ret, struct buffer *text)
{
	struct relation_rows rows = relation_choose(&self->shares, &form, &group, self->question);
	size_t width = self->stranger ? ARRAY_SIZE(columns) : ARRAY_SIZE(columns_of_groups);
	struct cell *cells = xcalloc(rows.count * width, sizeof(*cells));

	for (size_t i = 0; i < rows.count; i++) {
		share_cells(self, rows.row[i], &cells[i * width]);
		if (i < most)
			share_append(text, self, rows.row[i], whole);
	}
	ret->rows = (struct cell_rows){self->stranger ? columns : columns_of_groups, width, cells,
	                               rows.count};
	relation_rows_release(&rows);
}
