/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "words/command_line.h"

#define ADDRESS_FIRST UINT64_C(0xffffffff81000000)
#define ADDRESS_STEP  16u
#define NAME_BYTES_MAX 127
#define ROW_BYTES      (16 + 3 + NAME_BYTES_MAX + 1)

void text_symbols_init(struct text_symbols *symbols)
{
	intern_init(&symbols->names);
	buffer_init(&symbols->table, TEXT_SYMBOLS_MAX * (size_t)ROW_BYTES);
}

void text_symbols_release(struct text_symbols *symbols)
{
	intern_release(&symbols->names);
	buffer_release(&symbols->table);
}

/* Names of symbols have some more characters. */
static bool is_name(char c)
{
	return char_is_name(c) || c == '.' || c == '$';
}

/* "+0x1c/0x80"; "/0x0", as trace-cmd prints a first address; " [module]" */
static void skip_place(struct text_line *line)
{
	const char *at = line->at;

	if (at < line->end && (*at == '+' || *at == '/'))
		while (at < line->end && *at != ' ' && *at != ',' && *at != ')')
			at++;
	if (line->end - at > 2 && at[0] == ' ' && at[1] == '[') {
		const char *close = memchr(at, ']', (size_t)(line->end - at));

		if (close)
			at = close + 1;
	}
	line->at = at;
}

uint64_t text_symbols_take(struct text_symbols *symbols, struct text_line *line,
                           bool *ret_is_taken)
{
	struct text_line word = {line->at, line->at};
	struct text_line digits;
	uint64_t number;
	size_t known;
	uint32_t id;

	while (word.end < line->end && is_name(*word.end))
		word.end++;
	*ret_is_taken = word.end > word.at && line_length(word) <= NAME_BYTES_MAX;
	if (!*ret_is_taken)
		return 0;
	line->at = word.end;
	digits = word;
	if (line_length(word) > 2 && word.at[0] == '0' && word.at[1] == 'x')
		digits.at += 2;
	if ((digits.at > word.at || line_length(word) == 16) && word_hex(digits, &number))
		return number;
	skip_place(line);
	known = symbols->names.count;
	if (known >= TEXT_SYMBOLS_MAX)
		return 0;
	id = intern_add(&symbols->names, word.at, line_length(word));
	number = ADDRESS_FIRST + (uint64_t)id * ADDRESS_STEP;
	if (symbols->names.count > known)
		buffer_printf(&symbols->table, "%016" PRIx64 " t %s\n", number,
		              intern_text(&symbols->names, id));
	return number;
}

const char *text_symbols_find(const struct text_symbols *symbols, uint64_t address,
                              uint64_t *ret_begin)
{
	uint64_t id = (address - ADDRESS_FIRST) / ADDRESS_STEP;

	if (address < ADDRESS_FIRST || id <= INTERN_OVERFLOW || id >= symbols->names.count)
		return NULL;
	*ret_begin = ADDRESS_FIRST + id * ADDRESS_STEP;
	return intern_text(&symbols->names, (uint32_t)id);
}

int64_t text_symbols_read(const struct text_symbols *symbols, uint64_t offset, char *to,
                          size_t size)
{
	if (offset >= symbols->table.length)
		return 0;
	if (size > symbols->table.length - offset)
		size = symbols->table.length - (size_t)offset;
	memcpy(to, symbols->table.text + offset, size);
	return (int64_t)size;
}

#define PAYLOAD_ALIGN 8u

static void items_release(struct text_items *items)
{
	free(items->item);
	free(items->bytes);
}

void text_queue_release(struct text_queue *queue)
{
	items_release(&queue->coming);
	items_release(&queue->going);
	free(queue->batch);
}

void text_queue_add(struct text_queue *queue, nsec_t time, const uint8_t *payload, size_t length)
{
	struct text_items *items = &queue->coming;

	while (items->room - items->used < length + PAYLOAD_ALIGN) {
		items->room = items->room ? items->room * 2 : 4096;
		items->bytes = xrealloc(items->bytes, items->room);
	}
	ARRAY_ADD(items->item, items->count, items->capacity) =
		(struct text_item){time, items->used, (uint32_t)length, queue->lost_events};
	memcpy(items->bytes + items->used, payload, length);
	items->used += (length + PAYLOAD_ALIGN - 1) & ~(size_t)(PAYLOAD_ALIGN - 1);
	queue->lost_events = 0;
}

void text_queue_lose(struct text_queue *queue, uint64_t events)
{
	if (queue->lost_events == LOST_UNCOUNTED || events == LOST_UNCOUNTED ||
	    events > LOST_UNCOUNTED - 1 - queue->lost_events)
		queue->lost_events = LOST_UNCOUNTED;
	else
		queue->lost_events += events;
}

