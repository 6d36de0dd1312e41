/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_words.h"

#include <string.h>

#include "host_prefix.h"

/* nice 0 on the kernel's scale */
#define PRIORITY_NICE_0 120

void priority_append(struct buffer *to, int priority)
{
	if (priority == PRIORITY_UNKNOWN)
		return;
	if (priority < 0)
		buffer_puts(to, "deadline");
	else if (priority < PRIORITY_FAIR_MIN)
		buffer_printf(to, "RT %d", PRIORITY_FAIR_MIN - 1 - priority);
	else
		buffer_printf(to, "nice %d", priority - PRIORITY_NICE_0);
}

void task_text_append(struct buffer *to, const struct task *task)
{
	host_prefix_append(to, task->host);
	buffer_puts_clean(to, task->comm, strlen(task->comm));
	if (task->program) {
		buffer_putc(to, ' ');
		buffer_puts_clean(to, task->program, strlen(task->program));
	}
	buffer_putc(to, '[');
	buffer_put_i64(to, task->tid);
	buffer_putc(to, ']');
}
