/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched_groups.h"

#include "analysis/task_groups.h"
#include "base/data/array.h"
#include "sentences/thresholds.h"

#define GROUPS_MAX     (1u << 16)
/* What is no group: the users of a CPU of cpu_log.h, and the limits on CPU time. */
#define USER_THROTTLED (CPU_USER_IRQ - 1)

struct group_row {
	struct group_key { uint32_t group; } key;
	uint64_t tasks;
	struct distribution latency;
	nsec_t throttled;
};

struct sched_groups {
	const struct run_queue *queue;
	struct task_groups groups;
	struct tally rows;
	struct group_shares losses; /* of `latency`: what had the CPU meanwhile */
};

static const struct group_stranger strangers[] = {
	{USER_THROTTLED, "throttled", "throttled"},
	{CPU_USER_IRQ, "irq", "interrupts"},
	{CPU_USER_IDLE, "idle", "idle"},
	{TASK_GROUP_NONE, "task", "others"},
};

static void task_add(struct sched_groups *self, const struct queue_row *task, uint32_t group)
{
	const struct task_groups *groups = &self->groups;
	struct group_row *row = tally_row(&self->rows, &(struct group_key){group});
	size_t count;
	const struct queue_loss *loss =
		loss_list_find(&self->queue->losses, task->track, &count);

	if (!row)
		return;
	row->tasks++;
	row->throttled += task->throttled;
	distribution_merge(&row->latency, &task->latency);
	for (size_t i = 0; i < count; i++)
		group_shares_add(&self->losses, group,
		                 loss[i].user < groups->track_count
		                         ? groups->of_track[loss[i].user]
		                         : loss[i].user,
		                 loss[i].total);
	group_shares_add(&self->losses, group, USER_THROTTLED, task->throttled);
}

#define AT(member) RELATION_AT(struct group_row, member)

enum {
	COLUMN_GROUP,
	COLUMN_LOST_TO = 7,
	COLUMN_LOST_TEXT,
	COLUMN_PIDS,
};

static const struct field fields[] = {
	TASK_GROUP_FIELDS(COLUMN_GROUP),
	{"tasks", "TASKS", CELL_COUNT, COLUMN_SPARE(2), AT(tasks)},
	{NULL, "COUNT", CELL_COUNT, COLUMN_SPARE(3), AT(latency.count)},
	{NULL, "TOTAL", CELL_DURATION, 0, AT(latency.total)},
	{"latency", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1), AT(latency)},
	{"throttled_ns", "THROTTLED", CELL_DURATION, COLUMN_DATA_ONLY, AT(throttled)},
	[COLUMN_LOST_TO] = {"lost_to", "CPUS RAN", CELL_ROWS, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_LOST_TEXT] = {NULL, "CPUS RAN", CELL_TEXT, 0, FILLED},
	[COLUMN_PIDS] = {TASK_GROUP_PIDS},
};

static void row_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct sched_groups *self = view;
	const struct group_row *row = of;

	task_group_cells(&self->groups, self->queue->question->timeline, row->key.group,
	                 &cell[COLUMN_GROUP]);
	cell[COLUMN_PIDS] = task_group_pids(&self->groups, row->key.group);
	group_shares_fill(&self->losses, row->key.group, row->latency.total, SHOWN_LOSSES,
	                  &cell[COLUMN_LOST_TO], &text[COLUMN_LOST_TEXT]);
}

static const struct relation_form form = {
	"groups",
	"Groups, by their time in run queues",
	FIELDS(fields),
	.next = LINK_GROUP("--sched"),
	.order = {{AT(latency.total)}},
	.fill = row_fill,
	.rows_named = "groups",
};

void sched_groups_put(const struct run_queue *queue, const struct output *to)
{
	struct sched_groups self = {.queue = queue};

	task_groups_init(&self.groups, queue->question, /* only_cgroups= */ false);
	tally_init(&self.rows, sizeof(struct group_row), sizeof(struct group_key), GROUPS_MAX);
	group_shares_init(&self.losses, queue->question, &self.groups, strangers);
	for (size_t i = 0; i < queue->row_count; i++) {
		uint32_t track = queue->row[i].track;

		if (queue->question->resolved->is_asked[track] &&
		    self.groups.of_track[track] != TASK_GROUP_NONE)
			task_add(&self, &queue->row[i], self.groups.of_track[track]);
	}
	relation_put(&self.rows, &form, &self, queue->question, to);
	relation_release(&self.rows, &form);
	group_shares_release(&self.losses);
	task_groups_release(&self.groups);
}
