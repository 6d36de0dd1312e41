/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_answers.h"

#include "analysis/asked_tasks.h"
#include "base/cleanup.h"
#include "base/message.h"

bool report_has_answers(const struct report_run *run, const char *path)
{
	_cleanup_(buffer_release) struct buffer why = {0};

	buffer_init(&why, 1024);
	if (report_run_has_answers(run, &why))
		return true;
	message_error("report: %s: %s", path, why.text);
	return false;
}

static void warn(void *state, const char *phrase)
{
	(void)state;
	message_warning("report: %s", phrase);
}

void report_warn_missing(const struct report_run *run)
{
	asked_tasks_tell_missing(&run->question, warn, NULL);
}

void report_warn_impaired(const struct report_run *run, const char *where)
{
	if (health_is_impaired(&run->health))
		message_warning("report: %s; %s what to distrust",
		                run->health.input_damaged ? "the input is damaged"
		                                          : "events were lost",
		                where);
}
