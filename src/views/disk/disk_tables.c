/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_tables.h"

#include "analysis/tables/cells.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "disk_slowest.h"
#include "graph/timeline/timeline_tasks.h"

struct disk_file {
	struct disk_file_key {
		uint32_t file; /* number in the timeline's files */
		uint32_t task; /* track; in the table, of all tasks, TRACK_NONE */
	} key;
	uint32_t longest_task; /* track; TRACK_NONE: not known */
	uint64_t reads, read_bytes, writes, written_bytes, bytes;
	nsec_t queue, device, time; /* time: the sum of both */
	nsec_t longest, longest_at;
};

void disk_files_init(struct disk_files *files)
{
	tally_init(&files->rows, sizeof(struct disk_file), sizeof(struct disk_file_key),
	           DISK_FILES_MAX);
}

void disk_files_release(struct disk_files *files)
{
	tally_release(&files->rows);
}

static void file_add(struct disk_file *file, const struct disk_file *more)
{
	if (file->bytes == 0 || more->longest > file->longest) {
		file->longest = more->longest;
		file->longest_at = more->longest_at;
		file->longest_task = more->longest_task;
	}
	file->reads += more->reads;
	file->read_bytes += more->read_bytes;
	file->writes += more->writes;
	file->written_bytes += more->written_bytes;
	file->bytes += more->bytes;
	file->queue += more->queue;
	file->device += more->device;
	file->time += more->time;
}

void disk_files_add(struct disk_files *files, const struct disk_request *request,
                    const struct interval *interval)
{
	nsec_t queued = interval->phase[PHASE_QUEUED];
	struct disk_file of = {
		.key = {interval->disk.of.file, request->task},
		.longest_task = request->task,
		.bytes = request->bytes,
		.longest_at = request->begin,
		.longest = request->end - request->begin,
	};
	struct disk_file *file;

	if (!interval->disk.of.file || interval->disk.of.is_part || request->issued == NSEC_NEVER ||
	    request->bytes == 0)
		return;
	if (interval->disk.of.is_sync) {
		of.writes = 1;
		of.written_bytes = request->bytes;
	} else {
		of.reads = 1;
		of.read_bytes = request->bytes;
	}
	of.queue = queued == NSEC_NEVER ? 0 : request->issued - queued;
	of.device = request->end - request->issued;
	of.time = of.queue + of.device;
	file = tally_row(&files->rows, &of.key);
	if (file)
		file_add(file, &of);
}

#define FILE_AT(member) RELATION_AT(struct disk_file, member)

enum {
	FILE_MACHINE,
	FILE_READ = 3,
	FILE_WRITTEN = 6,
	FILE_PATH = 11,
	FILE_INODE,
	FILE_DEV,
	FILE_WORDS,
};

static const struct field file_fields[] = {
	[FILE_MACHINE] = {MACHINE_COLUMN, FILLED},
	{"reads", "READS", CELL_COUNT, COLUMN_SPARE(3), FILE_AT(reads)},
	{"read_bytes", NULL, CELL_COUNT, 0, FILE_AT(read_bytes)},
	[FILE_READ] = {NULL, "READ", CELL_TEXT, COLUMN_USEFUL(1), FILLED},
	{"writes", "WRITES", CELL_COUNT, COLUMN_SPARE(4), FILE_AT(writes)},
	{"written_bytes", NULL, CELL_COUNT, 0, FILE_AT(written_bytes)},
	[FILE_WRITTEN] = {NULL, "WRITTEN", CELL_TEXT, COLUMN_USEFUL(2), FILLED},
	{"time_ns", "TIME", CELL_DURATION, 0, FILE_AT(time)},
	{"max_ns", "LONGEST", CELL_DURATION, COLUMN_SPARE(2), FILE_AT(longest)},
	{"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(5), FILE_AT(longest_at)},
	{"task", "TASK", CELL_TASK, COLUMN_SPARE(1), FILE_AT(longest_task)},
	[FILE_PATH] = {"file", NULL, CELL_TEXT, 0, FILLED},
	[FILE_INODE] = {"inode", NULL, CELL_COUNT, COLUMN_NUMBER, FILLED},
	[FILE_DEV] = {"inode_dev", NULL, CELL_TEXT, 0, FILLED},
	[FILE_WORDS] = {NULL, "FILE", CELL_TEXT, 0, FILLED},
};

static void file_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct question *question = view;
	const struct disk_file *file = of;
	const struct timeline *timeline = question->timeline;
	const struct file_name *name_of =
		file_names_at(&timeline->files, (uint16_t)file->key.file);

	if (name_of)
		cell[FILE_MACHINE] = cell_of_machine(
			timeline, device_names_host(&timeline->devices, name_of->dev));
	else
		cell[FILE_MACHINE].type = CELL_EMPTY;
	disk_file_fill(timeline, (uint16_t)file->key.file, &cell[FILE_PATH], &text[FILE_PATH],
	               &text[FILE_WORDS]);
	buffer_puts(&text[FILE_READ], SIZE_TEXT(file->read_bytes));
	buffer_puts(&text[FILE_WRITTEN], SIZE_TEXT(file->written_bytes));
}

