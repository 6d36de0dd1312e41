/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_answers.h"

#include <string.h>

#include "analysis/asked_tasks.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "base/message.h"
#include "commands.h"

bool report_has_answers(const struct report_run *run, const char *path)
{
	_cleanup_(buffer_release) struct buffer why = {0};

	buffer_init(&why, 1024);
	if (report_run_has_answers(run, &why))
		return true;
	message_error("report: %s: %s", path, why.text);
	return false;
}

bool report_window_is_reversed(const struct report_run *run, const struct report_options *options)
{
	if (!run->resolved.is_reversed)
		return false;
	message_error("report: --from %s is later than --to %s; exchange the two", options->from,
	              options->to);
	return true;
}

void report_warn_window(const struct report_run *run)
{
	if (report_run_is_beside(run))
		message_warning("report: --from and --to leave nothing of this trace, which is %s "
		                "long",
		                DURATION_TEXT(run->timeline.end - run->timeline.begin));
}

static void warn(void *state, const char *phrase)
{
	(void)state;
	message_warning("report: %s", phrase);
}

void report_warn_missing(const struct report_run *run)
{
	asked_tasks_report_missing(&run->question, warn, NULL);
}

static bool source_failed(const struct report_run *run)
{
	return run->source->failure && run->source->failure->error;
}

void report_warn_impaired(const struct report_run *run, const char *where)
{
	if (health_is_impaired(&run->health) && !source_failed(run))
		message_warning("report: %s; %s what to distrust",
		                run->health.input_damaged ? "the input is damaged"
		                                          : "events were lost",
		                where);
}

int report_status(const struct report_run *run, const struct report_options *options,
                  const char *path)
{
	const struct read_failure *failure = run->source->failure;

	if (source_failed(run))
		message_error("report: %s: cannot read it at byte %llu: %s; the report covers "
		              "what could be read; copy that, as ddrescue does",
		              path, (unsigned long long)failure->offset, strerror(-failure->error));
	if (options->is_strict && (source_failed(run) || health_is_impaired(&run->health)))
		return STATUS_IMPAIRED;
	return source_failed(run) ? STATUS_FAILED : STATUS_FINE;
}
