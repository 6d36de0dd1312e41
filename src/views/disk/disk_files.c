/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_files.h"

#include "analysis/tables/cells.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "disk_request.h"

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
	relation_init(&files->rows, sizeof(struct disk_file), sizeof(struct disk_file_key),
	              DISK_FILES_MAX);
}

void disk_files_release(struct disk_files *files)
{
	relation_release(&files->rows, NULL);
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
		.key = {interval->disk.file, request->task},
		.longest_task = request->task,
		.bytes = request->bytes,
		.longest_at = request->begin,
		.longest = request->end - request->begin,
	};
	struct disk_file *file;

	if (!interval->disk.file || interval->disk.is_part || request->issued == NSEC_NEVER ||
	    request->bytes == 0)
		return;
	if (interval->disk.is_sync) {
		of.writes = 1;
		of.written_bytes = request->bytes;
	} else {
		of.reads = 1;
		of.read_bytes = request->bytes;
	}
	of.queue = queued == NSEC_NEVER ? 0 : request->issued - queued;
	of.device = request->end - request->issued;
	of.time = of.queue + of.device;
	file = relation_row(&files->rows, &of.key);
	if (file)
		file_add(file, &of);
}

#define AT(member) RELATION_AT(struct disk_file, member)

enum {
	FILE_MACHINE,
	FILE_READ = 3,
	FILE_WRITTEN = 6,
	FILE_PATH = 11,
	FILE_INODE,
	FILE_DEV,
	FILE_WORDS,
};

static const struct field fields[] = {
	[FILE_MACHINE] = {MACHINE_COLUMN, RELATION_FILLED},
	{"reads", "READS", CELL_COUNT, COLUMN_SPARE(3), AT(reads)},
	{"read_bytes", NULL, CELL_COUNT, 0, AT(read_bytes)},
	[FILE_READ] = {NULL, "READ", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(1),
	               RELATION_FILLED},
	{"writes", "WRITES", CELL_COUNT, COLUMN_SPARE(4), AT(writes)},
	{"written_bytes", NULL, CELL_COUNT, 0, AT(written_bytes)},
	[FILE_WRITTEN] = {NULL, "WRITTEN", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(2),
	                  RELATION_FILLED},
	{"time_ns", "TIME", CELL_DURATION, 0, AT(time)},
	{"max_ns", "LONGEST", CELL_DURATION, COLUMN_SPARE(2), AT(longest)},
	{"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(5), AT(longest_at)},
	{"task", "TASK", CELL_TASK, COLUMN_SPARE(1), AT(longest_task)},
	[FILE_PATH] = {"file", NULL, CELL_TEXT, 0, RELATION_FILLED},
	[FILE_INODE] = {"inode", NULL, CELL_COUNT, COLUMN_NUMBER, RELATION_FILLED},
	[FILE_DEV] = {"inode_dev", NULL, CELL_TEXT, 0, RELATION_FILLED},
	[FILE_WORDS] = {NULL, "FILE", CELL_TEXT, COLUMN_TEXT_ONLY, RELATION_FILLED},
};

static void row_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct question *question = view;
	const struct disk_file *file = of;
	const struct timeline *timeline = question->timeline;
	const struct file_name *name_of =
		file_names_at(&timeline->files, (uint16_t)file->key.file);
	struct cell name[DISK_FILE_CELLS];
	char dev[FORMAT_BYTES];

	if (name_of)
		cell[FILE_MACHINE] = cell_of_machine(
			timeline, device_names_host(&timeline->devices, name_of->dev));
	else
		cell[FILE_MACHINE].type = CELL_EMPTY;
	disk_file_fill(timeline, (uint16_t)file->key.file, dev, &text[FILE_WORDS], name);
	cell[FILE_PATH] = name[0];
	cell[FILE_INODE].count = name[1].count;
	buffer_puts(&text[FILE_DEV], dev);
	buffer_puts(&text[FILE_READ], SIZE_TEXT(file->read_bytes));
	buffer_puts(&text[FILE_WRITTEN], SIZE_TEXT(file->written_bytes));
}

/* In the order of disk_sort_keys. */
static const struct measure by_key[] = {{AT(time)}, {AT(queue)}, {AT(device)}, {AT(bytes)}};

static const struct relation_form form = {
	"files",
	"Files, by the time of their requests",
	fields,
	ARRAY_SIZE(fields),
	.sort_keys = disk_sort_keys,
	.by_key = by_key,
	.then = {AT(bytes)},
	.fill = row_fill,
	.is_hidden_if_empty = true,
	.rows_named = "files of tasks",
	.lost_named = "requests",
};

void disk_files_put(const struct disk_files *files, const struct question *question,
                    const struct output *to)
{
	struct relation table;

	if (files->rows.count == 0)
		return;
	relation_init(&table, sizeof(struct disk_file), sizeof(struct disk_file_key), UINT32_MAX);
	for (size_t i = 0; i < files->rows.count; i++) {
		const struct disk_file *file = relation_at(&files->rows, i);

		if (disk_is_asked(question, file->key.task))
			file_add(relation_row(&table, &(struct disk_file_key){file->key.file,
			                                                      TRACK_NONE}),
			         file);
	}
	relation_note_left_out(&files->rows, &form, question);
	relation_put(&table, &form, question, question, to);
	relation_release(&table, NULL);
}
