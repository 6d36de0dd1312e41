/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_chain.h"

#include <string.h>

#include "analysis/analysis.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "engine/live_report.h"
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

static void chains_show(void *state, struct report_run *report)
{
	report_run_show(report, state);
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
	report_run_ask(&report, analysis_find("chains"));
	live_report_history(run, &report, chains_show, &form);
	report_run_release(&report);
	(void)fclose(form.out);
	return text;
}
