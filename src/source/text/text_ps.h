/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of processes and threads that ps printed beside the events, as the pages of systrace have
 * them: one with the columns PID, PPID and NAME, one with PID, TID and CMD. They tell the process
 * of each thread, which lines without a column TGID do not, and what it executes.
 */
#pragma once

#include "text_tables.h"

/* Columns, from 0; -1: the table has none. */
struct text_ps {
	bool is_open;
	int8_t count;
	int8_t pid, tid, parent, name;
	bool has_state; /* a column S; old tables have the value, but not the column */
};

/* Takes a line that is no event. False: it is no part of such a table, which ends. */
bool text_ps_take(struct text_ps *ps, struct text_line line, struct text_tasks *tasks);
