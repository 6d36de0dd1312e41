/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "competitor_list.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/prose.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/xalloc.h"
#include "words/task_words.h"

enum competitor_kind {
	COMPETITOR_TASK,
	COMPETITOR_IRQ,
	COMPETITOR_IDLE,
	COMPETITOR_LIMIT,
};

struct competitor {
	enum competitor_kind kind;
	uint32_t line; /* of a task */
	nsec_t total;
};

static const char *const kind_names[] = {"task", "irq", "idle", "throttled"};

static int competitor_compare(const void *a, const void *b)
{
	const struct competitor *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* " (RT 50)": explains why it had the CPU. */
static void class_append(struct buffer *to, int priority)
{
	if (priority == PRIORITY_UNKNOWN || priority >= PRIORITY_FAIR_MIN)
		return;
	buffer_puts(to, " (");
	priority_append(to, priority);
	buffer_putc(to, ')');
}

/* The loan by which it had most of its time; NULL: it had most by its own priority. */
static const struct rank *competitor_loan(const struct competitors *competitors,
                                          const struct competitor *competitor)
{
	const struct competitor_loan *loan;

	if (!competitors->loan || competitor->kind != COMPETITOR_TASK)
		return NULL;
	loan = &competitors->loan[competitor->line];
	return loan->total > competitor->total / 2 ? &loan->rank : NULL;
}

static void competitor_row(const struct competitors *competitors,
                           const struct competitor *competitor, const struct output *to)
{
	const struct timeline *timeline = competitors->timeline;
	const struct rank *loan = competitor_loan(competitors, competitor);
	bool is_task = competitor->kind == COMPETITOR_TASK || competitor->kind == COMPETITOR_IDLE;
	struct task task = {0, 0, "idle"};
	int priority = PRIORITY_UNKNOWN;
	struct buffer who;

	buffer_init(&who, 256);
	if (competitor->kind == COMPETITOR_TASK) {
		task = timeline_task(timeline, competitor->line, NSEC_NEVER);
		priority = timeline->line[competitor->line].priority;
	}
	if (competitor->kind == COMPETITOR_LIMIT)
		buffer_puts(&who, "nobody: held back by a CPU limit");
	else if (competitor->kind == COMPETITOR_IRQ)
		buffer_puts(&who, "irq");
	else if (loan)
		prose_lent_append(&who, timeline, competitor->line, loan);
	else
		task_text_append(&who, &task);
	if (!loan)
		class_append(&who, priority);
	output_row(to, (struct cell[]){
		{.type = is_task ? CELL_TASK : CELL_EMPTY, .task = task},
		{.type = CELL_TEXT, .text = who.text},
		{.type = CELL_DURATION, .time = competitor->total},
		{.type = CELL_TEXT, .text = kind_names[competitor->kind]},
		{.type = priority == PRIORITY_UNKNOWN ? CELL_EMPTY : CELL_PRIORITY,
		.integer = priority},
	});
	buffer_release(&who);
}

void competitor_list_report(const struct competitors *competitors, nsec_t throttled,
                            const struct output *to)
{
	static const struct column columns[] = {
		{"task", "TASK", CELL_TASK, COLUMN_DATA_ONLY},
		{NULL, "TASK", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_TAILED},
		{"total_ns", "HAD THE CPU FOR", CELL_DURATION, 0},
		{"kind", "KIND", CELL_TEXT, COLUMN_DATA_ONLY},
		{"priority", "PRIORITY", CELL_PRIORITY, COLUMN_DATA_ONLY},
	};
	const struct timeline *timeline = competitors->timeline;
	struct competitor *sorted = xcalloc(timeline->line_count + 3, sizeof(*sorted));
	size_t count = 0, shown;

	for (uint32_t line = 0; line < timeline->line_count; line++)
		if (competitors->by_line[line])
			sorted[count++] = (struct competitor){COMPETITOR_TASK, line,
			                                      competitors->by_line[line]};
	if (competitors->interrupted)
		sorted[count++] =
			(struct competitor){COMPETITOR_IRQ, 0, competitors->interrupted};
	if (competitors->idle)
		sorted[count++] = (struct competitor){COMPETITOR_IDLE, 0, competitors->idle};
	if (throttled)
		sorted[count++] = (struct competitor){COMPETITOR_LIMIT, 0, throttled};
	qsort(sorted, count, sizeof(*sorted), competitor_compare);
	output_table_begin(to, "competitors", "Who ran while it was runnable", columns,
	                   ARRAY_SIZE(columns), false);
	shown = output_row_count(to, count);
	for (size_t i = 0; i < shown; i++)
		competitor_row(competitors, &sorted[i], to);
	output_leave_rows(to, count - shown);
	output_table_end(to);
	free(sorted);
}
