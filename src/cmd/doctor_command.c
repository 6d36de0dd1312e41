/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "capture/instance/capture_probe.h"
#include "commands.h"
#include "pager.h"
#include "present/text_fold.h"
#include "terminal.h"

struct doctor_options {
	bool gaps_only;
	bool no_pager;
};

/* How findings are shown. */
struct doctor_page {
	bool gaps_only;
	unsigned width; /* of the terminal; 0: no limit */
};

static const struct option_row rows[] = {
	OPT_BOOL(0, "gaps", struct doctor_options, gaps_only, "show only what does not work"),
	OPT_BOOL(0, "no-pager", struct doctor_options, no_pager, OPTION_NO_PAGER_HELP),
};

const struct option_set doctor_option_set = {
	.command = "doctor",
	.about = "Tries every part of recording and says what this kernel and user cannot do, what "
	         "follows from it, and what helps. Exit status is 1 if nothing can be recorded.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

/* The text is folded with an indent. */
static void line_print(const struct doctor_page *page, const char *verdict, const char *subject,
                       const char *what, const char *said)
{
	_cleanup_(buffer_release) struct buffer line = {0}, text = {0};

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&line, "%-6s  %-17s  ", verdict, subject);
	buffer_printf(&text, "%s%s", what, said);
	text_fold_append(&line, text.text, page->width, line.length, line.length);
	(void)puts(line.text);
}

static void on_finding(void *state, const struct probe_finding *finding)
{
	static const char *const words[] = {
		[PROBE_FINE] = "ok",
		[PROBE_GAP] = "gap",
		[PROBE_FATAL] = "FAILED",
	};
	const struct doctor_page *page = state;

	if (page->gaps_only && finding->verdict == PROBE_FINE)
		return;
	line_print(page, words[finding->verdict], finding->subject, "", finding->fact);
	if (finding->consequence)
		line_print(page, "", "", "consequence: ", finding->consequence);
	if (finding->mend)
		line_print(page, "", "", "mend: ", finding->mend);
}

int doctor_command(int argc, char **argv)
{
	struct doctor_options options = {0};
	struct doctor_page page;
	struct pager pager = {0};
	struct operands operands;
	int status;

	status = options_read(&doctor_option_set, argc, argv, &options, &operands);
	if (status >= 0)
		return status;
	page = (struct doctor_page){options.gaps_only, terminal_width(stdout)};
	if (!options.no_pager)
		pager_begin(&pager);
	status = capture_probe(on_finding, &page) == PROBE_FATAL ? STATUS_FAILED : STATUS_FINE;
	pager_end(&pager);
	return status;
}
