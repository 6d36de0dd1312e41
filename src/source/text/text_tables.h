/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the readers of text and of Perfetto traces collect while they read: tasks, addresses for the
 * functions, and the records of each CPU.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/id_table.h"
#include "base/data/intern.h"
#include "base/text/buffer.h"
#include "ftwait/record.h"
#include "ftwait/source.h"
#include "source/source_notes.h"
#include "text_head.h"
#include "text_line.h"

/*
 * Names and processes of tasks, from the heads of lines, of which later values replace earlier
 * ones; and where these do not tell, from tables of processes beside the events.
 */

#define TEXT_TASKS_MAX (1u << 20)

struct text_task {
	int32_t tid, tgid; /* tgid -1: not known */
	uint32_t comm;     /* id in `names`; 0: not known */
	bool is_kernel;    /* as a table says */
};

/* A process of a table. */
struct text_process {
	int32_t tgid, parent;
	uint32_t command; /* id in `names`; 0: none */
};

struct text_tasks {
	struct text_task *task;
	size_t count, capacity;
	struct id_table by_tid;
	struct intern names;
	struct text_process *process; /* each once */
	size_t process_count;
	struct id_table process_by_tgid;
	struct buffer line; /* scratch */
	/* what text_tasks_describe() makes of these */
	struct source_list known, known_processes, programs;
};

void text_tasks_init(struct text_tasks *tasks);
void text_tasks_release(struct text_tasks *tasks);
void text_tasks_add(struct text_tasks *tasks, const struct text_head *head);
/* Keeps only the process of the head's task; whether that is another one than before. */
bool text_tasks_learn(struct text_tasks *tasks, const struct text_head *head);
/* Makes them notes of tasks, processes and programs, which belong to `tasks`. */
void text_tasks_describe(struct text_tasks *tasks, struct recording_notes *notes);

/*
 * Tables that ps printed, as pages of systrace contain them beside the events. The table of
 * processes has the columns PID, PPID and NAME, that of threads PID, TID and CMD. They show the
 * process of each thread, which events without a column TGID do not, and what it executes.
 */

/* Columns, from 0; -1: the table has none. */
struct text_ps {
	bool is_open;
	int8_t count;
	int8_t pid, tid, parent, name;
	bool has_state; /* a column S; old tables have the value, but not the column */
};

/* Takes a line that is no event. False: it is no part of such a table, which ends. */
bool text_ps_take(struct text_ps *ps, struct text_line line, struct text_tasks *tasks);

/*
 * Addresses for the kernel functions that text names. Records contain addresses of functions, but
 * text contains their names. Each name gets an invented address, and the table of these has the
 * form of /proc/kallsyms: it is read like the one of a trace.dat.
 */

#define TEXT_SYMBOLS_MAX 65536
/* Offset of a call inside a function: the address in a stack is not the function's first one. */
#define TEXT_SYMBOL_INSIDE 8

struct text_symbols {
	struct intern names;
	struct buffer table; /* lines of /proc/kallsyms */
};

void text_symbols_init(struct text_symbols *symbols);
void text_symbols_release(struct text_symbols *symbols);
/*
 * Cuts "schedule", "schedule+0x1c/0x80", "ext4_sync [ext4]" or a hexadecimal address off the line's
 * front. Returns the first address of the function, or the given address; 0: there are already
 * TEXT_SYMBOLS_MAX names. Sets *ret_is_taken to false, and leaves the line as it is, if it does not
 * begin with one of these.
 */
uint64_t text_symbols_take(struct text_symbols *symbols, struct text_line *line,
                           bool *ret_is_taken);
/* The function that has the address, and its first address; NULL: none has. */
const char *text_symbols_find(const struct text_symbols *symbols, uint64_t address,
                              uint64_t *ret_begin);
/* Reads the table; as source_read_symbols(). */
int64_t text_symbols_read(const struct text_symbols *symbols, uint64_t offset, char *to,
                          size_t size);

/*
 * The queue of one CPU's records: text_queue_add() appends, text_queue_take() removes. Records are
 * added to `coming` and taken from `going`; the two are swapped when `going` is empty. Therefore
 * added records do not move those that text_queue_take() returned.
 */

struct text_item {
	nsec_t time;
	size_t offset; /* of the payload in `bytes` */
	uint32_t length;
	uint64_t lost_events; /* between the previous record and this one */
};

struct text_items {
	struct text_item *item;
	size_t count, capacity;
	uint8_t *bytes;
	size_t used, room;
};

struct text_queue {
	struct text_items coming, going;
	size_t at; /* index of the next record of `going` */
	struct record *batch;
	size_t batch_capacity;
	uint64_t lost_events; /* before the next record that is added */
};

void text_queue_release(struct text_queue *queue);
void text_queue_add(struct text_queue *queue, nsec_t time, const uint8_t *payload, size_t length);
/* Notes that events were lost before the next record. LOST_UNCOUNTED: the number is not known. */
void text_queue_lose(struct text_queue *queue, uint64_t events);
/* Takes all records up to the next loss; they are valid until the next call. Returns false if the
   queue is empty. */
bool text_queue_take(struct text_queue *queue, struct record_batch *ret);
