/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "browse_report.h"

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/text/shell_quote.h"
#include "cmd/commands.h"

struct report_options browse_report_defaults(size_t columns)
{
	struct report_options defaults = REPORT_OPTIONS_DEFAULT;

	defaults.has_links = true;
	defaults.no_pager = true;
	defaults.top = BROWSE_TOP;
	defaults.width = (unsigned)columns;
	return defaults;
}

int browse_report_run(const struct browse_report *report, const struct report_options *defaults)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(freep) char **word = NULL;
	size_t count = 0;

	buffer_printf(&line, "report %s %s", report->before, report->options);
	word = shell_words_split(line.text, &count);
	if (!word)
		return message_fail(STATUS_USAGE, "browse: %s is no list of options",
		                    report->options);
	return report_command_as((int)count, word, defaults);
}
