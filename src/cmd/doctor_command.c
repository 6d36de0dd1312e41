/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "base/array.h"
#include "capture/capture_probe.h"
#include "commands.h"

struct doctor_options {
	bool gaps_only;
};

static const struct option_row rows[] = {
	OPT_BOOL(0, "gaps", struct doctor_options, gaps_only, "show only what does not work"),
};

const struct option_set doctor_option_set = {
	.command = "doctor",
	.about = "Tries every part of recording and says what this kernel and user cannot do, what "
	         "follows from it, and what helps. Exit status is 1 where nothing can be recorded.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

static void on_finding(void *state, const struct probe_finding *finding)
{
	static const char *const words[] = {
		[PROBE_FINE] = "ok",
		[PROBE_GAP] = "gap",
		[PROBE_FATAL] = "FAILED",
	};
	const struct doctor_options *options = state;

	if (options->gaps_only && finding->verdict == PROBE_FINE)
		return;
	(void)printf("%-6s  %-17s  %s\n", words[finding->verdict], finding->subject, finding->fact);
	if (finding->consequence)
		(void)printf("%25s  consequence: %s\n", "", finding->consequence);
	if (finding->mend)
		(void)printf("%25s  mend: %s\n", "", finding->mend);
}

int doctor_command(int argc, char **argv)
{
	struct doctor_options options = {0};
	struct operands operands;
	int status;

	status = options_read(&doctor_option_set, argc, argv, &options, &operands);
	if (status >= 0)
		return status;
	return capture_probe(on_finding, &options) == PROBE_FATAL ? STATUS_FAILED : STATUS_FINE;
}
