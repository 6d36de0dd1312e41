/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "syscall_calls.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "sentences/say.h"
#include "words/kernel/kernel_numbers.h"

/* Whether the call matches --syscall=NAME,...; true for all calls if no names are given. */
static bool question_asks_call(const struct question *question, uint32_t name)
{
	const char *text = intern_text(&question->timeline->names, name);
	_cleanup_(freep) char *list = NULL;
	char *rest, *glob;

	if (!question->asked->syscall.names)
		return true;
	list = xstrdup(question->asked->syscall.names);
	for (rest = list; (glob = strsep(&rest, ","));)
		if (fnmatch(glob, text, 0) == 0)
			return true;
	return false;
}

bool call_is_asked(const struct question *question, uint32_t track, uint32_t name)
{
	return question->resolved->is_asked[track] && question_asks_call(question, name);
}

void call_error_append(struct buffer *to, const struct errno_names *names, int64_t result)
{
	say(to, NULL, "[{text}|error {number}]", TEXT(errno_name(names, -result)),
	    NUMBER((uint64_t)-result));
}

void call_errors_append(struct buffer *to, const struct errno_names *names,
                        const struct number_count *error, size_t count)
{
	for (size_t i = 0; i < count; i++)
		say(to, NULL, "{,}[{text}|error {number}]: {number}",
		    TEXT(errno_name(names, -error[i].number)), NUMBER((uint64_t)-error[i].number),
		    NUMBER(error[i].count));
	if (count == 0)
		buffer_putc(to, '-');
}

#define ENOSYS 38 /* the same number on all machines with two ABIs */
#define MOVED_MAX INT32_MAX /* no call moves more bytes */

static void call_numbers_init(struct call_numbers *numbers, const char *arch)
{
	static const char *const execs[] = {"execve", "execveat"};

	*numbers = (struct call_numbers){.arch = arch, .has_compat = syscall_has_compat(arch)};
	_Static_assert(ARRAY_SIZE(execs) * SYSCALL_NUMBERS_MAX == ARRAY_SIZE(numbers->execs),
	               "room for all");
	for (size_t i = 0; i < ARRAY_SIZE(execs); i++)
		numbers->exec_count +=
			syscall_numbers(arch, execs[i], numbers->execs + numbers->exec_count);
	for (int64_t number = 0; numbers->has_compat && number < CALL_FOREIGN_MAX; number++)
		numbers->is_foreign[number] = !syscall_name(arch, false, number) &&
		                              syscall_name(arch, true, number);
}

void call_sums_init(struct call_sums *sums, const struct hosts *hosts, const char *arch)
{
	*sums = (struct call_sums){.hosts = hosts};
	sums->numbers = xcalloc(hosts->count ? hosts->count : 1, sizeof(*sums->numbers));
	if (hosts->count == 0)
		call_numbers_init(&sums->numbers[0], arch);
	for (uint32_t machine = 0; machine < hosts->count; machine++)
		call_numbers_init(&sums->numbers[machine], hosts->host[machine].arch);
	tally_init(&sums->rows, sizeof(struct call_row), sizeof(struct call_key), CALL_ROWS_MAX);
	tally_init(&sums->open, sizeof(struct open_call), 0, TALLY_NO_LIMIT);
	map_init(&sums->program_by_track);
	map_init(&sums->compat_programs);
}

void call_sums_release(struct call_sums *sums)
{
	TALLY_ROWS(&sums->rows, struct call_row, row) {
		distribution_release(&row->latency);
		free(row->error);
	}
	free(sums->numbers);
	tally_release(&sums->rows);
	tally_release(&sums->open);
	map_release(&sums->program_by_track);
	map_release(&sums->compat_programs);
}

static uint32_t track_program(const struct call_sums *sums, uint32_t track)
{
	uint32_t program = map_get(&sums->program_by_track, track);

	return program == MAP_NONE ? 0 : program;
}

static uint64_t program_key(uint32_t track, uint32_t program)
{
	return (uint64_t)track << 32 | program;
}

/* `numbers`: of the task's machine. */
static bool program_is_compat(const struct call_sums *sums, const struct call_numbers *numbers,
                              uint32_t track, uint32_t program)
{
	return numbers->has_compat &&
	       map_get(&sums->compat_programs, program_key(track, program)) != MAP_NONE;
}

bool call_result_is_error(int64_t result)
{
	return result < 0 && result >= -ERRNO_MAX;
}

