/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "call_files.h"

#include <string.h>

#include "analysis/tables/cells.h"
#include "analysis/machine_arch.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "call_words.h"
#include "words/kernel/errno_names.h"

/* The calls of one row of the sums, or, in the table, of one name, with one outcome. */
struct call_file {
	struct call_file_key {
		uint32_t call; /* row of the sums; in the table the name's id */
		uint32_t path, to;
		uint32_t machine; /* number of the machine of the file */
		int32_t error; /* 0, or as the kernel returns it */
	} key;
	uint32_t task; /* track; in the table of several tasks the one with the longest call */
	uint64_t count;
	nsec_t total, longest, longest_at;
};

void call_files_init(struct call_files *files)
{
	relation_init(&files->rows, sizeof(struct call_file), sizeof(struct call_file_key),
	              CALL_FILES_MAX);
}

void call_files_release(struct call_files *files)
{
	relation_release(&files->rows, NULL);
}

static void file_add(struct call_file *file, const struct call_file *more)
{
	if (file->count == 0 || more->longest > file->longest) {
		file->task = more->task;
		file->longest = more->longest;
		file->longest_at = more->longest_at;
	}
	file->count += more->count;
	file->total += more->total;
}

void call_files_add(struct call_files *files, size_t row, const struct interval *interval)
{
	int64_t result = interval->syscall.result;
	nsec_t time = interval->end - interval->begin;
	const struct call_file call = {
		.key = {
			.call = (uint32_t)row,
			.path = interval->syscall.path,
			.to = interval->syscall.to,
			.error = call_result_is_error(result) ? (int32_t)result : 0,
		},
		.task = interval->task,
		.count = 1,
		.total = time,
		.longest = time,
		.longest_at = interval->begin,
	};
	struct call_file *file;

	if (!call.key.path && !call.key.to)
		return;
	file = relation_row(&files->rows, &call.key);
	if (file)
		file_add(file, &call);
}

void call_paths_append(struct buffer *to, const struct timeline *timeline, uint32_t first,
                       uint32_t second)
{
	const char *path = intern_text(&timeline->names, first);
	const char *other = intern_text(&timeline->names, second);

	buffer_puts_clean(to, first ? path : "-", first ? strlen(path) : 1);
	if (!second)
		return;
	buffer_puts(to, " -> ");
	buffer_puts_clean(to, other, strlen(other));
}

#define AT(member) RELATION_AT(struct call_file, member)

enum {
	FILE_ERROR = 2,
	FILE_ERRNO = 3,
	FILE_WORDS = 11,
};

static const struct field fields[] = {
	{MACHINE_COLUMN, AT(key.machine)},
	{"name", "CALL", CELL_TEXT, 0, AT(key.call)},
	[FILE_ERROR] = {"error", "ERROR", CELL_TEXT, 0, RELATION_FILLED},
	[FILE_ERRNO] = {"errno", NULL, CELL_COUNT, 0, RELATION_FILLED},
	{"count", "COUNT", CELL_COUNT, 0, AT(count)},
	{"total_ns", "TOTAL", CELL_DURATION, 0, AT(total)},
	{"max_ns", "LONGEST", CELL_DURATION, COLUMN_USEFUL(1), AT(longest)},
	{"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(2), AT(longest_at)},
	{"task", "TASK", CELL_TASK, COLUMN_SPARE(1), AT(task)},
	{"path", NULL, CELL_TEXT, 0, AT(key.path)},
	{"to", NULL, CELL_TEXT, 0, AT(key.to)},
	[FILE_WORDS] = {NULL, "PATH", CELL_TEXT, COLUMN_TEXT_ONLY, RELATION_FILLED},
};

static void file_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct question *question = view;
	const struct call_file *file = of;

	if (file->key.error) {
		call_error_append(&text[FILE_ERROR],
		                  errno_names_of(track_arch(question, file->task)),
		                  file->key.error);
		cell[FILE_ERRNO].count = (uint64_t)-file->key.error;
	} else {
		cell[FILE_ERROR].type = CELL_EMPTY;
		cell[FILE_ERRNO].type = CELL_EMPTY;
	}
	call_paths_append(&text[FILE_WORDS], question->timeline, file->key.path, file->key.to);
}

static const struct measure by_total[] = {{AT(total)}};

static const struct relation_form form = {
	"files", "Files that calls name, by the time of these calls", fields, ARRAY_SIZE(fields),
	.by_key = by_total, .then = {AT(count)}, .fill = file_fill,
	.is_hidden_if_empty = true,
	.rows_named = "files of calls", .lost_named = "calls",
};

void call_files_put(const struct call_files *files, const struct call_sums *sums,
                    bool (*is_asked)(const struct question *, uint32_t track, uint32_t name),
                    const struct question *question, const struct output *to)
{
	struct relation table;

	if (files->rows.count == 0)
		return;
	relation_init(&table, sizeof(struct call_file), sizeof(struct call_file_key), UINT32_MAX);
	for (size_t i = 0; i < files->rows.count; i++) {
		const struct call_file *file = relation_at(&files->rows, i);
		struct call_file_key key = file->key;

		key.call = call_sums_name(sums, file->key.call);
		key.machine = question->timeline->track[file->task].host;
		if (is_asked(question, file->task, key.call))
			file_add(relation_row(&table, &key), file);
	}
	relation_note_left_out(&files->rows, &form, question);
	relation_put(&table, &form, question, question, to);
	relation_release(&table, NULL);
}
