/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "cmd/options/report_options.h"
#include "cmd/record/record_run.h"
#include "commands.h"
#include "memory_end.h"
#include "recorder/machine/process_search.h"

#define DURATION_DEFAULT UINT64_C(3000000000)
#define PROCESSES_MAX    64
#define NAME_BYTES       16

struct why_options {
	nsec_t duration;
	const char *output; /* NULL: the recording is not kept */
	const char *instance; /* a prepared one; NULL: none */
	const char *pid, *comm; /* the process, as an option; both NULL: it is an operand */
	bool is_verbose;
};

static const struct option_row rows[] = {
	OPT_STRING('p', "pid", struct why_options, pid, "PID|NAME|PATH", "the same as the operand",
	           .is_of_processes = true),
	OPT_STRING(0, "comm", struct why_options, comm, "NAME", "the same"),
	OPT_TIME('d', "duration", struct why_options, duration, "TIME",
	         "watch it for so long: 10, 10s, 500ms (default 3 s)"),
	OPT_STRING('o', "output", struct why_options, output, "FILE",
	           "keep the recording, for ftwait report"),
	OPT_STRING(0, "instance", struct why_options, instance, "NAME",
	           RECORD_INSTANCE_HELP),
	OPT_BOOL('v', "verbose", struct why_options, is_verbose, "show all of the health"),
};

const struct option_set why_option_set = {
	.command = "why",
	.operands = "PID|NAME|PATH",
	.about = "Watches a process, or all processes of a name or program, for some seconds and "
	         "says what it does or waits for: a short form of record and report. Nothing is "
	         "left behind.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

/* The processes that are meant. Returns false if there is none, which is printed. */
static bool processes_find(const char *what, struct number_list *ret)
{
	if (!record_target_add(what, ret))
		return false;
	if (ret->count > PROCESSES_MAX) {
		message_warning("why: there are %zu processes %s: only the first %d are watched",
		                ret->count, what, PROCESSES_MAX);
		ret->count = PROCESSES_MAX;
	}
	return true;
}

/* "nginx[812]", "4 processes nginx" */
static char *processes_describe(const struct number_list *pids)
{
	char name[NAME_BYTES];

	comm_of_process(pids->number[0], name, sizeof(name));
	if (pids->count > 1)
		return xasprintf("%zu processes %s", pids->count, name);
	return xasprintf("%s[%d]", name, pids->number[0]);
}

/* A folder of our own for the recording; NULL: it cannot be made, which is printed. */
static char *folder_make(void)
{
	const char *parent = getenv("TMPDIR");
	char *folder = xasprintf("%s/ftwait-why-XXXXXX", parent && *parent ? parent : "/tmp");

	if (mkdtemp(folder))
		return folder;
	message_error("why: cannot make %s: %s; keep the recording elsewhere: -o FILE, or set "
	              "TMPDIR", folder, strerror(errno));
	free(folder);
	return NULL;
}

static int why_record(const struct why_options *options, const struct number_list *pids,
                      const char *path)
{
	const struct record_options record = {
		.output = path,
		.pids = *pids,
		.duration = options->duration,
		.instance = options->instance,
		.is_quiet = true,
	};

	return record_run(&record, NULL);
}

static int why_report(const struct why_options *options, const char *path, const char *label)
{
	struct report_options report = REPORT_OPTIONS_DEFAULT;

	report.is_short = true;
	report.no_pager = true;
	report.no_seal = true; /* this process removes the recording afterwards */
	report.is_verbose = options->is_verbose;
	return report_file(&report, path, label);
}

static int why_processes(const struct why_options *options, const struct number_list *pids)
{
	_cleanup_(freep) char *label = processes_describe(pids);
	_cleanup_(freep) char *folder = options->output ? NULL : folder_make();
	_cleanup_(freep) char *own = folder ? xasprintf("%s/why.dat", folder) : NULL;
	const char *path = options->output ? options->output : own;
	int status;

	if (!path)
		return STATUS_FAILED;
	status = why_record(options, pids, path);
	if (status == STATUS_FINE)
		status = why_report(options, path, label);
	if (own)
		(void)unlink(own);
	if (folder)
		(void)rmdir(folder);
	return status;
}

int why_command(int argc, char **argv)
{
	struct why_options options = {.duration = DURATION_DEFAULT};
	const char *what;
	struct number_list pids = {0};
	struct operands operands;
	int status = options_read(&why_option_set, argc, argv, &options, &operands);

	if (status != OPTIONS_GO_ON)
		return status;
	memory_end_say("why", "watch it for a shorter time: -d 1");
	what = options.pid ? options.pid : options.comm ? options.comm : operands.argv[0];
	if (options.duration == 0) {
		message_error("why: nothing is seen in no time (-d 0); leave out -d, or give 100ms "
		              "or more");
		status = STATUS_USAGE;
	} else if (operands.count + (options.pid != NULL) + (options.comm != NULL) != 1) {
		message_error("why: name one process: ftwait why PID, or ftwait why NAME");
		status = STATUS_USAGE;
	} else if (!record_has_memory() || !processes_find(what, &pids)) {
		status = STATUS_FAILED;
	} else {
		status = why_processes(&options, &pids);
	}
	free(pids.number);
	options_release(&why_option_set, &options);
	return status;
}
