/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_tasks.h"

#include "base/data/array.h"
#include "base/text/format.h"
#include "disk_slowest.h"

struct task_row {
	uint32_t task, dev;
	uint64_t requests[DISK_DIRECTIONS], bytes[DISK_DIRECTIONS];
	uint64_t errors, all_bytes;
	struct distribution queue, device;
	nsec_t time; /* sum of both */
	nsec_t waiting;
};

#define AT(member) RELATION_AT(struct task_row, member)

enum {
	COLUMN_DEV = 1,
	COLUMN_DISK,
	COLUMN_NAME,
	COLUMN_READ = 6,
	COLUMN_WRITTEN = 9,
};

static const struct field fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(task)},
	[COLUMN_DEV] = {"dev", NULL, CELL_TEXT, 0, RELATION_FILLED},
	[COLUMN_DISK] = {"disk", NULL, CELL_TEXT, 0, RELATION_FILLED},
	[COLUMN_NAME] = {"dev", "DEV", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(2),
	                 RELATION_FILLED},
	{"reads", "READS", CELL_COUNT, COLUMN_SPARE(7), AT(requests[DISK_READ])},
	{"read_bytes", NULL, CELL_COUNT, 0, AT(bytes[DISK_READ])},
	[COLUMN_READ] = {NULL, "READ", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(1),
	                 RELATION_FILLED},
	{"writes", "WRITES", CELL_COUNT, COLUMN_SPARE(7), AT(requests[DISK_WRITE])},
	{"written_bytes", NULL, CELL_COUNT, 0, AT(bytes[DISK_WRITE])},
	[COLUMN_WRITTEN] = {NULL, "WRITTEN", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(1),
	                    RELATION_FILLED},
	{"others", "OTHERS", CELL_COUNT, COLUMN_SPARE(1), AT(requests[DISK_OTHER])},
	{"errors", NULL, CELL_COUNT, 0, AT(errors)},
	{"time_ns", "TIME", CELL_DURATION, 0, AT(time)},
	{"waiting_ns", "WAITING", CELL_DURATION, COLUMN_SPARE(4), AT(waiting)},
	{"queue", "QUEUE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_SPARE(2), AT(queue)},
	{"device", "DEVICE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_SPARE(3), AT(device)},
};

static void row_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct disk_tasks *tasks = view;
	const struct task_row *row = of;
	struct cell dev[DISK_DEV_CELLS];
	char digits[FORMAT_BYTES];

	disk_dev_fill(tasks->question->timeline, row->dev, digits, dev);
	buffer_puts(&text[COLUMN_DEV], dev[0].text);
	cell[COLUMN_DISK] = dev[1];
	buffer_puts(&text[COLUMN_NAME], dev[2].text);
	buffer_puts(&text[COLUMN_READ], SIZE_TEXT(row->bytes[DISK_READ]));
	buffer_puts(&text[COLUMN_WRITTEN], SIZE_TEXT(row->bytes[DISK_WRITE]));
}

/* In the order of disk_sort_keys. */
static const struct measure by_key[] = {
	{AT(time)},
	{AT(queue.total)},
	{AT(device.total)},
	{AT(all_bytes)},
};

static const struct relation_form form = {
	"tasks",
	"Tasks, by the time of their requests",
	fields,
	ARRAY_SIZE(fields),
	.sort_keys = disk_sort_keys,
	.by_key = by_key,
	.then = {AT(all_bytes)},
	.fill = row_fill,
	.is_hidden_if_empty = true,
};

void disk_tasks_init(struct disk_tasks *tasks, const struct question *question)
{
	*tasks = (struct disk_tasks){.question = question};
	relation_init(&tasks->rows, sizeof(struct task_row), 0, UINT32_MAX);
}

void disk_tasks_add(struct disk_tasks *tasks, uint32_t task, uint32_t dev,
                    const struct disk_share share[static DISK_DIRECTIONS], nsec_t waiting)
{
	struct task_row *row;
	uint64_t requests = 0;

	for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
		requests += share[way].requests;
	if (requests == 0)
		return;
	row = relation_add(&tasks->rows);
	row->task = task;
	row->dev = dev;
	row->waiting = waiting;
	for (unsigned way = 0; way < DISK_DIRECTIONS; way++) {
		row->requests[way] = share[way].requests;
		row->bytes[way] = share[way].bytes;
		row->all_bytes += share[way].bytes;
		row->errors += share[way].errors;
		distribution_merge(&row->queue, share[way].queue);
		distribution_merge(&row->device, share[way].device);
	}
	row->time = row->queue.total + row->device.total;
}

void disk_tasks_put(const struct disk_tasks *tasks, const struct output *to)
{
	relation_put(&tasks->rows, &form, tasks, tasks->question, to);
}

void disk_tasks_release(struct disk_tasks *tasks)
{
	relation_release(&tasks->rows, &form);
}
