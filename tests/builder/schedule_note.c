/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schedule_note.h"

#include <errno.h>
#include <string.h>

#include "base/data/array.h"
#include "schedule_event.h"

enum note_form {
	NOTE_PLAIN,   /* as it stands there */
	NOTE_OF_TASK, /* with the tid instead of the name */
	NOTE_STATE,   /* a whole "task" line */
};

static const struct {
	const char *word;
	enum note_form form;
	size_t least, most; /* words, the first among them */
} notes[] = {
	{"read", NOTE_PLAIN, 2, 2},
	{"exit", NOTE_PLAIN, 2, 2},      {"recorded", NOTE_PLAIN, 2, 2},
	{"asked", NOTE_PLAIN, 2, 2},     {"argument", NOTE_PLAIN, 1, 16}, {"label", NOTE_PLAIN, 2, 16},
	{"pids", NOTE_PLAIN, 2, 2},      {"guest", NOTE_PLAIN, 1, 1},
	{"cpu-limit", NOTE_PLAIN, 8, 8}, {"cpu-weight", NOTE_PLAIN, 3, 3}, {"listen", NOTE_PLAIN, 2, 16},
	{"locked", NOTE_PLAIN, 8, 8},
	{"realtime", NOTE_PLAIN, 4, 4},  {"boot", NOTE_PLAIN, 2, 2},
	{"machine", NOTE_PLAIN, 2, 2},
	{"trigger", NOTE_PLAIN, 5, 16},  {"triggered", NOTE_PLAIN, 2, 16},
	{"triggered-for", NOTE_PLAIN, 2, 16},
	{"device", NOTE_PLAIN, 3, 16},   {"path", NOTE_PLAIN, 4, 16},
	{"hierarchies", NOTE_PLAIN, 2, 8}, {"cgroup", NOTE_PLAIN, 4, 4},
	{"recorder", NOTE_PLAIN, 2, 2},    {"target-cgroup", NOTE_PLAIN, 2, 2},
	{"process", NOTE_OF_TASK, 4, 4}, {"end-process", NOTE_OF_TASK, 4, 4},
	{"steal", NOTE_PLAIN, 3, 3},     {"tick", NOTE_PLAIN, 2, 2},
	{"file", NOTE_PLAIN, 4, 16},     {"map", NOTE_PLAIN, 5, 5},
	{"jit", NOTE_PLAIN, 4, 16},      {"maps", NOTE_OF_TASK, 3, 3},
	{"program", NOTE_OF_TASK, 5, 32},
	{"descriptor", NOTE_OF_TASK, 6, 6}, {"descriptor-path", NOTE_PLAIN, 3, 16},
	{"command", NOTE_OF_TASK, 2, 2}, {"still", NOTE_OF_TASK, 2, 2},
	{"place", NOTE_OF_TASK, 3, 3},   {"end-place", NOTE_OF_TASK, 3, 3},
	{"waits", NOTE_OF_TASK, 8, 13},  {"state", NOTE_STATE, 3, 4},
};

static size_t note_find(const char *word)
{
	size_t at = 0;

	while (at < ARRAY_SIZE(notes) && strcmp(notes[at].word, word) != 0)
		at++;
	return at;
}

bool schedule_is_note(const char *word)
{
	return note_find(word) < ARRAY_SIZE(notes);
}

static void note_put(struct schedule *schedule, const struct schedule_task *task, char **words,
                     size_t count)
{
	struct buffer *note = &schedule->note;

	buffer_puts(note, words[0]);
	if (task)
		buffer_printf(note, " %d", task->tid);
	for (size_t i = task ? 2 : 1; i < count; i++)
		buffer_printf(note, " %s", words[i]);
	buffer_putc(note, '\n');
}

int schedule_note_line(struct schedule *schedule, char **words, size_t count)
{
	size_t at = note_find(words[0]);
	const struct schedule_task *task = NULL, *leader;

	if (count < notes[at].least || count > notes[at].most)
		return -EINVAL;
	if (notes[at].form != NOTE_PLAIN) {
		task = schedule_find_task(schedule, words[1]);
		if (!task)
			return -EINVAL;
	}
	leader = notes[at].form == NOTE_STATE && count > 3
	                 ? schedule_find_task(schedule, words[3])
	                 : task;
	if (task && !leader)
		return -EINVAL;
	if (schedule->note.length == 0)
		buffer_puts(&schedule->note, "ftwait builder\n");
	if (notes[at].form == NOTE_STATE)
		buffer_printf(&schedule->note, "task %d %d %s - %s\n", task->tid, leader->tid,
		              words[2], task->comm);
	else
		note_put(schedule, task, words, count);
	return 0;
}
