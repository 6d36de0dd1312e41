/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_ps.h"

#define KTHREADD    2
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
		text_tasks_add_thread(tasks, (int32_t)other, (int32_t)pid,
		                      row_name(word[name], tasks));
	else
		text_tasks_add_process(tasks, (int32_t)pid, (int32_t)other,
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
