/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks, as flame graph tools read them: a line "root;frame;[cause] N" for every path, N in
   microseconds. Nothing else is written. */
#include "presenter.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "cell_text.h"

struct folded_presenter {
	FILE *out;
	nsec_t carry; /* ns that earlier lines did not show, less than 1000 */
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

static void folded_paths_begin(void *state, const char *title)
{
	struct folded_presenter *self = state;

	(void)title;
	self->carry = 0;
}

static void folded_path(void *state, const struct path *path)
{
	struct folded_presenter *self = state;
	nsec_t total;

	/* The remainder of one line is added to the next, so that the sum is right. */
	total = path->figures.total + self->carry;
	self->carry = total % 1000;
	if (total < 1000)
		return;
	buffer_clear(&self->line);
	for (size_t i = 0; i < path->count; i++) {
		if (i > 0)
			buffer_putc(&self->line, ';');
		frame_folded_append(&self->line, path->frame[i].text);
	}
	(void)fprintf(self->out, "%s %" PRIu64 "\n", self->line.text, total / 1000);
}

static void folded_end(void *state, const struct health *health)
{
	struct folded_presenter *self = state;

	(void)health;
	buffer_release(&self->line);
	free(self);
}

static const struct paths_hooks folded_paths_hooks = {
	.begin = folded_paths_begin,
	.path = folded_path,
	.end = presenter_ignore_end,
};

const struct presenter folded_presenter = {
	.name = "folded",
	.has_stacks = true,
	.begin = folded_begin,
	.section_begin = presenter_ignore_section,
	.field = presenter_ignore_field,
	.table_begin = presenter_ignore_table,
	.row = presenter_ignore_row,
	.table_end = presenter_ignore_end,
	.is_of_paths = true,
	.paths = &folded_paths_hooks,
	.section_end = presenter_ignore_end,
	.end = folded_end,
};
