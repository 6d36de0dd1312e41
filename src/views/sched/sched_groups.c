/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched_groups.h"

#include <stdlib.h>

#include "analysis/relation.h"
#include "analysis/task_groups.h"
#include "base/array.h"
#include "base/format.h"

#define GROUPS_MAX     (1u << 16)
#define LOSSES_MAX     (1u << 17)
#define LOSSES_NAMED   4
/* What is no group: the users of a CPU of cpu_log.h, and the limits on CPU time. */
#define USER_THROTTLED (CPU_USER_IRQ - 1)

struct group_row {
	struct group_key { uint32_t group; } key;
	uint64_t tasks;
	struct distribution latency;
	nsec_t throttled;
};

/* What a group lost to another one, or to `user` that is none. */
struct group_loss {
	struct loss_key { uint32_t group, user; } key;
	nsec_t total;
};

struct sched_groups {
	const struct run_queue *queue;
	struct task_groups groups;
	struct relation rows, losses;
	const struct group_loss **sorted; /* all losses: by group, most first */
};

static void loss_add(struct sched_groups *self, uint32_t group, uint32_t user, nsec_t total)
{
	struct group_loss *loss = total ? relation_row(&self->losses,
	                                               &(struct loss_key){group, user})
	                                : NULL;

	if (loss)
		loss->total += total;
}

static void task_add(struct sched_groups *self, const struct queue_row *task, uint32_t group)
{
	const struct task_groups *groups = &self->groups;
	struct group_row *row = relation_row(&self->rows, &(struct group_key){group});
	size_t count;
	const struct queue_loss *loss =
		loss_list_find(&self->queue->losses, task->track, &count);

	if (!row)
		return;
	row->tasks++;
	row->throttled += task->throttled;
	distribution_merge(&row->latency, &task->latency);
	for (size_t i = 0; i < count; i++)
		loss_add(self, group,
		         loss[i].user < groups->track_count ? groups->of_track[loss[i].user]
		                                            : loss[i].user,
		         loss[i].total);
	loss_add(self, group, USER_THROTTLED, task->throttled);
}

static int group_loss_compare(const void *a, const void *b)
{
	const struct group_loss *x = *(const struct group_loss *const *)a;
	const struct group_loss *y = *(const struct group_loss *const *)b;

	if (x->key.group != y->key.group)
		return x->key.group < y->key.group ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->key.user < y->key.user ? -1 : x->key.user > y->key.user;
}

static void losses_sort(struct sched_groups *self)
{
	size_t count = self->losses.count;

	self->sorted = xcalloc(count, sizeof(*self->sorted)); /* NOLINT: pointers are meant */
	for (size_t i = 0; i < count; i++)
		self->sorted[i] = relation_at(&self->losses, i);
	array_sort(self->sorted, count, sizeof(*self->sorted), group_loss_compare); /* NOLINT */
}

/* The losses of the group, `ret_count` of them, most first. */
static const struct group_loss **losses_of(const struct sched_groups *self, uint32_t group,
                                           size_t *ret_count)
{
	size_t first = 0, end;

	while (first < self->losses.count && self->sorted[first]->key.group != group)
		first++;
	for (end = first; end < self->losses.count && self->sorted[end]->key.group == group;)
		end++;
	*ret_count = end - first;
	return self->sorted + first;
}

/* The kind of user, as for tasks. */
static const char *user_kind(uint32_t user)
{
	return user == USER_THROTTLED     ? "throttled"
	       : user == CPU_USER_IRQ     ? "irq"
	       : user == CPU_USER_IDLE    ? "idle"
	                                  : "task";
}

