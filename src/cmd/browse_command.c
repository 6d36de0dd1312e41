/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/text/shell_quote.h"
#include "cmd/browse/browse_session.h"
#include "commands.h"

/* Options of report, which checks them, as they were typed. */
struct browse_options {
	struct string_list pids, tids, comms, cgroups, names;
	const char *from, *to, *symfs, *kallsyms;
	bool is_all, is_absolute;
};

static const struct option_row rows[] = {
	OPT_STRINGS('p', "pid", struct browse_options, pids, "PID,...", "as for ftwait report"),
	OPT_STRINGS(0, "tid", struct browse_options, tids, "TID,...", "the same"),
	OPT_STRINGS(0, "comm", struct browse_options, comms, "GLOB,...", "the same"),
	OPT_STRINGS(0, "cgroup", struct browse_options, cgroups, "GLOB,...", "the same"),
	OPT_BOOL(0, "all", struct browse_options, is_all, "the same"),
	OPT_STRING(0, "from", struct browse_options, from, "TIME|MARK", "the same"),
	OPT_STRING(0, "to", struct browse_options, to, "TIME|MARK", "the same"),
	OPT_BOOL(0, "absolute", struct browse_options, is_absolute, "the same"),
	OPT_STRINGS(0, "name", struct browse_options, names, "NAME,...", "the same"),
	OPT_STRING(0, "symfs", struct browse_options, symfs, "FOLDER", "the same"),
	OPT_STRING(0, "kallsyms", struct browse_options, kallsyms, "FILE", "the same"),
};

const struct option_set browse_option_set = {
	.command = "browse",
	.operands = "FILE...",
	.about = "Shows a report in the terminal, in which Enter goes from a line to what is "
	         "behind it: from a cost to the waits, from a wait to its path, from there to the "
	         "task at that instant. The key ? lists the others.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

static void value_append(struct buffer *to, const char *option, const char *value)
{
	if (!value)
		return;
	buffer_printf(to, " %s ", option);
	shell_quote_append(to, value);
}

static void values_append(struct buffer *to, const char *option, const struct string_list *values)
{
	for (size_t i = 0; i < values->count; i++)
		value_append(to, option, values->text[i]);
}

static int browse_files(const struct browse_options *options, const struct operands *operands)
{
	_cleanup_(buffer_release) struct buffer first = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(buffer_release) struct buffer lasting = buffer_of(BUFFER_LIMIT_DEFAULT);

	for (size_t i = 0; i < operands->count; i++)
		if (strcmp(operands->argv[i], "-") == 0)
			return message_fail(STATUS_USAGE, "browse: standard input can be read "
			                    "once, and each screen reads the recording; save it in "
			                    "a file");
	buffer_puts(&first, "--summary");
	values_append(&first, "--pid", &options->pids);
	values_append(&first, "--tid", &options->tids);
	values_append(&first, "--comm", &options->comms);
	values_append(&first, "--cgroup", &options->cgroups);
	buffer_puts(&first, options->is_all ? " --all" : "");
	value_append(&first, "--from", options->from);
	value_append(&first, "--to", options->to);
	values_append(&lasting, "--name", &options->names);
	value_append(&lasting, "--symfs", options->symfs);
	value_append(&lasting, "--kallsyms", options->kallsyms);
	buffer_puts(&lasting, options->is_absolute ? " --absolute" : "");
	return browse_session_run(&(struct browse_setup){
		.files = (const char *const *)operands->argv,
		.file_count = operands->count,
		.lasting = lasting.text + (lasting.length > 0),
		.first = first.text,
	});
}

int browse_command(int argc, char **argv)
{
	struct browse_options options = {0};
	struct operands operands;
	int status = options_read(&browse_option_set, argc, argv, &options, &operands);

	if (status != OPTIONS_GO_ON)
		return status;
	if (operands.count == 0)
		status = message_fail(STATUS_USAGE, "browse: name a recording: ftwait browse FILE");
	else
		status = browse_files(&options, &operands);
	options_release(&browse_option_set, &options);
	return status;
}
