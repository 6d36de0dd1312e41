/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorded.h"

#include <string.h>

#include "base/buffer.h"

/* Whether the name is one of the list's, which has "," between. */
static bool list_has(const char *list, const char *name, size_t length)
{
	while (list) {
		if (strncmp(list, name, length) == 0 &&
		    (list[length] == ',' || list[length] == '\0'))
			return true;
		list = strchr(list, ',');
		list += list ? 1 : 0;
	}
	return false;
}

bool question_has_recorded(const struct question *question, const char *groups)
{
	for (const char *at = groups; question->recorded && at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!list_has(question->recorded, at, strcspn(at, ",")))
			return false;
	}
	return question->recorded != NULL;
}

/* Those of the groups that were not recorded. */
static void groups_append(struct buffer *to, const struct question *question, const char *groups,
                          const char *before)
{
	for (const char *at = groups; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (question->recorded && list_has(question->recorded, at, strcspn(at, ",")))
			continue;
		buffer_puts(to, before);
		buffer_append(to, at, strcspn(at, ","));
		before = *before == ',' || *before == '\0' ? "," : ",+";
	}
}

void record_line_append(struct buffer *to, const struct question *question, const char *groups)
{
	const struct source_asked *asked = &question->asked;

	buffer_puts(to, "ftwait record -e ");
	if (!asked->events || strcmp(asked->events, "default") == 0) {
		groups_append(to, question, groups, "+");
	} else {
		buffer_puts_clean(to, asked->events, strlen(asked->events));
		groups_append(to, question, groups, ",");
	}
	for (size_t i = 0; i < asked->pid_count; i++)
		buffer_printf(to, "%s%d", i ? "," : " -p ", asked->pids[i]);
	if (asked->has_command)
		buffer_puts(to, " -- COMMAND");
}