static const struct column loss_columns[] = {
	{"group", "GROUP", CELL_TEXT, 0},
	{"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY},
	{"kind", "KIND", CELL_TEXT, 0},
	{"total_ns", "TOTAL", CELL_DURATION, 0},
};

#define LOSS_COLUMNS ARRAY_SIZE(loss_columns)

static struct cell losses_cell(const struct sched_groups *self,
                               const struct group_loss *const *loss, size_t count)
{
	struct cell *cells = xcalloc(count * LOSS_COLUMNS, sizeof(*cells));

	for (size_t i = 0; i < count; i++) {
		struct cell *cell = &cells[i * LOSS_COLUMNS];
		uint32_t user = loss[i]->key.user;

		if (user < self->groups.count)
			task_group_cells(&self->groups, self->queue->question->timeline, user,
			                 cell);
		else
			cell[0].type = cell[1].type = CELL_EMPTY;
		cell[2] = (struct cell){.type = CELL_TEXT, .text = user_kind(user)};
		cell[3] = (struct cell){.type = CELL_DURATION, .time = loss[i]->total};
	}
	return (struct cell){.type = CELL_ROWS,
	                     .rows = {loss_columns, LOSS_COLUMNS, cells, count}};
}

/* "backup.service 60.9 %, idle 2.0 %" */
static void losses_append(struct buffer *to, const struct sched_groups *self,
                          const struct group_row *row, const struct group_loss *const *loss,
                          size_t count)
{
	for (size_t i = 0; i < count && i < LOSSES_NAMED; i++) {
		uint32_t user = loss[i]->key.user;
		const char *name = user < self->groups.count ? self->groups.group[user].name
		                   : user == CPU_USER_IRQ    ? "interrupts"
		                   : user == CPU_USER_IDLE   ? "idle"
		                   : user == USER_THROTTLED  ? "throttled"
		                                             : "others";

		buffer_printf(to, "%s%s %s", i ? ", " : "",
		              user == row->key.group ? "itself" : name,
		              RATIO_TEXT(nsec_ratio(loss[i]->total, row->latency.total)));
	}
}

#define AT(member) RELATION_AT(struct group_row, member)

enum {
	COLUMN_GROUP,
	COLUMN_CGROUP,
	COLUMN_LOST_TO = 7,
	COLUMN_LOST_TEXT,
};

static const struct field fields[] = {
	[COLUMN_GROUP] = {"group", "GROUP", CELL_TEXT, 0, RELATION_FILLED},
	[COLUMN_CGROUP] = {"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY, RELATION_FILLED},
	{"tasks", "TASKS", CELL_COUNT, COLUMN_SPARE(2), AT(tasks)},
	{NULL, "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(3), AT(latency.count)},
	{NULL, "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY, AT(latency.total)},
	{"latency", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1), AT(latency)},
	{"throttled_ns", "THROTTLED", CELL_DURATION, COLUMN_DATA_ONLY, AT(throttled)},
	[COLUMN_LOST_TO] = {"lost_to", "LOST TO", CELL_ROWS, COLUMN_DATA_ONLY, RELATION_FILLED},
	[COLUMN_LOST_TEXT] = {NULL, "LOST TO", CELL_TEXT, COLUMN_TEXT_ONLY, RELATION_FILLED},
};

static void row_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct sched_groups *self = view;
	const struct group_row *row = of;
	size_t count;
	const struct group_loss **loss = losses_of(self, row->key.group, &count);

	task_group_cells(&self->groups, self->queue->question->timeline, row->key.group,
	                 &cell[COLUMN_GROUP]);
	cell[COLUMN_LOST_TO] = losses_cell(self, loss, count);
	losses_append(&text[COLUMN_LOST_TEXT], self, row, loss, count);
}

static const struct measure by_key[] = {{AT(latency.total)}};

static const struct relation_form form = {
	"groups",
	"Groups, by their time in run queues",
	fields,
	ARRAY_SIZE(fields),
	.by_key = by_key,
	.fill = row_fill,
	.rows_named = "groups",
};

void sched_groups_put(const struct run_queue *queue, const struct output *to)
{
	struct sched_groups self = {.queue = queue};

	task_groups_init(&self.groups, queue->question);
	relation_init(&self.rows, sizeof(struct group_row), sizeof(struct group_key), GROUPS_MAX);
	relation_init(&self.losses, sizeof(struct group_loss), sizeof(struct loss_key),
	              LOSSES_MAX);
	for (size_t i = 0; i < queue->row_count; i++) {
		uint32_t track = queue->row[i].track;

		if (queue->question->resolved->is_asked[track] &&
		    self.groups.of_track[track] != TASK_GROUP_NONE)
			task_add(&self, &queue->row[i], self.groups.of_track[track]);
	}
	losses_sort(&self);
	relation_put(&self.rows, &form, &self, queue->question, to);
	relation_release(&self.rows, &form);
	relation_release(&self.losses, NULL);
	free(self.sorted);
	task_groups_release(&self.groups);
}
