/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folded stacks, as flame graph tools read them: "root;link;[cause] N", N in microseconds, of
 * every table that has links and a weight. Nothing else is written.
 */
#include "presenter.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "cell_text.h"

#define NONE SIZE_MAX

struct folded_presenter {
	FILE *out;
	size_t links_column, weight_column; /* NONE: the table has none */
	nsec_t carry; /* ns that whole microseconds left over so far, below 1000 */
	struct buffer line;
};

static void *folded_begin(FILE *out, const struct presenter_options *options,
                          const struct trace_summary *trace)
{
	struct folded_presenter *self = xcalloc(1, sizeof(*self));

	(void)options;
	(void)trace;
	self->out = out;
	buffer_init(&self->line, BUFFER_LIMIT_DEFAULT);
	return self;
}

static void folded_table_begin(void *state, const char *key, const char *title,
                               const struct column *columns, size_t column_count,
                               bool is_single)
{
	struct folded_presenter *self = state;

	(void)key;
	(void)title;
	(void)is_single;
	self->links_column = self->weight_column = NONE;
	self->carry = 0;
	for (size_t i = 0; i < column_count; i++) {
		if (columns[i].type == CELL_LINKS)
			self->links_column = i;
		if (columns[i].flags & COLUMN_WEIGHT)
			self->weight_column = i;
	}
}

static void folded_row(void *state, const struct cell *cells)
{
	struct folded_presenter *self = state;
	const struct cell *links, *weight;
	nsec_t total;

	if (self->links_column == NONE || self->weight_column == NONE)
		return;
	links = &cells[self->links_column];
	weight = &cells[self->weight_column];
	if (links->type != CELL_LINKS || weight->type == CELL_EMPTY || links->links.count == 0)
		return;
	/* What rounding takes from one line goes to the next, so that the sum is right. */
	total = weight->time + self->carry;
	self->carry = total % 1000;
	if (total < 1000)
		return;
	buffer_clear(&self->line);
	links_folded_append(&self->line, &links->links);
	(void)fprintf(self->out, "%s %" PRIu64 "\n", self->line.text, total / 1000);
}

static void folded_end(void *state, const struct health *health)
{
	struct folded_presenter *self = state;

	(void)health;
	buffer_release(&self->line);
	free(self);
}

const struct presenter folded_presenter = {
	.name = "folded",
	.view = "chains",
	.begin = folded_begin,
	.section_begin = presenter_ignore_section,
	.field = presenter_ignore_field,
	.table_begin = folded_table_begin,
	.row = folded_row,
	.table_end = presenter_ignore_end,
	.section_end = presenter_ignore_end,
	.end = folded_end,
};