/* Whether the results above 0 of the call of that name are numbers of bytes that it moved. */
static bool name_moves_bytes(const char *name)
{
	static const char *const movers[] = {
		"read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev",
		"preadv2", "pwritev2", "recv", "send", "recvfrom", "sendto", "recvmsg", "sendmsg",
		"sendfile", "sendfile64", "splice", "vmsplice", "tee", "copy_file_range",
		"process_vm_readv", "process_vm_writev",
	};

	for (size_t i = 0; i < ARRAY_SIZE(movers); i++)
		if (strcmp(name, movers[i]) == 0)
			return true;
	return false;
}

/* Whether the call shows that the program uses the second ABI: the machine's own ABI does not have
   it, and the kernel knew it. */
static bool call_is_foreign(const struct call_numbers *numbers, const struct interval *interval)
{
	int64_t number = interval->syscall.number;

	return number >= 0 && number < CALL_FOREIGN_MAX && numbers->is_foreign[number] &&
	       !interval->is_open && interval->syscall.result != -ENOSYS;
}

static bool call_is_exec(const struct call_numbers *numbers, const struct interval *interval,
                         bool is_compat)
{
	const char *name;

	if (interval->is_open || interval->syscall.result != 0)
		return false;
	if (is_compat) {
		name = syscall_name(numbers->arch, is_compat, interval->syscall.number);
		return name && strncmp(name, "execve", 6) == 0;
	}
	for (size_t i = 0; i < numbers->exec_count; i++)
		if (interval->syscall.number == numbers->execs[i])
			return true;
	return false;
}

static void row_add_error(struct call_row *row, int64_t number, uint64_t count)
{
	size_t at = 0;

	row->errors += count;
	while (at < row->error_count && row->error[at].number > number)
		at++;
	if (at < row->error_count && row->error[at].number == number) {
		row->error[at].count += count;
		return;
	}
	ARRAY_GROW_FROM(row->error, row->error_count, row->error_capacity, 2);
	memmove(row->error + at + 1, row->error + at,
	        (row->error_count - at) * sizeof(*row->error));
	row->error[at] = (struct number_count){number, count};
	row->error_count++;
}

static nsec_t kinds_add(nsec_t *by_kind, const nsec_t *more)
{
	nsec_t sum = 0;

	for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++) {
		by_kind[kind] += more[kind];
		sum += more[kind];
	}
	return sum;
}

static void row_add(struct call_row *row, const struct interval *interval)
{
	distribution_add(&row->latency, interval->end - interval->begin, interval->begin);
	row->running += interval->syscall.running;
	row->runnable += interval->syscall.runnable;
	row->waiting += kinds_add(row->by_kind, interval->syscall.waiting);
	if (call_result_is_error(interval->syscall.result))
		row_add_error(row, interval->syscall.result, 1);
	else if (interval->syscall.result > 0 && interval->syscall.result <= MOVED_MAX)
		row->moved += (uint64_t)interval->syscall.result;
}

static void sums_add_open(struct call_sums *sums, const struct interval *interval,
                          uint32_t program)
{
	struct open_call *open = tally_add(&sums->open);

	*open = (struct open_call){
		.key = {interval->syscall.number, interval->task, program},
		.paths = call_paths_of(&interval->syscall),
		.begin = interval->begin,
		.time = interval->end - interval->begin,
		.running = interval->syscall.running,
		.runnable = interval->syscall.runnable,
	};
	(void)kinds_add(open->by_kind, interval->syscall.waiting);
}

const struct call_row *call_sums_add(struct call_sums *sums, const struct interval *interval,
                                     bool is_asked)
{
	uint32_t track = interval->task, program = track_program(sums, track);
	const struct call_numbers *numbers =
		&sums->numbers[hosts_of_cpu(sums->hosts, interval->cpu)];
	bool is_compat = program_is_compat(sums, numbers, track, program);
	struct call_row *row = NULL;

	if (numbers->has_compat && !is_compat && call_is_foreign(numbers, interval)) {
		map_put(&sums->compat_programs, program_key(track, program), 1);
		is_compat = true;
	}
	if (is_asked && interval->is_open) {
		sums_add_open(sums, interval, program);
	} else if (is_asked) {
		row = tally_row(&sums->rows, &(struct call_key){
			interval->syscall.number, track, program});
		if (row)
			row_add(row, interval);
	}
	if (numbers->has_compat && call_is_exec(numbers, interval, is_compat))
		map_put(&sums->program_by_track, track, program + 1);
	return row;
}

/* "openat"; "syscall_1234" where it is not known. */
static uint32_t sums_name(const struct call_sums *sums, struct timeline *timeline,
                          const struct call_key *key)
{
	const struct call_numbers *numbers = &sums->numbers[timeline->track[key->track].host];
	const char *name = syscall_name(
		numbers->arch, program_is_compat(sums, numbers, key->track, key->program),
		key->number);
	char digits[40];

	if (name)
		return intern_adds(&timeline->names, name);
	(void)snprintf(digits, sizeof(digits), "syscall_%" PRId64, key->number);
	return intern_adds(&timeline->names, digits);
}

