/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorded.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/shell_quote.h"

/* A longer command line is not repeated in advice: it is too long to copy from a terminal. */
#define COMMAND_BYTES_MAX 1024

/* Whether the name is in the list, which is separated by ",". */
static bool recorded_list_has(const char *list, const char *name, size_t length)
{
	while (list) {
		const char *comma = strchr(list, ',');

		if (strncmp(list, name, length) == 0 &&
		    (list[length] == ',' || list[length] == '\0'))
			return true;
		list = comma ? comma + 1 : NULL;
	}
	return false;
}

/* Finds the next group that was not recorded, from *at on; returns the length of its name, 0 at the
   end. */
static size_t groups_next_lacking(const struct recorded *recorded, const char **at)
{
	for (; *at && **at; *at += strcspn(*at, ",")) {
		*at += **at == ',';
		if (!recorded_list_has(recorded->notes.recorded, *at, strcspn(*at, ",")))
			return strcspn(*at, ",");
	}
	return 0;
}

bool recorded_has(const struct recorded *recorded, const char *groups)
{
	return recorded->notes.recorded && groups_next_lacking(recorded, &groups) == 0;
}

static const struct known_task *task_of(const struct recorded *recorded, int32_t tid)
{
	for (size_t i = 0; i < recorded->notes.tasks.count; i++)
		if (recorded->notes.tasks.item[i].tid == tid)
			return &recorded->notes.tasks.item[i];
	return NULL;
}

/* "python3[18]" */
static void known_task_append(struct buffer *to, const struct known_task *task, int32_t tid)
{
	if (task && task->comm[0])
		buffer_puts_clean(to, task->comm, strlen(task->comm));
	buffer_printf(to, "[%" PRId32 "]", tid);
}

bool recorded_zombie_append(struct buffer *to, const struct recorded *recorded, int32_t pid)
{
	const struct recording_notes *notes = &recorded->notes;
	const struct known_task *task = task_of(recorded, pid);
	int32_t parent = 0;

	if (!task || task->state != 'Z')
		return false;
	/* a process of which only the first thread has ended is no zombie */
	for (size_t i = 0; i < notes->tasks.count; i++)
		if (notes->tasks.item[i].tgid == pid && notes->tasks.item[i].tid != pid)
			return false;
	for (size_t i = 0; i < notes->processes.count && !parent; i++)
		if (notes->processes.item[i].tgid == pid)
			parent = notes->processes.item[i].parent;
	known_task_append(to, task, pid);
	buffer_puts(to, " is a zombie: it had ended before the recording began");
	if (parent > 0) {
		buffer_puts(to, ", and its parent ");
		known_task_append(to, task_of(recorded, parent), parent);
		buffer_puts(to, " has not waited for it");
	}
	return true;
}

enum events_recorded recorded_events(const struct recorded *recorded, const char *group,
                                     const char *event, bool is_described)
{
	if (!recorded->notes.recorded)
		return is_described ? EVENTS_UNSURE : EVENTS_LEFT_OUT;
	if (!recorded_has(recorded, group) && !recorded_has(recorded, event))
		return EVENTS_LEFT_OUT;
	return is_described ? EVENTS_NONE : EVENTS_MISSING;
}

/* Appends the missing groups, each behind the sign; the separator also stands between the first one
   and what the buffer has from `begin` on. */
static void lacking_append(struct buffer *to, size_t begin, const struct recorded *recorded,
                           const char *groups, const char *separator, const char *sign)
{
	for (size_t length; (length = groups_next_lacking(recorded, &groups)) > 0;
	     groups += length) {
		buffer_printf(to, "%s%s", to->length > begin ? separator : "", sign);
		buffer_append(to, groups, length);
	}
}

void recorded_lacks_append(struct buffer *to, const struct recorded *recorded, const char *groups)
{
	lacking_append(to, to->length, recorded, groups, ", ", "");
}

/* The category of atrace that has events of that group; NULL: none has. */
static const char *atrace_category(const char *group, size_t length)
{
	static const struct {
		const char *group, *category;
	} table[] = {
		{"sched", "sched"},
		{"irq", "irq"},
		{"block", "disk"},
		{"mm", "memreclaim"},
		{"workqueue", "workq"},
		{"idle", "idle"},
		{"binder", "binder_driver"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (strlen(table[i].group) == length && !strncmp(table[i].group, group, length))
			return table[i].category;
	return NULL;
}

/* Appends "atrace irq, or ": users of atrace choose events by such categories. */
static void atrace_append(struct buffer *to, const struct recorded *recorded, const char *groups)
{
	size_t begin = to->length;

	for (size_t length; (length = groups_next_lacking(recorded, &groups)) > 0;
	     groups += length) {
		const char *category = atrace_category(groups, length);

		if (category)
			buffer_printf(to, "%s%s", to->length > begin ? " " : "atrace ", category);
	}
	if (to->length > begin)
		buffer_puts(to, ", or ");
}

bool record_hint_append(struct buffer *to, const char *before, const struct recorded *recorded,
                        const char *groups, bool stacks, const char *after)
{
	bool is_default = !recorded->notes.asked || strcmp(recorded->notes.asked, "default") == 0;
	_cleanup_(buffer_release) struct buffer events = {0}, command = {0};

	if (recorded_has(recorded, groups) && (!stacks || recorded->has_stacks))
		return false;
	if (!is_default)
		buffer_puts(&events, recorded->notes.asked);
	lacking_append(&events, 0, recorded, groups, ",", is_default ? "+" : "");
	buffer_puts(to, before);
	if (recorded->notes.is_of_atrace)
		atrace_append(to, recorded, groups);
	buffer_puts(to, "ftwait record");
	if (events.length > 0) {
		buffer_puts(to, " -e ");
		shell_quote_append(to, events.text);
	}
	if (stacks || recorded->has_stacks)
		buffer_puts(to, " --stacks");
	for (size_t i = 0; recorded->notes.pids.item && i < recorded->notes.pids.count; i++)
		buffer_printf(to, "%s%d", i ? "," : " -p ", recorded->notes.pids.item[i]);
	if (!recorded->notes.pids.item && recorded->notes.pids.count)
		buffer_puts(to, " -p PID");
	for (size_t i = 0; i < recorded->notes.command.count; i++) {
		buffer_putc(&command, ' ');
		shell_quote_append(&command, recorded->notes.command.word[i]);
	}
	if (recorded->notes.command.pid)
		buffer_printf(to, " --%s", command.length && command.length <= COMMAND_BYTES_MAX
		                                   ? command.text : " COMMAND");
	buffer_puts(to, after);
	return true;
}
