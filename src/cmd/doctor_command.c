/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "commands.h"
#include "pager.h"
#include "present/data/json_writer.h"
#include "present/text/text_fold.h"
#include "recorder/instance/capture_probe.h"
#include "terminal.h"

struct doctor_options {
	bool gaps_only;
	bool is_json;
	bool no_pager;
};

/* How findings are shown. */
struct doctor_page {
	bool gaps_only;
	unsigned width; /* of the terminal; 0: no limit */
	struct json_writer json; /* with --json */
};

static const char *const verdict_words[] = {
	[PROBE_FINE] = "ok",
	[PROBE_GAP] = "gap",
	[PROBE_FATAL] = "FAILED",
};

static const struct option_row rows[] = {
	OPT_BOOL(0, "gaps", struct doctor_options, gaps_only, "show only what does not work"),
	OPT_BOOL(0, "json", struct doctor_options, is_json, "one JSON object"),
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
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_printf(&line, "%-6s  %-17s  ", verdict, subject);
	buffer_printf(&text, "%s%s", what, said);
	text_fold_append(&line, text.text, page->width, line.length, line.length);
	(void)puts(line.text);
}

static void text_finding(void *state, const struct probe_finding *finding)
{
	const struct doctor_page *page = state;

	if (page->gaps_only && finding->verdict == PROBE_FINE)
		return;
	line_print(page, verdict_words[finding->verdict], finding->subject, "", finding->fact);
	if (finding->consequence)
		line_print(page, "", "", "consequence: ", finding->consequence);
	if (finding->mend)
		line_print(page, "", "", "mend: ", finding->mend);
}

static void json_finding(void *state, const struct probe_finding *finding)
{
	struct doctor_page *page = state;
	struct json_writer *json = &page->json;

	if (page->gaps_only && finding->verdict == PROBE_FINE)
		return;
	json_object_begin(json, JSON_INLINE);
	json_member_string(json, "name", finding->subject);
	json_member_bool(json, "ok", finding->verdict == PROBE_FINE);
	json_member_bool(json, "fatal", finding->verdict == PROBE_FATAL);
	json_member_string(json, "what", finding->fact);
	json_member_known(json, "errno", finding->error, (uint64_t)finding->error);
	json_member_string(json, "consequence", finding->consequence);
	json_member_string(json, "mend", finding->mend);
	json_object_end(json);
}

static enum probe_verdict doctor_put_json(struct doctor_page *page)
{
	struct json_writer *json = &page->json;
	enum probe_verdict worst;

	json_init(json, stdout);
	json_object_begin(json, JSON_LINES);
	json_member_string(json, "schema", "ftwait.doctor/1");
	json_member_array(json, "checks", JSON_LINES);
	worst = capture_probe(json_finding, page);
	json_array_end(json);
	json_member_bool(json, "can_record", worst != PROBE_FATAL);
	json_object_end(json);
	json_release(json);
	return worst;
}

int doctor_command(int argc, char **argv)
{
	struct doctor_options options = {0};
	struct doctor_page page;
	struct pager pager = {0};
	struct operands operands;
	enum probe_verdict worst;
	int status = options_read(&doctor_option_set, argc, argv, &options, &operands);

	if (status >= 0)
		return status;
	page = (struct doctor_page){
		.gaps_only = options.gaps_only, .width = terminal_width(stdout),
	};
	if (!options.no_pager)
		pager_begin(&pager);
	worst = options.is_json ? doctor_put_json(&page) : capture_probe(text_finding, &page);
	pager_end(&pager);
	return worst == PROBE_FATAL ? STATUS_FAILED : STATUS_FINE;
}