/* Adds the other row to `row`; the other row stays, but is empty. */
static void row_merge(struct call_row *row, struct call_row *other)
{
	distribution_merge(&row->latency, &other->latency);
	distribution_release(&other->latency);
	row->running += other->running;
	row->runnable += other->runnable;
	row->waiting += kinds_add(row->by_kind, other->by_kind);
	row->moved += other->moved;
	for (size_t i = 0; i < other->error_count; i++)
		row_add_error(row, other->error[i].number, other->error[i].count);
}

void call_sums_resolve(struct call_sums *sums, struct timeline *timeline)
{
	struct map by_name;

	map_init(&by_name);
	for (uint32_t i = 0; i < sums->rows.count; i++) {
		struct call_row *row = tally_at(&sums->rows, i);
		uint32_t first;

		row->name = sums_name(sums, timeline, &row->key);
		row->moves_bytes = name_moves_bytes(intern_text(&timeline->names, row->name));
		first = map_get(&by_name, program_key(row->key.track, row->name));
		if (first == MAP_NONE)
			map_put(&by_name, program_key(row->key.track, row->name), i);
		else
			row_merge(tally_at(&sums->rows, first), row);
	}
	map_release(&by_name);
	TALLY_ROWS(&sums->open, struct open_call, open) {
		open->name = sums_name(sums, timeline, &open->key);
		call_paths_resolve(&open->paths, timeline);
	}
}

/* The calls of one row of the sums, or, in the table, of one name, with one outcome. */
struct call_file {
	struct call_file_key {
		nsec_t since;  /* with `look`: a struct descriptor_use; in the table 0, both */
		uint32_t look;
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
	tally_init(&files->rows, sizeof(struct call_file), sizeof(struct call_file_key),
	           CALL_FILES_MAX);
}

void call_files_release(struct call_files *files)
{
	tally_release(&files->rows);
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
	struct call_file call = {
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

	if (!call.key.path && interval->syscall.file.look) {
		call.key.since = interval->syscall.file.since;
		call.key.look = interval->syscall.file.look;
	}
	if (!call.key.path && !call.key.to && !call.key.look)
		return;
	file = tally_row(&files->rows, &call.key);
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
	[FILE_ERROR] = {"error", "ERROR", CELL_TEXT, 0, FILLED},
	[FILE_ERRNO] = {"errno", NULL, CELL_COUNT, 0, FILLED},
	{"count", "COUNT", CELL_COUNT, 0, AT(count)},
	{"total_ns", "TOTAL", CELL_DURATION, 0, AT(total)},
	{"max_ns", "LONGEST", CELL_DURATION, COLUMN_USEFUL(1), AT(longest)},
	{"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(2), AT(longest_at)},
	{"task", "TASK", CELL_TASK, COLUMN_SPARE(1), AT(task)},
	{"path", NULL, CELL_TEXT, 0, AT(key.path)},
	{"to", NULL, CELL_TEXT, 0, AT(key.to)},
	[FILE_WORDS] = {NULL, "PATH", CELL_TEXT, 0, FILLED},
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

static const struct relation_form form = {
	"files", "Files of calls, by the time of these calls", FIELDS(fields),
	.next = "--syscall={name} --tid {task} --from {from:max_at_ns} --to {to:max_at_ns+max_ns}",
	.order = {{AT(total)}, {AT(count)}}, .fill = file_fill,
	.is_hidden_if_empty = true,
	.rows_named = "files of calls", .lost_named = "calls",
};

void call_files_put(const struct call_files *files, const struct call_sums *sums,
                    const struct question *question, const struct output *to)
{
	struct tally table;

	if (files->rows.count == 0)
		return;
	tally_init(&table, sizeof(struct call_file), sizeof(struct call_file_key), TALLY_NO_LIMIT);
	TALLY_ROWS(&files->rows, const struct call_file, file) {
		struct call_file_key key = file->key;

		if (key.look)
			key.path = descriptor_log_path(
				&question->timeline->descriptors,
				(struct descriptor_use){key.since, key.look});
		if (!key.path && !key.to)
			continue;
		key.since = key.look = 0;
		key.call = call_sums_name(sums, file->key.call);
		key.machine = question->timeline->track[file->task].host;
		if (call_is_asked(question, file->task, key.call))
			file_add(tally_row(&table, &key), file);
	}
	relation_note_left_out(&files->rows, &form, question);
	relation_put(&table, &form, question, question, to);
	tally_release(&table);
}
