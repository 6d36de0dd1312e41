/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folded stacks, as flame graph tools read them: a line "root;frame;[cause] N" for every path, N in
 * microseconds. Of a comparison a line "root;frame;cause OLD NEW", as difffolded.pl of FlameGraph
 * writes it: microseconds a run, on average. Nothing else is written.
 */
#include "present/presenter.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "present/cell_text.h"

#define USEC ((nsec_t)1000)

/* A column of numbers that are rounded down. What is left of each is added to the next, so that the
   sum is right. */
struct folded_column {
	nsec_t unit;  /* ns that are 1 */
	nsec_t carry; /* ns that earlier lines did not show, less than the unit */
};

struct folded_presenter {
	FILE *out;
	struct folded_column column, old; /* old: only of a comparison */
	const char *root; /* of a comparison; NULL: none */
	struct buffer line;
};

static uint64_t column_number(struct folded_column *column, nsec_t value)
{
	value += column->carry;
	column->carry = value % column->unit;
	return value / column->unit;
}

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
	self->column = (struct folded_column){.unit = USEC};
}

static void frames_fold(struct buffer *line, const struct path_frame *frame, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (line->length > 0)
			buffer_putc(line, ';');
		frame_folded_append(line, frame[i].text);
	}
}

static void folded_path(void *state, const struct path *path)
{
	struct folded_presenter *self = state;
	uint64_t number = column_number(&self->column, path->figures.total);

	if (number == 0)
		return;
	buffer_clear(&self->line);
	frames_fold(&self->line, path->frame, path->count);
	(void)fprintf(self->out, "%s %" PRIu64 "\n", self->line.text, number);
}

static void folded_comparison_begin(void *state, const struct compared_sides *comparison)
{
	struct folded_presenter *self = state;

	self->root = comparison->root;
	self->old = (struct folded_column){.unit = USEC * comparison->old_runs};
	self->column = (struct folded_column){.unit = USEC * comparison->new_runs};
}

static void folded_compared_path(void *state, const struct compared_path *path)
{
	struct folded_presenter *self = state;
	uint64_t old = column_number(&self->old, path->old.total);
	uint64_t new = column_number(&self->column, path->new.total);

	if (old == 0 && new == 0)
		return;
	buffer_clear(&self->line);
	if (self->root)
		frame_folded_append(&self->line, self->root);
	frames_fold(&self->line, path->frame, path->count);
	(void)fprintf(self->out, "%s %" PRIu64 " %" PRIu64 "\n", self->line.text, old, new);
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
	.has_stacks = true,
	.begin = folded_begin,
	.is_of_paths = true,
	.paths = &(const struct paths_hooks){.begin = folded_paths_begin, .path = folded_path},
	.comparison = &(const struct comparison_hooks){
		.begin = folded_comparison_begin, .path = folded_compared_path,
	},
	.end = folded_end,
};
