/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "cmd/record/record_run.h"
#include "cmd/record/recorder_process.h"
#include "cmd/top/top_session.h"
#include "commands.h"
#include "memory_end.h"
#include "recorder/instance/event_selection.h"

#define INTERVAL_DEFAULT UINT64_C(1000000000)
#define INTERVAL_MIN     UINT64_C(100000000)
/* What is recorded between two flushes is kept in memory, twice. */
#define FLUSH_MIN        UINT64_C(100000000)
#define FLUSH_MAX        UINT64_C(250000000)
#define ROWS_NOT_GIVEN   UINT32_MAX
#define ROWS_OF_TEXT     20

struct top_command_options {
	struct string_list processes, comms, cgroups, events;
	const char *instance; /* a prepared one; NULL: none */
	nsec_t interval;
	uint64_t count, rows;
	unsigned by, sort;
	bool is_batch, is_json;
};

OPTION_WORDS(by_at, [TOP_BY_COMM] = "comm", [TOP_BY_TASK] = "task", [TOP_BY_CGROUP] = "cgroup")

static const char *sort_at(size_t index)
{
	return index < TOP_SORT_COUNT ? top_sort_word((enum top_sort)index) : NULL;
}

static const struct option_row rows[] = {
	OPT_HEADING("Which tasks"),
	OPT_LIST('p', "pid", struct top_command_options, processes, "PID|NAME,...",
	         "only these and their children; the same as operands; more is recorded of them",
	         .is_of_processes = true),
	OPT_LIST(0, "comm", struct top_command_options, comms, "GLOB,...",
	         "only tasks with such a name"),
	OPT_LIST(0, "cgroup", struct top_command_options, cgroups, "GLOB,...",
	         "only tasks in such a control group"),
	OPT_LIST('e', "events", struct top_command_options, events, "GROUP,...",
	         "what is recorded, as with ftwait record",
	         .value_at = event_word_at, .about_at = event_word_about_at),
	OPT_HEADING("How"),
	OPT_TIME('i', "interval", struct top_command_options, interval, "TIME",
	         "a new view this often (default 1s, at least 100ms)"),
	OPT_COUNT('n', "count", struct top_command_options, count, "COUNT",
	          "end after so many views"),
	OPT_STRING(0, "instance", struct top_command_options, instance, "NAME",
	           RECORD_INSTANCE_HELP),
	OPT_BOOL('b', "batch", struct top_command_options, is_batch,
	         "blocks of text one after the other, no screen"),
	OPT_BOOL(0, "json", struct top_command_options, is_json, "an object a line for each view"),
	OPT_CHOICE(0, "by", struct top_command_options, by, by_at, "WORD",
	           "a row for each name, task or control group: comm, task, cgroup"),
	OPT_CHOICE(0, "sort", struct top_command_options, sort, sort_at, "COLUMN",
	           "the order of the rows: waiting (default), queued, running, waits, longest or "
	           "name"),
	OPT_COUNT(0, "top", struct top_command_options, rows, "N",
	          "at most N rows, 0: all (default 20 in a block of text, all in JSON)"),
};

const struct option_set top_option_set = {
	.command = "top",
	.operands = "[-|PID|NAME|PATH...]",
	.about = "Shows what tasks wait for now, and which tasks they wait behind. With \"-\" it "
	         "reads the output of \"ftwait record -o -\", perhaps from another machine. "
	         "Nothing is left behind but what the key w saves: the last 30 s.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

/* Operands other than "-" are the same as -p. Returns whether "-" is given. */
static bool operands_take(const struct operands *operands, struct string_list *processes)
{
	bool is_stream = false;

	for (size_t i = 0; i < operands->count; i++) {
		if (strcmp(operands->argv[i], "-") == 0) {
			is_stream = true;
			continue;
		}
		ARRAY_GROW(processes->text, processes->count, processes->capacity);
		processes->text[processes->count++] = xstrdup(operands->argv[i]);
	}
	return is_stream;
}

static bool options_are_wrong(const struct top_command_options *options, bool is_stream)
{
	if (options->interval < INTERVAL_MIN)
		return message_fail(true, "top: an interval of less than 100ms (-i) cannot be "
		                    "shown");
	if (is_stream && options->instance)
		return message_fail(true, "top: --instance is an option of the recorder of the "
		                    "stream: ftwait record --instance=%s -o - | ftwait top -",
		                    options->instance);
	if (is_stream && (options->processes.count || options->events.count))
		return message_fail(true, "top: -%c is an option of the recorder of the stream: "
		                    "ftwait record -%c ... -o - | ftwait top -",
		                    options->events.count ? 'e' : 'p',
		                    options->events.count ? 'e' : 'p');
	return false;
}

static int top_record(const struct top_command_options *options, struct top_session *session)
{
	struct record_options record = {
		.processes = options->processes,
		.events = options->events,
		.duration = NSEC_NEVER,
		.instance = options->instance,
		.flush = nsec_min(nsec_max(options->interval / 4, FLUSH_MIN), FLUSH_MAX),
		.ends_with_reader = true,
		.no_arguments = true,
		.is_quiet = true,
	};
	const struct recorder_setup setup = {
		.name = "top",
		.options = &record,
		.keeps_messages = session->form == TOP_SCREEN,
		.is_apart = true,
	};
	int status;

	if (!record_targets_find(&record) || !record_has_memory())
		return STATUS_FAILED;
	session->interval_min = record.flush;
	session->wanted.is_targets = record.pids.count > 0;
	if (!recorder_process_start(&setup, &session->recorder)) {
		status = STATUS_FAILED;
	} else {
		status = top_session_run(session, session->recorder.fd);
	}
	free(record.pids.number);
	return status;
}

int top_command(int argc, char **argv)
{
	struct top_command_options options = {
		.interval = INTERVAL_DEFAULT,
		.rows = ROWS_NOT_GIVEN,
	};
	struct top_session session = {.row_limit = 0};
	struct operands operands;
	int status = options_read(&top_option_set, argc, argv, &options, &operands);
	bool is_stream;

	if (status != OPTIONS_GO_ON)
		return status;
	memory_end_say("top", "show fewer tasks (--comm)");
	is_stream = operands_take(&operands, &options.processes);
	session.wanted.comms = (const char *const *)options.comms.text;
	session.wanted.comm_count = options.comms.count;
	session.wanted.cgroups = (const char *const *)options.cgroups.text;
	session.wanted.cgroup_count = options.cgroups.count;
	session.pace = top_pace_new(options.interval);
	session.interval_min = options.interval;
	session.count = options.count;
	session.by = (enum top_by)options.by;
	session.sort = (enum top_sort)options.sort;
	session.form = options.is_json    ? TOP_JSON
	               : options.is_batch ? TOP_TEXT
	                                  : TOP_SCREEN;
	session.row_limit = options.rows < ROWS_NOT_GIVEN ? (unsigned)options.rows
	                    : options.is_json              ? 0
	                                                   : ROWS_OF_TEXT;
	if (options_are_wrong(&options, is_stream))
		status = STATUS_USAGE;
	else if (is_stream)
		status = top_session_run(&session, STDIN_FILENO);
	else
		status = top_record(&options, &session);
	options_release(&top_option_set, &options);
	return status;
}
