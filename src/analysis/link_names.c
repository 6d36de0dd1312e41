/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "link_names.h"

#include <string.h>

void link_names_init(struct link_names *names, const struct timeline *timeline)
{
	names->timeline = timeline;
	map_init(&names->tasks);
	for (size_t i = 0; i < timeline->line_count; i++) {
		uint32_t name = line_last_name(&timeline->line[i]);
		uint32_t count = map_get(&names->tasks, name);

		map_put(&names->tasks, name, count == MAP_NONE ? 1 : count + 1);
	}
}

void link_names_release(struct link_names *names)
{
	map_release(&names->tasks);
}

bool link_name_is_of_many(const struct link_names *names, uint32_t comm)
{
	uint32_t count = map_get(&names->tasks, comm);

	return count != MAP_NONE && count > 1;
}

void link_name_append(const struct link_names *names, uint32_t comm, struct buffer *to)
{
	const char *text = intern_text(&names->timeline->names, comm);

	buffer_puts_clean(to, text, strlen(text));
}

void link_others_append(const struct link_names *names, uint32_t comm, struct buffer *to)
{
	buffer_puts(to, "other ");
	link_name_append(names, comm, to);
	buffer_puts(to, " tasks");
}

bool link_names_append(const struct link_names *names, uint32_t comm,
                       const struct voter *voter, bool is_own, struct buffer *to)
{
	uint32_t line = voter_task(voter);
	bool is_one = line != LINE_NONE && link_name_is_of_many(names, comm);

	if (!is_one && is_own) {
		link_others_append(names, comm, to);
		return true;
	}
	link_name_append(names, comm, to);
	if (!is_one)
		return false;
	buffer_printf(to, "[%d]", names->timeline->line[line].tid);
	if (voter->own == voter->all)
		return false;
	buffer_puts(to, " and others");
	return true;
}
