/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prose.h"

#include <string.h>

#include "base/cause_words.h"

void prose_put(const struct presenter *presenter, void *to, const char *text)
{
	presenter->field(to, NULL, NULL, &(struct cell){.type = CELL_TEXT, .text = text});
}

void prose_task_append(struct buffer *to, const struct timeline *timeline, uint32_t line)
{
	struct task task = timeline_task(timeline, line, NSEC_NEVER);

	task_text_append(to, &task);
}

void prose_place_append(struct buffer *to, const struct timeline *timeline, uint32_t frames)
{
	const char *text = intern_text(&timeline->names, frames);

	buffer_puts(to, ", asleep in ");
	buffer_puts_clean(to, text, strcspn(text, ";"));
}

/* Of chrt(1): the kernel's number is so much less that. */
#define REAL_TIME_TOP 99

void prose_real_time_append(struct buffer *to, const struct timeline *timeline, uint32_t line)
{
	int16_t priority = timeline->line[line].priority;

	prose_task_append(to, timeline, line);
	if (priority < 0)
		buffer_puts(to, " (deadline scheduling)");
	else
		buffer_printf(to, " (real-time priority %d)", REAL_TIME_TOP - priority);
}
