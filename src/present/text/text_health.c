/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_health.h"

#include "base/cleanup.h"
#include "present/health_lines.h"

/* Number of lines that are shown, unless all are asked for. If there is just one more, it is shown,
   too, instead of a line that says so. */
#define LINES_SHOWN 3

static void headline_put(FILE *out, const struct text_style *style, const struct health *health)
{
	_cleanup_(buffer_release) struct buffer verdict = {0};

	buffer_init(&verdict, 512);
	health_verdict_append(&verdict, health);
	(void)fprintf(out, "%shealth: %s%s\n",
	              health_is_impaired(health) ? style->warning : style->title, verdict.text,
	              style->plain);
}

void text_health_put(FILE *out, const struct text_style *style, const struct health *health,
                     const struct instant_form *instants,
                     const struct presenter_options *options)
{
	_cleanup_(health_lines_release) struct health_lines lines = {0};
	size_t shown;

	headline_put(out, style, health);
	if (options->is_unanswered && !options->is_verbose)
		return;
	health_lines_make(health, instants, options->is_verbose, &lines);
	shown = options->is_verbose || lines.count <= LINES_SHOWN + 1 ? lines.count : LINES_SHOWN;
	for (size_t i = 0; i < shown; i++)
		(void)fprintf(out, "  %s\n", lines.line[i]);
	if (shown < lines.count)
		(void)fprintf(out, "  ... %zu lines more with --verbose\n", lines.count - shown);
}
