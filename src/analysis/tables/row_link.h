/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is behind a row: the options of report that show it. Every table says that once, beside its
 * columns, as a pattern. The browser's Enter key follows the link that is made of it, and JSON and
 * CSV have it as "next".
 *
 *	"--waits --tid {task}[ --from {from:begin_ns} --to {to:begin_ns+wait_ns}]"
 *
 * In a pattern stand, by the key of a column of the row:
 *
 *	{key}             its cell as the value of an option: a task as its tid, a cause or an aim
 *	                  as the name of its kind, a number, a text as a shell reads it
 *	{glob:key}        a text as a glob that fits it, for --comm and --cgroup
 *	{cpu:key}         the number of a CPU, with its machine if the row has one
 *	{key.other}       the same of the first row of a table in a cell
 *	{from:key}        an instant since the begin of the trace, rounded down to
 *	                  microseconds; of a distribution that of the longest one
 *	{to:key}          the first microsecond after it
 *	{to:key+other}    the same of a begin and a length; of a distribution the longest one
 *	{from:key-other}  of an end and a length
 *	{key=text}        nothing; but it is empty if that cell has another text
 *	{?key}            nothing; but it is empty if that cell is
 *	[ ... ]           left out if a cell in it is empty; there are none within another
 *	a|b               the first of these patterns of which no cell is empty, outside of brackets
 *
 * What a link needs and no reader does is in a column with COLUMN_FOR_LINKS.
 *
 * Behind that comes what is asked for, as far as the pattern does not say it: the window, and if it
 * names no tasks, the tasks.
 */
#pragma once

#include "analysis/analysis.h"
#include "ftwait/report.h"

/* Patterns: the path of a task from an instant to another one. */
#define LINK_PATH(task, from, to)                                                                  \
	"--critical-path={" task "} --from {from:" from "} --to {to:" to "}"
/* The same of what is no wait: the task may have run all the time, of which its path says no more,
   but its events do. */
#define LINK_STRETCH(task, from, to) LINK_PATH(task, from, to) " --events --tid {" task "}"
/* The view, of a control group or process tree (TASK_GROUP_FIELDS). */
#define LINK_GROUP(view) view " --cgroup {glob:cgroup}|" view " --pid {pids}"

/* What the CPU of the row did (columns `machine` and `cpu`). */
#define LINK_CPU "--timeline --by cpu --cpu {cpu:cpu}"

/* Flags of a column that no output has. */
#define COLUMN_FOR_LINKS (COLUMN_DATA_ONLY | COLUMN_TEXT_ONLY)

/* The column of links, behind those of a view: programs see it, and the browser. */
#define LINK_COLUMN {"next", NULL, CELL_TEXT, COLUMN_DATA_ONLY | COLUMN_LINK}

/* Whether rows have that column. */
static inline bool question_has_links(const struct question *question)
{
	return question->asked->shows_data || question->asked->shows_links;
}

/* Appends the options; nothing, and returns false, if a cell that they need is empty. `pattern`
   NULL: nothing is behind any row. */
bool row_link_append(struct buffer *to, const char *pattern, const struct column *columns,
                     const struct cell *cells, size_t count, const struct question *question);
/* Fills in the last of the `count` cells, that of LINK_COLUMN; its text is that of the buffer,
   which is emptied first. */
void row_link_fill(struct buffer *text, const char *pattern, const struct column *columns,
                   struct cell *cells, size_t count, const struct question *question);
/* Appends the options that show waits of tasks of that name, or fold; NULL: of any. `longest` not
   NULL: around the longest of these, if it is known when that began. */
void waits_link_append(struct buffer *to, const char *comm, const struct figures *longest,
                       const struct question *question);
/* These append what is asked for, with a leading space: " --from 0.1 --to 0.2", and
   " --comm server". */
void asked_window_append(struct buffer *to, const struct question *question);
void asked_filter_append(struct buffer *to, const struct question *question);
