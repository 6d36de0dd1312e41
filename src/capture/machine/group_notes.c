/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "group_notes.h"

#include <string.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "control_group.h"
#include "recorder/machine/text_file.h"

#define TEXT_BYTES (64u << 10) /* of /proc/PID/cgroup */
#define NOT_NOTED  UINT32_MAX

/* The hierarchies in order of preference: controllers, or a name; NULL: version 2. */
static const char *const hierarchies[] = {NULL, "name=systemd", "cpu", "memory"};

void group_notes_init(struct group_notes *notes)
{
	*notes = (struct group_notes){0};
	intern_init(&notes->groups);
	map_init(&notes->number_of);
	map_init(&notes->is_noted);
}

void group_notes_release(struct group_notes *notes)
{
	intern_release(&notes->groups);
	map_release(&notes->number_of);
	map_release(&notes->is_noted);
}

/* "hierarchies 0 9 1": a controller may be in the hierarchy of another one. */
static void hierarchies_describe(const char *groups, struct buffer *to)
{
	unsigned seen[ARRAY_SIZE(hierarchies)];
	struct control_group_line line;
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(hierarchies); i++) {
		bool is_seen = !control_group_line_find(groups, hierarchies[i], &line);

		for (size_t k = 0; k < count && !is_seen; k++)
			is_seen = seen[k] == line.hierarchy;
		if (is_seen)
			continue;
		buffer_printf(to, "%s %u", count ? "" : "hierarchies", line.hierarchy);
		seen[count++] = line.hierarchy;
	}
	if (count)
		buffer_putc(to, '\n');
}

bool group_notes_choose(const char *groups, struct control_group_line *ret)
{
	static const char removed[] = " (deleted)";
	struct control_group_line line;
	bool is_found = false;

	for (size_t i = 0; i < ARRAY_SIZE(hierarchies); i++) {
		if (!control_group_line_find(groups, hierarchies[i], &line) || line.length == 0)
			continue;
		if (!is_found)
			*ret = line;
		is_found = true;
		if (line.length == 1 && *line.path == '/')
			continue;
		*ret = line;
		break;
	}
	if (is_found && ret->length > sizeof(removed) - 1 &&
	    memcmp(ret->path + ret->length - (sizeof(removed) - 1), removed,
	           sizeof(removed) - 1) == 0)
		ret->length -= sizeof(removed) - 1;
	return is_found;
}

/* The number of the group; a new one gets a line. NOT_NOTED: there are too many. */
static uint32_t group_number(struct group_notes *notes, const struct control_group_line *line,
                             struct buffer *to)
{
	_cleanup_(freep) char *text =
		xasprintf("%u %.*s", line->hierarchy, (int)line->length, line->path);
	uint32_t id = intern_adds(&notes->groups, text);
	uint32_t number = map_get(&notes->number_of, id);

	if (number != MAP_NONE)
		return number;
	if (notes->number_of.count >= PROCESS_GROUPS_MAX)
		return NOT_NOTED;
	number = (uint32_t)notes->number_of.count;
	map_put(&notes->number_of, id, number);
	buffer_printf(to, "cgroup %u %s\n", number, text);
	return number;
}

void group_notes_add(struct group_notes *notes, int32_t tgid, int32_t parent,
                       const char *groups, bool is_late, struct buffer *to)
{
	struct control_group_line line;
	uint32_t number = NOT_NOTED;

	if (map_get(&notes->is_noted, (uint64_t)tgid) != MAP_NONE)
		return;
	map_put(&notes->is_noted, (uint64_t)tgid, 1);
	if (!notes->has_hierarchies && *groups) {
		hierarchies_describe(groups, to);
		notes->has_hierarchies = true;
	}
	if (group_notes_choose(groups, &line))
		number = group_number(notes, &line, to);
	buffer_printf(to, "%s %d %d ", is_late ? "end-process" : "process", tgid, parent);
	if (number == NOT_NOTED)
		buffer_puts(to, "-\n");
	else
		buffer_printf(to, "%u\n", number);
}

void group_notes_look(struct group_notes *notes, int32_t tgid, int32_t parent, bool is_late,
                        struct buffer *to)
{
	_cleanup_(freep) char *path = NULL;
	_cleanup_(buffer_release) struct buffer text = {0};

	if (map_get(&notes->is_noted, (uint64_t)tgid) != MAP_NONE)
		return;
	path = xasprintf("/proc/%d/cgroup", tgid);
	buffer_init(&text, TEXT_BYTES);
	(void)text_file_read(path, &text);
	group_notes_add(notes, tgid, parent, text.text, is_late, to);
}
