/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim_words.h"

#include <string.h>

void aim_words_append(struct buffer *to, const struct brief_aim *aim)
{
	buffer_puts(to, aim->kind == AIM_FOR_WORK ? "work" : aim_kind_name(aim->kind));
	if (!aim->name)
		return;
	buffer_puts(to, ": ");
	buffer_puts_clean(to, aim->name, strlen(aim->name));
}

/* Sleeps that a task chose are for the time that their timer says. */
static bool aim_is_elsewhere(enum aim_kind aim, enum cause_kind cause)
{
	if (cause == CAUSE_TASK)
		return aim == AIM_LOCK;
	return (cause == CAUSE_TIMER || cause == CAUSE_SIGNAL || cause == CAUSE_UNKNOWN) &&
	       aim != AIM_NONE && aim != AIM_TIME && aim != AIM_FOR_WORK;
}

void aim_beside_append(struct buffer *to, const struct brief_aim *aim, enum cause_kind cause)
{
	if (!aim_is_elsewhere(aim->kind, cause))
		return;
	buffer_puts(to, ", for ");
	aim_words_append(to, aim);
}

void aim_behind_append(struct buffer *to, const struct brief_aim *aim, const struct cause *cause)
{
	if (!cause->purpose || !aim->name || strcmp(cause->purpose, aim->name) != 0)
		aim_beside_append(to, aim, cause->kind);
}
