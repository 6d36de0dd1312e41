/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "losses.h"

#include "analysis/tables/cells.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/text/format.h"

static const struct column loss_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"kind", "KIND", CELL_TEXT, 0},
	{"total_ns", "TOTAL", CELL_DURATION, 0},
};

/* One row of a cell. */
static void loss_put(struct cell *cell, const struct timeline *timeline, uint32_t user,
                     nsec_t total)
{
	cell[0].type = CELL_EMPTY;
	cell[1] = (struct cell){.type = CELL_TEXT, .text = "task"};
	cell[2] = (struct cell){.type = CELL_DURATION, .time = total};
	if (user == CPU_USER_IRQ)
		cell[1].text = "irq";
	else if (user == CPU_USER_IDLE)
		cell[1].text = "idle";
	else if (user != CPU_USER_UNKNOWN)
		cell[0] = cell_of_task(timeline, user);
}

#define LOSS_COLUMNS ARRAY_SIZE(loss_columns)

struct cell_rows losses_rows(const struct losses *losses, const struct timeline *timeline)
{
	struct cell *cell = xcalloc((losses->count + 1) * LOSS_COLUMNS, sizeof(*cell));
	nsec_t throttled = losses->throttled;
	size_t count = 0;

	for (size_t i = 0; i <= losses->count; i++) {
		const struct queue_loss *loss = i < losses->count ? &losses->loss[i] : NULL;

		if (throttled && (!loss || loss->total < throttled)) {
			loss_put(&cell[count * LOSS_COLUMNS], timeline, CPU_USER_UNKNOWN,
			         throttled);
			cell[count++ * LOSS_COLUMNS + 1].text = "throttled";
			throttled = 0;
		}
		if (loss)
			loss_put(&cell[count++ * LOSS_COLUMNS], timeline, loss->user, loss->total);
	}
	return (struct cell_rows){loss_columns, LOSS_COLUMNS, cell, count};
}

void cpu_user_append(struct buffer *to, const struct timeline *timeline, uint32_t user)
{
	if (user == CPU_USER_IRQ)
		buffer_puts(to, "interrupts");
	else if (user == CPU_USER_IDLE)
		buffer_puts(to, "idle");
	else if (user == CPU_USER_UNKNOWN)
		buffer_puts(to, "others");
	else
		prose_task_append(to, timeline, user);
}

void losses_append(struct buffer *to, const struct losses *losses, nsec_t all,
                   const struct timeline *timeline)
{
	nsec_t throttled = losses->throttled;
	size_t shown = 0;

	for (size_t i = 0; i <= losses->count && shown < 4; i++) {
		const struct queue_loss *loss = i < losses->count ? &losses->loss[i] : NULL;

		if (throttled && (!loss || loss->total < throttled)) {
			buffer_printf(to, "%sthrottled %s", shown++ ? ", " : "",
			              RATIO_TEXT(nsec_ratio(throttled, all)));
			throttled = 0;
		}
		if (!loss || shown >= 4)
			continue;
		buffer_puts(to, shown++ ? ", " : "");
		cpu_user_append(to, timeline, loss->user);
		buffer_printf(to, " %s", RATIO_TEXT(nsec_ratio(loss->total, all)));
	}
}
