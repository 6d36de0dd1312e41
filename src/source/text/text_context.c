/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_context.h"

#include "base/data/array.h"
#include "ftwait/event.h"

static const struct context_row {
	const char *begin, *end;
	uint8_t flag;
} rows[] = {
	{"irq_handler_entry:", "irq_handler_exit:", EVENT_HARDIRQ},
	{"softirq_entry:", "softirq_exit:", EVENT_SOFTIRQ},
	{"hrtimer_expire_entry:", "hrtimer_expire_exit:", EVENT_HARDIRQ},
	{"ipi_entry:", "ipi_exit:", EVENT_HARDIRQ},
	{"csd_function_entry:", "csd_function_exit:", EVENT_HARDIRQ},
};

void text_context_see(struct text_context *context, struct text_head *head)
{
	uint8_t *open = &context->open[head->cpu], ends = 0;

	if (line_begins(head->rest, "sched_switch:"))
		*open = 0;
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		if (line_begins(head->rest, rows[i].begin))
			*open |= (uint8_t)(1u << i);
		else if (line_begins(head->rest, rows[i].end))
			ends |= (uint8_t)(1u << i);
		if (*open & 1u << i)
			head->flags |= rows[i].flag;
	}
	*open &= (uint8_t)~ends;
}