/* In the order of disk_sort_keys. */
static const struct measure by_file[] = {
	{FILE_AT(time)}, {FILE_AT(queue)}, {FILE_AT(device)}, {FILE_AT(bytes)},
};

static const struct relation_form file_form = {
	"files",
	"Files, by the time of their requests",
	FIELDS(file_fields),
	.next = "--disk --tid {task} --from {from:max_at_ns} --to {to:max_at_ns+max_ns}",
	.sort_keys = disk_sort_keys,
	.by_key = by_file,
	.order = {{FILE_AT(bytes)}},
	.fill = file_fill,
	.is_hidden_if_empty = true,
	.rows_named = "files of tasks",
	.lost_named = "requests",
};

void disk_files_put(const struct disk_files *files, const struct question *question,
                    const struct output *to)
{
	struct tally table;

	if (files->rows.count == 0)
		return;
	tally_init(&table, sizeof(struct disk_file), sizeof(struct disk_file_key), TALLY_NO_LIMIT);
	TALLY_ROWS(&files->rows, const struct disk_file, file) {
		if (disk_is_asked(question, file->key.task))
			file_add(tally_row(&table, &(struct disk_file_key){file->key.file,
			                                                      TRACK_NONE}),
			         file);
	}
	relation_note_left_out(&files->rows, &file_form, question);
	relation_put(&table, &file_form, question, question, to);
	tally_release(&table);
}

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
	COLUMN_READ = 6,
	COLUMN_WRITTEN = 9,
};

static const struct field fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(task)},
	DISK_DEV_FIELDS(COLUMN_DEV, COLUMN_USEFUL(2)),
	{"reads", "READS", CELL_COUNT, COLUMN_SPARE(7), AT(requests[DISK_READ])},
	{"read_bytes", NULL, CELL_COUNT, 0, AT(bytes[DISK_READ])},
	[COLUMN_READ] = {NULL, "READ", CELL_TEXT, COLUMN_USEFUL(1), FILLED},
	{"writes", "WRITES", CELL_COUNT, COLUMN_SPARE(7), AT(requests[DISK_WRITE])},
	{"written_bytes", NULL, CELL_COUNT, 0, AT(bytes[DISK_WRITE])},
	[COLUMN_WRITTEN] = {NULL, "WRITTEN", CELL_TEXT, COLUMN_USEFUL(1), FILLED},
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

	disk_dev_fill(tasks->question->timeline, row->dev, &cell[COLUMN_DEV], &text[COLUMN_DEV]);
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
	FIELDS(fields),
	.next = "--disk --tid {task}",
	.sort_keys = disk_sort_keys,
	.by_key = by_key,
	.order = {{AT(all_bytes)}},
	.fill = row_fill,
	.is_hidden_if_empty = true,
};

void disk_tasks_init(struct disk_tasks *tasks, const struct question *question)
{
	*tasks = (struct disk_tasks){.question = question};
	tally_init(&tasks->rows, sizeof(struct task_row), 0, TALLY_NO_LIMIT);
}

