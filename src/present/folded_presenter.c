/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folded stacks, as flame graph tools read them: "root;link;[cause] N", N in microseconds, of
 * every tree. Nothing else is written.
 */
#include "presenter.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "cell_text.h"

struct folded_presenter {
	FILE *out;
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

static void folded_tree_begin(void *state, const struct tree *tree)
{
	struct folded_presenter *self = state;

	(void)tree;
	self->carry = 0;
}

static void folded_chain(void *state, const struct tree_chain *chain)
{
	struct folded_presenter *self = state;
	nsec_t total;

	/* What rounding takes from one line goes to the next, so that the sum is right. */
	total = chain->figures.total + self->carry;
	self->carry = total % 1000;
	if (total < 1000)
		return;
	buffer_clear(&self->line);
	links_folded_append(&self->line, &chain->links);
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
	.table_begin = presenter_ignore_table,
	.row = presenter_ignore_row,
	.table_end = presenter_ignore_end,
	.tree_begin = folded_tree_begin,
	.tree_chain = folded_chain,
	.tree_end = presenter_ignore_end,
	.section_end = presenter_ignore_end,
	.end = folded_end,
};
