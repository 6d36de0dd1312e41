/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is behind a row: the options of report that show it. Every table says that once, beside its
 * columns, as a pattern; the browser's Enter key, "next" in JSON and whoever else leads on read
 * nothing else.
 *
 *	"--waits --tid {task}[ --from {from:begin_ns} --to {to:begin_ns+wait_ns}]"
 *
 * In a pattern stand, by the key of a column of the row:
 *
 *	{key}             its cell as the value of an option: a task as its tid, a cause or an aim
 *	                  as the name of its kind, a number, a text as a shell reads it
 *	{key.other}       the same of the first row of a table in a cell
 *	{from:key}        an instant since the begin of the trace, rounded down to microseconds
 *	{to:key}          the same, rounded up; {to:key+other}: of a begin and a length
 *	[ ... ]           left out if a cell in it is empty; there are none within another
 *	a|b               the first of these patterns of which no cell is empty, outside of brackets
 *
 * Behind that comes what is asked for, as far as the pattern does not say it: the window, and if it
 * names no tasks, the tasks.
 */
#pragma once

#include "analysis/analysis.h"
#include "ftwait/report.h"

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
/* The cell of LINK_COLUMN; its text is that of the buffer, which is emptied first. */
struct cell row_link_cell(struct buffer *text, const char *pattern, const struct column *columns,
                          const struct cell *cells, size_t count,
                          const struct question *question);
/* These append what is asked for, with a leading space: " --from 0.1 --to 0.2", and
   " --comm server". */
void asked_window_append(struct buffer *to, const struct question *question);
void asked_filter_append(struct buffer *to, const struct question *question);
