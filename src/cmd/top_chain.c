/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_chain.h"

#include <string.h>

#include "analysis/analysis.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "engine/report_run.h"
#include "present/presenter.h"
#include "terminal.h"

#define CHAINS_MAX 20

/* A glob that matches the text and nothing else. */
static void glob_quote(struct buffer *to, const char *text)
{
	for (; *text; text++) {
		if (strchr("*?[\\", *text))
			buffer_putc(to, '\\');
		buffer_putc(to, *text);
	}
}

/* Reports with the run's own timeline, which is lent for that long. */
static void chains_report(struct live_run *run, struct report_run *report,
                          const struct report_form *form)
{
	struct span_sink sinks[REPORT_VIEWS_MAX];
	struct timeline *timeline = live_run_timeline(run);
	size_t bytes_max = timeline->bytes_max;

	live_run_show_open(run);
	timeline_release(&report->timeline);
	report->timeline = *timeline;
	report_run_ask(report, analysis_find("chains"));
	(void)report_run_begin(report, sinks);
	report_run_end(report);
	report_run_show(report, form);
	*timeline = report->timeline;
	timeline_limit(timeline, bytes_max);
	timeline_init(&report->timeline, /* keep_segments= */ false);
	live_run_hide_open(run);
}

char *top_chain_text(struct live_run *run, struct source *source,
                     const struct top_selected *selected, unsigned width)
{
	_cleanup_(buffer_release) struct buffer glob = {0};
	struct asked asked = ASKED_EVERYTHING;
	struct report_form form = {
		.presenter = presenter_find("text"),
		.options = {
			.utf8 = terminal_has_utf8(),
			.width = width,
			.top = CHAINS_MAX,
			.views = 1,
		},
		.file = "now",
	};
	struct report_run report;
	const char *globs[1];
	char *text = NULL;
	size_t length;

	buffer_init(&glob, BUFFER_LIMIT_DEFAULT);
	glob_quote(&glob, selected->name);
	globs[0] = glob.text;
	if (selected->by == TOP_BY_TASK) {
		asked.tids = &selected->tid;
		asked.tid_count = 1;
	} else if (selected->by == TOP_BY_CGROUP) {
		asked.cgroups = globs;
		asked.cgroup_count = 1;
	} else {
		asked.comms = globs;
		asked.comm_count = 1;
	}
	form.options.is_ascii = !form.options.utf8;
	form.out = xopen_memstream(&text, &length);
	report_run_init(&report, source, &asked);
	chains_report(run, &report, &form);
	report_run_release(&report);
	(void)fclose(form.out);
	return text;
}