void disk_tasks_add(struct disk_tasks *tasks, uint32_t task, uint32_t dev,
                    const struct disk_sum sum[static DISK_DIRECTIONS], nsec_t waiting)
{
	struct task_row *row;
	uint64_t requests = 0;

	for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
		requests += sum[way].requests;
	if (requests == 0)
		return;
	row = tally_add(&tasks->rows);
	row->task = task;
	row->dev = dev;
	row->waiting = waiting;
	for (unsigned way = 0; way < DISK_DIRECTIONS; way++) {
		row->requests[way] = sum[way].requests;
		row->bytes[way] = sum[way].bytes;
		row->all_bytes += sum[way].bytes;
		row->errors += sum[way].errors;
		distribution_merge(&row->queue, &sum[way].queue);
		distribution_merge(&row->device, &sum[way].device);
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

#define GROUPS_MAX (1u << 16)

struct group_row {
	struct group_key { uint32_t group, dev; } key; /* group TASK_GROUP_NONE: not known */
	uint64_t requests, bytes, errors;
	struct distribution queue, device;
	nsec_t total; /* sum of both */
};

#define GROUP_AT(member) RELATION_AT(struct group_row, member)

enum {
	COLUMN_GROUP,
	GROUP_DEV = COLUMN_GROUP + TASK_GROUP_CELLS,
	COLUMN_SIZE = 5,
	COLUMN_PIDS = 9,
};

static const struct field group_fields[] = {
	TASK_GROUP_FIELDS(COLUMN_GROUP),
	[GROUP_DEV] = {"dev", "DEV", CELL_TEXT, 0, FILLED},
	{"requests", "REQUESTS", CELL_COUNT, COLUMN_SPARE(2), GROUP_AT(requests)},
	{"bytes", NULL, CELL_COUNT, 0, GROUP_AT(bytes)},
	[COLUMN_SIZE] = {NULL, "SIZE", CELL_TEXT, COLUMN_SPARE(1), FILLED},
	{"queue", "QUEUE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2), GROUP_AT(queue)},
	{"device", "DEVICE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1), GROUP_AT(device)},
	{"errors", "ERRORS", CELL_COUNT, COLUMN_DATA_ONLY, GROUP_AT(errors)},
	[COLUMN_PIDS] = {TASK_GROUP_PIDS},
};

static void group_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct disk_groups *self = view;
	const struct group_row *row = of;

	if (row->key.group != TASK_GROUP_NONE) {
		task_group_cells(&self->groups, self->question->timeline, row->key.group,
		                 &cell[COLUMN_GROUP]);
		cell[COLUMN_PIDS] = task_group_pids(&self->groups, row->key.group);
	} else {
		cell[COLUMN_GROUP].text = "not recorded";
		cell[COLUMN_GROUP + 1].type = cell[COLUMN_PIDS].type = CELL_EMPTY;
	}
	buffer_puts(&text[GROUP_DEV],
	            TIMELINE_DEVICE_NUMBERS(self->question->timeline, row->key.dev));
	buffer_puts(&text[COLUMN_SIZE], SIZE_TEXT(row->bytes));
}

static const struct relation_form group_form = {
	"groups",
	"Groups, by the time of their requests",
	FIELDS(group_fields),
	.next = LINK_GROUP("--disk"),
	.order = {{GROUP_AT(total)}},
	.fill = group_fill,
	.rows_named = "groups",
};

void disk_groups_init(struct disk_groups *self, const struct question *question)
{
	*self = (struct disk_groups){.question = question};
	task_groups_init(&self->groups, question, /* only_cgroups= */ false);
	tally_init(&self->rows, sizeof(struct group_row), sizeof(struct group_key), GROUPS_MAX);
}

void disk_groups_add(struct disk_groups *self, uint32_t task, uint32_t dev,
                     const struct disk_sum *sum)
{
	struct group_key key = {TASK_GROUP_NONE, dev};
	struct group_row *row;

	if (sum->requests == 0)
		return;
	if (task < self->groups.track_count)
		key.group = self->groups.of_track[task];
	row = tally_row(&self->rows, &key);
	if (!row)
		return;
	row->requests += sum->requests;
	row->bytes += sum->bytes;
	row->errors += sum->errors;
	distribution_merge(&row->queue, &sum->queue);
	distribution_merge(&row->device, &sum->device);
	row->total += sum->queue.total + sum->device.total;
}

void disk_groups_put(const struct disk_groups *self, const struct output *to)
{
	relation_put(&self->rows, &group_form, self, self->question, to);
}

void disk_groups_release(struct disk_groups *self)
{
	relation_release(&self->rows, &group_form);
	task_groups_release(&self->groups);
}