bool text_queue_take(struct text_queue *queue, struct record_batch *ret)
{
	const struct text_items *items = &queue->going;
	size_t count = 0;

	if (queue->at == items->count) {
		struct text_items empty = queue->going;

		queue->going = queue->coming;
		queue->coming = empty;
		queue->coming.count = queue->coming.used = 0;
		queue->at = 0;
	}
	*ret = (struct record_batch){0};
	if (items->count == 0)
		return false;
	ret->lost_events = items->item[queue->at].lost_events;
	do {
		const struct text_item *item = &items->item[queue->at++];

		ARRAY_ADD(queue->batch, count, queue->batch_capacity) =
			(struct record){item->time, items->bytes + item->offset, item->length};
	} while (queue->at < items->count && items->item[queue->at].lost_events == 0);
	ret->records = queue->batch;
	ret->count = count;
	return true;
}

#define KTHREADD 2

void text_tasks_init(struct text_tasks *tasks)
{
	*tasks = (struct text_tasks){0};
	id_table_init(&tasks->by_tid);
	intern_init(&tasks->names);
	id_table_init(&tasks->process_by_tgid);
	buffer_init(&tasks->line, COMMAND_LINE_TEXT_MAX);
}

void text_tasks_release(struct text_tasks *tasks)
{
	free(tasks->task);
	id_table_release(&tasks->by_tid);
	intern_release(&tasks->names);
	free(tasks->process);
	id_table_release(&tasks->process_by_tgid);
	buffer_release(&tasks->line);
	free(tasks->known.item);
	free(tasks->known_processes.item);
	free(tasks->programs.item);
}

/* NULL: it is an idle task, or there are too many. */
static struct text_task *tasks_find(struct text_tasks *tasks, int32_t tid)
{
	uint32_t at = id_table_get(&tasks->by_tid, (uint64_t)tid);

	if (tid <= 0)
		return NULL;
	if (at == ID_TABLE_NONE) {
		if (tasks->count == TEXT_TASKS_MAX)
			return NULL;
		at = (uint32_t)tasks->count;
		id_table_put(&tasks->by_tid, (uint64_t)tid, at);
		ARRAY_ADD(tasks->task, tasks->count, tasks->capacity) =
			(struct text_task){.tid = tid, .tgid = -1};
	}
	return &tasks->task[at];
}

bool text_tasks_learn(struct text_tasks *tasks, const struct text_head *head)
{
	struct text_task *task = head->tgid > 0 ? tasks_find(tasks, head->tid) : NULL;
	bool is_other = task && task->tgid != head->tgid;

	if (is_other)
		task->tgid = head->tgid;
	return is_other;
}

void text_tasks_add(struct text_tasks *tasks, const struct text_head *head)
{
	struct text_task *task = tasks_find(tasks, head->tid);

	if (!task)
		return;
	if (head->tgid > 0)
		task->tgid = head->tgid;
	if (line_length(head->comm) > 0 && !word_is(head->comm, "<...>") && !text_head_is_cut(head))
		task->comm = intern_add(&tasks->names, head->comm.at, line_length(head->comm));
}

/* Names are ids in tasks->names; 0: not known. */
static void tasks_add_thread(struct text_tasks *tasks, int32_t tid, int32_t tgid, uint32_t comm)
{
	struct text_task *task = tasks_find(tasks, tid);

	if (!task)
		return;
	if (task->tgid < 0)
		task->tgid = tgid;
	if (!task->comm)
		task->comm = comm;
}

/* The command as a valid text of command_line.h: its first word is all that a table has. */
static uint32_t tasks_add_command(struct text_tasks *tasks, uint32_t command)
{
	const char *word = intern_text(&tasks->names, command);

	buffer_clear(&tasks->line);
	command_line_write(&tasks->line, word, strlen(word) + 1, /* is_whole= */ false);
	return tasks->line.length ? intern_add(&tasks->names, tasks->line.text, tasks->line.length)
	                          : 0;
}

/* `command`: what the process executes. */
static void tasks_add_process(struct text_tasks *tasks, int32_t tgid, int32_t parent,
                              uint32_t command)
{
	struct text_task *task;

	tasks_add_thread(tasks, tgid, tgid, /* comm= */ 0);
	task = tasks_find(tasks, tgid);
	if (!task || id_table_get(&tasks->process_by_tgid, (uint64_t)tgid) != ID_TABLE_NONE)
		return;
	task->is_kernel = tgid == KTHREADD || parent == KTHREADD;
	id_table_put(&tasks->process_by_tgid, (uint64_t)tgid, (uint32_t)tasks->process_count);
	LIST_ADD(tasks->process, struct text_process) = (struct text_process){
		.tgid = tgid,
		.parent = parent,
		.command = command ? tasks_add_command(tasks, command) : 0,
	};
}

void text_tasks_describe(struct text_tasks *tasks, struct recording_notes *notes)
{
	for (size_t i = 0; i < tasks->count; i++)
		LIST_ADD(tasks->known, struct known_task) = (struct known_task){
			.tid = tasks->task[i].tid,
			.tgid = tasks->task[i].tgid,
			.comm = intern_text(&tasks->names, tasks->task[i].comm),
			.is_kernel = tasks->task[i].is_kernel,
		};
	for (size_t i = 0; i < tasks->process_count; i++) {
		const struct text_process *process = &tasks->process[i];

		LIST_ADD(tasks->known_processes, struct known_process) = (struct known_process){
			.tgid = process->tgid,
			.parent = process->parent,
			.cgroup = SOURCE_CGROUP_NONE,
		};
		if (process->command)
			LIST_ADD(tasks->programs, struct source_program) = (struct source_program){
				.tgid = process->tgid,
				.text = intern_text(&tasks->names, process->command),
			};
	}
	notes->tasks = (struct known_task_list){tasks->known.item, tasks->count};
	notes->processes = (struct known_process_list){tasks->known_processes.item,
	                                               tasks->process_count};
	notes->programs.item = tasks->programs.item;
	notes->programs.count = tasks->programs.count;
}

#define COLUMNS_MAX 16

/* The next word behind any blanks; empty: the line has no more. */
static struct text_line next_word(struct text_line *line)
{
	while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
		line->at++;
	return line_word(line);
}

/* Reads the names of columns. False: the line has other words. */
static bool ps_begin(struct text_ps *ps, struct text_line line)
{
	struct text_ps found = {.pid = -1, .tid = -1, .parent = -1, .name = -1};
	struct text_line word;

	for (word = next_word(&line); line_length(word) > 0; word = next_word(&line)) {
		if (found.count == COLUMNS_MAX)
			return false;
		for (const char *c = word.at; c < word.end; c++)
			if ((*c < 'A' || *c > 'Z') && *c != '%' && *c != '+')
				return false;
		if (word_is(word, "PID"))
			found.pid = found.count;
		else if (word_is(word, "TID"))
			found.tid = found.count;
		else if (word_is(word, "PPID"))
			found.parent = found.count;
		else if (word_is(word, "S"))
			found.has_state = true;
		else if (word_is(word, "NAME") || word_is(word, "CMD"))
			found.name = found.count;
		found.count++;
	}
	found.is_open = found.pid >= 0 && found.name > found.pid &&
	                (found.tid >= 0) != (found.parent >= 0);
	if (found.is_open)
		*ps = found;
	return found.is_open;
}

/* The letter of a process' state. */
static bool word_is_state(struct text_line word)
{
	return line_length(word) == 1 && *word.at >= 'A' && *word.at <= 'Z';
}

static uint32_t row_name(struct text_line word, struct text_tasks *tasks)
{
	return line_length(word) > 0 ? intern_add(&tasks->names, word.at, line_length(word)) : 0;
}

/* A row has a thread's process and name, or a process' parent and command. Names may have blanks:
   where they are the last column they reach to the end. False: it is no row. */
static bool ps_take_row(const struct text_ps *ps, struct text_line line, struct text_tasks *tasks)
{
	struct text_line word[COLUMNS_MAX + 1] = {{NULL, NULL}}, rest = line;
	int8_t count = 0, name = ps->name;
	int64_t pid, other;

	while (count <= ps->count) {
		word[count] = next_word(&rest);
		if (line_length(word[count]) == 0)
			break;
		count++;
	}
	if (count <= name)
		return false;
	if (!ps->has_state && ps->parent >= 0 && count > name + 1 && word_is_state(word[name]))
		name++;
	if (ps->tid >= 0 && name == ps->count - 1)
		word[name].end = line.end;
	pid = word_number(word[ps->pid], INT32_MAX);
	other = word_number(word[ps->tid >= 0 ? ps->tid : ps->parent], INT32_MAX);
	if (pid <= 0 || other < 0)
		return false;
	if (ps->tid >= 0)
		tasks_add_thread(tasks, (int32_t)other, (int32_t)pid,
		                 row_name(word[name], tasks));
	else
		tasks_add_process(tasks, (int32_t)pid, (int32_t)other,
		                  pid != KTHREADD && other != KTHREADD
		                          ? row_name(word[name], tasks)
		                          : 0);
	return true;
}

bool text_ps_take(struct text_ps *ps, struct text_line line, struct text_tasks *tasks)
{
	if (ps->is_open)
		ps->is_open = ps_take_row(ps, line, tasks);
	return ps->is_open ||
	       (memmem(line.at, line_length(line), "PID ", 4) && ps_begin(ps, line));
}
