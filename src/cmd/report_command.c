/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "base/message.h"
#include "base/parse.h"
#include "base/suggest.h"
#include "commands.h"
#include "engine/pipeline.h"
#include "ftwait/report.h"
#include "graph/fold.h"
#include "report_output.h"
#include "source/source.h"

#define ANALYSES_MAX 16
/* the pipeline tells of its progress about each million events */
#define PROGRESS_SHOWN_EVENTS 1000000
/* History that is kept where no asked view needs it: enough for the heaviest chains of some
   hundred thousand events, small enough for any board. */
#define HISTORY_BYTES_MAX (8u << 20)

struct report_options {
	bool summary, waits, chains, graph;
	struct optional_string critical_path;

	bool no_submitters;
	struct optional_string fold;
	nsec_t fold_limit; /* from that; 0: not given */
	struct number_list pids, tids, cpus;
	struct string_list comms, kinds;
	nsec_t from, to, min;
	uint64_t wait;
	bool is_all;

	const char *format, *color, *output, *sort;
	uint64_t top;

	const char *reader;
	bool is_strict;
};

static const char *format_at(size_t index)
{
	return presenters[index] ? presenters[index]->name : NULL;
}

static const char *kind_at(size_t index)
{
	return index < CAUSE_KIND_COUNT ? cause_kind_name((enum cause_kind)index) : NULL;
}

static const char *color_at(size_t index)
{
	static const char *const colors[] = {"auto", "always", "never"};

	return index < ARRAY_SIZE(colors) ? colors[index] : NULL;
}

static const char *reader_at(size_t index)
{
	static const char *const readers[] = {"native", "libtracecmd"};

	return index < ARRAY_SIZE(readers) ? readers[index] : NULL;
}

/* Whether an analysis before this one has the key, or this one before this place. */
static bool sort_key_is_known(size_t analysis, const char *const *place)
{
	for (size_t i = 0; i <= analysis; i++)
		for (const char *const *key = analyses[i]->sort_keys; key && *key; key++) {
			if (key == place)
				return false;
			if (strcmp(*key, *place) == 0)
				return true;
		}
	return false;
}

/* Those of all views, each once. */
static const char *sort_key_at(size_t index)
{
	for (size_t i = 0; analyses[i]; i++)
		for (const char *const *key = analyses[i]->sort_keys; key && *key; key++)
			if (!sort_key_is_known(i, key) && index-- == 0)
				return *key;
	return NULL;
}

static const struct option_row rows[] = {
	OPT_HEADING("Views (several at once; without one: --summary)"),
	OPT_BOOL(0, "summary", struct report_options, summary, "where the time of each task went"),
	OPT_BOOL(0, "chains", struct report_options, chains,
	         "who waited for whom, and whom they waited for"),
	OPT_OPTIONAL(0, "critical-path", struct report_options, critical_path, "TID|COMM",
	             "what the task's time was spent on, through all it waited for"),
	OPT_BOOL(0, "waits", struct report_options, waits, "one line a wait"),
	OPT_BOOL(0, "graph", struct report_options, graph, "the wait-for graph"),
	OPT_HEADING("Filters"),
	OPT_PIDS('p', "pid", struct report_options, pids, "PID,...",
	         "these processes, or tasks of that tid"),
	OPT_PIDS('t', "tid", struct report_options, tids, "TID,...", "these tasks"),
	OPT_LIST(0, "comm", struct report_options, comms, "GLOB,...", "tasks of that name"),
	OPT_BOOL('a', "all", struct report_options, is_all,
	         "all tasks, not only those that the recording was made for"),
	OPT_CPUS('C', "cpu", struct report_options, cpus, "CPU,...",
	         "waits that began or ended on these"),
	OPT_LIST_OF(0, "kind", struct report_options, kinds, kind_at, "KIND,...",
	            "waits for these: task, disk, net, timer, irq, softirq, work, lock ..."),
	OPT_TIME(0, "from", struct report_options, from, "TIME",
	         "seconds since the trace began, or absolute"),
	OPT_TIME(0, "to", struct report_options, to, "TIME", "the same"),
	OPT_TIME(0, "min", struct report_options, min, "TIME", "leave out shorter waits"),
	OPT_COUNT(0, "wait", struct report_options, wait, "N", "the N-th wait of --waits"),
	OPT_BOOL(0, "no-submitters", struct report_options, no_submitters,
	         "do not go on along who submitted a disk request, which is an inference"),
	OPT_OPTIONAL(0, "fold-wakes", struct report_options, fold, "TIME",
	             "one wait where a task woke in vain and ran for less (default 50us)"),
	OPT_HEADING("Output"),
	OPT_STRING_OF(0, "format", struct report_options, format, format_at, "FORMAT", NULL),
	OPT_CONSTANT(0, "json", struct report_options, format, "json", "--format json"),
	OPT_CONSTANT(0, "folded", struct report_options, format, "folded", "--format folded"),
	OPT_COUNT(0, "top", struct report_options, top, "N",
	          "at most N rows of a table in text (default 20, 0: all)"),
	OPT_STRING_OF(0, "sort", struct report_options, sort, sort_key_at, "KEY",
	              "summary: waiting, running, runnable, longest ...; waits: begin, end, "
	              "wait, delay; chains: total, count, max; graph: path, raw, count, max"),
	OPT_STRING_OF(0, "color", struct report_options, color, color_at, "WHEN", NULL),
	OPT_STRING('o', "output", struct report_options, output, "FILE", "write there"),
	OPT_HEADING("Input"),
	OPT_STRING_OF(0, "reader", struct report_options, reader, reader_at, "READER",
	              "native, or libtracecmd to compare"),
	OPT_BOOL(0, "strict", struct report_options, is_strict,
	         "exit status 3 where events were lost or the input is damaged"),
};

const struct option_set report_option_set = {
	.command = "report",
	.operands = "FILE",
	.about = "Explains the waits in a trace.dat, ours or trace-cmd's; \"-\" is standard input.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

/* All that one report needs; released in one place. */
struct report {
	const struct report_options *options;
	const struct presenter *presenter;
	struct report_output output;
	struct timeline timeline;
	struct health health;
	struct question question;
	const struct analysis *asked[ANALYSES_MAX];
	void *state[ANALYSES_MAX];
	size_t asked_count;
};

static int report_read_kinds(const struct report_options *options, uint32_t *ret_mask)
{
	uint32_t mask = 0;

	for (size_t i = 0; i < options->kinds.count; i++) {
		int kind = cause_kind_from_name(options->kinds.text[i]);

		if (kind < 0) {
			const char *names[CAUSE_KIND_COUNT], *meant;

			for (size_t k = 0; k < CAUSE_KIND_COUNT; k++)
				names[k] = cause_kind_name((enum cause_kind)k);
			meant = suggest(options->kinds.text[i], names, CAUSE_KIND_COUNT);
			message_error("report: --kind %s: no such kind%s%s%s",
			              options->kinds.text[i], meant ? "; did you mean \"" : "",
			              meant ? meant : "", meant ? "\"?" : "");
			return -EINVAL;
		}
		mask |= 1u << kind;
	}
	*ret_mask = mask ? mask : KIND_MASK_ALL;
	return 0;
}

static int report_check_options(const struct report_options *options)
{
	static const char *const colors[] = {"auto", "always", "never"};
	bool is_known = false;

	for (size_t i = 0; i < ARRAY_SIZE(colors); i++)
		is_known |= strcmp(options->color, colors[i]) == 0;
	if (!is_known) {
		message_error("report: --color %s: one of auto, always, never", options->color);
		return -EINVAL;
	}
	if (!presenter_find(options->format)) {
		message_error("report: --format %s: one of text, json, csv, folded, dot",
		              options->format);
		return -EINVAL;
	}
	if (strcmp(options->reader, "native") != 0 && strcmp(options->reader, "libtracecmd") != 0) {
		message_error("report: --reader %s: one of native, libtracecmd", options->reader);
		return -EINVAL;
	}
	return 0;
}

/* --fold-wakes[=TIME] */
static int report_read_fold(struct report_options *options)
{
	if (!options->fold.is_given)
		return 0;
	options->fold_limit = FOLD_LIMIT_DEFAULT;
	if (!options->fold.text)
		return 0;
	if (parse_time(options->fold.text, &options->fold_limit) < 0 || options->fold_limit == 0) {
		message_error("report: --fold-wakes %s: not a time, like 50us",
		              options->fold.text);
		return -EINVAL;
	}
	return 0;
}

/* The view where none is asked for. Folded stacks are chains and dot is the graph: nothing else
   can be meant. */
static const char *view_of_format(const char *format)
{
	if (strcmp(format, "folded") == 0)
		return "chains";
	return strcmp(format, "dot") == 0 ? "graph" : "summary";
}

/* The asked views, in the order of the registry. */
static void report_choose_views(struct report *report)
{
	const struct report_options *options = report->options;
	const struct {
		const char *name;
		bool is_asked;
	} views[] = {
		{"summary", options->summary},
		{"chains", options->chains},
		{"critical-path", options->critical_path.is_given},
		{"waits", options->waits},
		{"graph", options->graph},
	};
	const char *otherwise = view_of_format(options->format);
	bool is_any = false;

	for (size_t i = 0; i < ARRAY_SIZE(views); i++)
		is_any |= views[i].is_asked;
	for (size_t i = 0; analyses[i]; i++) {
		const char *name = analyses[i]->name;
		bool is_asked = !is_any && strcmp(name, otherwise) == 0;

		for (size_t v = 0; v < ARRAY_SIZE(views); v++)
			is_asked |= views[v].is_asked && strcmp(name, views[v].name) == 0;
		if (is_asked)
			report->asked[report->asked_count++] = analyses[i];
	}
}

/* --sort must mean something to one of the asked views. */
static int report_check_sort(const struct report *report)
{
	const char *keys[64];
	const char *meant;
	struct buffer mend;
	size_t count = 0;

	if (!report->options->sort)
		return 0;
	for (size_t i = 0; i < report->asked_count; i++)
		for (const char *const *key = report->asked[i]->sort_keys; key && *key; key++)
			if (count < ARRAY_SIZE(keys))
				keys[count++] = *key;
	for (size_t i = 0; i < count; i++)
		if (strcmp(keys[i], report->options->sort) == 0)
			return 0;
	buffer_init(&mend, 512);
	meant = suggest(report->options->sort, keys, count);
	if (meant)
		buffer_printf(&mend, "; did you mean \"%s\"?", meant);
	for (size_t i = 0; i < count && !meant; i++)
		buffer_printf(&mend, "%s%s", i ? ", " : "; they have ", keys[i]);
	message_error("report: --sort %s: the asked views have no such key%s",
	              report->options->sort, mend.text);
	buffer_release(&mend);
	return -EINVAL;
}

/* Whether one of the asked views is named in the text. */
static bool report_shows(const struct report *report, const char *views)
{
	for (size_t i = 0; i < report->asked_count; i++)
		if (strstr(views, report->asked[i]->name))
			return true;
	return false;
}

/* An option that none of the asked views heeds would mislead whoever gave it. */
static void report_warn_unheeded(const struct report *report)
{
	static const char of_waits[] = "--waits, --chains or --graph";
	static const char of_walks[] = "--chains, --critical-path or --graph";
	const struct report_options *options = report->options;
	const struct {
		bool is_given;
		const char *option, *fault, *views;
	} uses[] = {
		{options->kinds.count > 0, "--kind", "has no effect", of_waits},
		{options->cpus.count > 0, "--cpu", "has no effect", of_waits},
		{options->min > 0, "--min", "has no effect", of_waits},
		{options->no_submitters, "--no-submitters", "has no effect", of_walks},
		{options->fold_limit > 0, "--fold-wakes", "has no effect",
		 "--waits, --chains, --critical-path or --graph"},
		{options->wait > 0, "--wait", "has no effect", "--waits or --critical-path"},
		{strcmp(options->format, "folded") == 0, "--folded", "has nothing to show",
		 "--chains"},
		{strcmp(options->format, "dot") == 0, "--format dot", "has nothing to show",
		 "--graph"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(uses); i++)
		if (uses[i].is_given && !report_shows(report, uses[i].views))
			message_warning("report: %s %s without %s", uses[i].option, uses[i].fault,
			                uses[i].views);
}

static void report_warn_window(const struct report *report)
{
	const struct question *question = &report->question;
	char length[FORMAT_BYTES];

	if (question->begin == question->end && report->timeline.begin < report->timeline.end)
		message_warning("report: --from and --to leave nothing of this trace, which is %s "
		                "long",
		                format_duration(report->timeline.end - report->timeline.begin,
		                                length));
}

static void report_ask(struct report *report, uint32_t kinds, const struct source *source)
{
	const struct report_options *options = report->options;

	report->question = (struct question){
		.timeline = &report->timeline,
		.health = &report->health,
		.pids = options->pids.number,
		.pid_count = options->pids.count,
		.tids = options->tids.number,
		.tid_count = options->tids.count,
		.comms = (const char *const *)options->comms.text,
		.comm_count = options->comms.count,
		.is_all = options->is_all,
		.is_of_command = source->command_pid && source->pid_count == 0,
		.cpus = options->cpus.number,
		.cpu_count = options->cpus.count,
		.kinds = kinds,
		.from = options->from,
		.to = options->to,
		.min = options->min,
		.fold_limit = options->fold_limit,
		.wait = options->wait,
		.path_of = options->critical_path.text,
		.sort = options->sort,
	};
}

/* Progress on a terminal, on one line that is wiped when it is over. */
static bool progress_show(void *state, uint64_t events)
{
	char count[FORMAT_BYTES];

	(void)state;
	(void)fprintf(stderr, "\r%s events read", format_count(events, count));
	return true;
}

/* Views from the history show each wait as if it had not been woken in vain. */
static void report_fold(struct report *report)
{
	nsec_t limit = report->question.fold_limit;
	char figure[FORMAT_BYTES], count[FORMAT_BYTES];
	uint64_t folded;

	if (limit == 0)
		return;
	folded = timeline_fold(&report->timeline, limit);
	health_note(&report->health,
	            "false wake-ups folded: %s; less than %s of running between two sleeps at one "
	            "place counts as waiting%s",
	            format_count(folded, count), format_duration(limit, figure),
	            report->timeline.place_count
	                    ? ""
	                    : " (places are known by system calls, futexes and locks; record "
	                      "--stacks tells more)");
}

static void report_run(struct report *report, struct source *source)
{
	struct span_sink sinks[ANALYSES_MAX];
	bool needs_history = report->question.from != NSEC_NEVER ||
	                     report->question.to != NSEC_NEVER || report->question.fold_limit;
	struct pipeline pipeline = {
		.source = source,
		.timeline = &report->timeline,
		.health = &report->health,
		.sinks = sinks,
	};

	for (size_t i = 0; i < report->asked_count; i++)
		needs_history |= report->asked[i]->needs_history;
	/* what the summary likes to have but can do without */
	timeline_init(&report->timeline, /* keep_segments= */ true);
	report->timeline.ignores_submitters = report->options->no_submitters;
	report->timeline.bytes_max = needs_history ? 0 : HISTORY_BYTES_MAX;
	for (size_t i = 0; i < report->asked_count; i++) {
		report->state[i] = report->asked[i]->begin(&report->question);
		if (report->asked[i]->on_span)
			sinks[pipeline.sink_count++] =
				(struct span_sink){report->asked[i]->on_span, report->state[i]};
	}
	if (isatty(STDERR_FILENO) == 1)
		pipeline.on_progress = progress_show;
	pipeline_run(&pipeline);
	if (pipeline.on_progress && report->health.events > PROGRESS_SHOWN_EVENTS)
		(void)fputs("\r\033[K", stderr);
	report_fold(report);
	question_resolve(&report->question);
}

static bool color_is_wanted(const char *when, bool is_terminal)
{
	const char *no_color = getenv("NO_COLOR");

	if (strcmp(when, "auto") != 0)
		return strcmp(when, "always") == 0;
	return is_terminal && !(no_color && *no_color);
}

static void report_present(struct report *report, const struct source *source, const char *path)
{
	bool is_terminal = isatty(fileno(report->output.file)) == 1;
	struct winsize size = {0};
	struct presenter_options options = {
		.color = color_is_wanted(report->options->color, is_terminal),
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.top = (unsigned)report->options->top,
	};
	struct trace_summary trace = {
		.files = &path,
		.file_count = 1,
		.kernel = source->kernel,
		.arch = source->arch,
		.clock = source->clock,
		.cpus = source->cpu_count,
		.begin = report->timeline.begin,
		.end = report->timeline.end,
		.events = report->health.events,
		.ends_early = report->question.end != report->timeline.end,
	};
	void *state;

	if (is_terminal && ioctl(fileno(report->output.file), TIOCGWINSZ, &size) == 0)
		options.width = size.ws_col;
	state = report->presenter->begin(report->output.file, &options, &trace);
	for (size_t i = 0; i < report->asked_count; i++)
		report->asked[i]->report(report->state[i], report->presenter, state);
	report->presenter->end(state, &report->health);
}

static void report_release(struct report *report)
{
	for (size_t i = 0; i < report->asked_count; i++)
		if (report->state[i])
			report->asked[i]->end(report->state[i]);
	question_release(&report->question);
	timeline_release(&report->timeline);
	health_release(&report->health);
}

/* Whether the asked task and wait are there; says so where not. */
static bool report_has_answers(const struct report *report, const char *path)
{
	_cleanup_(buffer_release) struct buffer why = {0};

	buffer_init(&why, 1024);
	for (size_t i = 0; i < report->asked_count; i++) {
		const struct analysis *analysis = report->asked[i];

		if (!analysis->has_answer || analysis->has_answer(report->state[i], &why))
			continue;
		message_error("report: %s: %s", path, why.text);
		return false;
	}
	return true;
}

/* csv, folded and dot have no place for the health. */
static void report_warn(const struct report *report)
{
	const char *name = report->presenter->name;

	if (strcmp(name, "text") != 0 && strcmp(name, "json") != 0 &&
	    health_is_impaired(&report->health))
		message_warning("report: %s; --format text or json tells what to distrust",
		                report->health.input_damaged ? "the input is damaged"
		                                             : "events were lost");
}

/* Reads the source and shows the views. */
static int report_make(struct report *report, struct source *source, const char *path)
{
	report_run(report, source);
	if (!report_has_answers(report, path) || report_output_begin(&report->output) < 0) {
		report_output_discard(&report->output);
		return STATUS_FAILED;
	}
	report_warn_window(report);
	report_present(report, source, path);
	report_warn(report);
	if (report_output_close(&report->output) < 0)
		return STATUS_FAILED;
	return report->options->is_strict && health_is_impaired(&report->health) ? STATUS_IMPAIRED
	                                                                         : STATUS_FINE;
}

static int report_file(const struct report_options *options, uint32_t kinds, const char *path)
{
	_cleanup_(source_closep) struct source *source = NULL;
	struct report report = {
		.options = options,
		.presenter = presenter_find(options->format),
	};
	int status = STATUS_FINE;
	struct buffer why;

	buffer_init(&why, 1024);
	if (source_open(path, options->reader, &source, &why) < 0) {
		message_error("report: %s: %s", path, why.text);
		status = STATUS_FAILED;
	}
	buffer_release(&why);
	if (status != STATUS_FINE)
		return status;
	report_choose_views(&report);
	if (report_check_sort(&report) < 0)
		return STATUS_USAGE;
	report_warn_unheeded(&report);
	if (report_output_open(options->output, path, &report.output) < 0)
		return STATUS_FAILED;
	report_ask(&report, kinds, source);
	status = report_make(&report, source, path);
	report_release(&report);
	return status;
}

int report_command(int argc, char **argv)
{
	struct report_options options = {
		.from = NSEC_NEVER,
		.to = NSEC_NEVER,
		.format = "text",
		.color = "auto",
		.reader = "native",
		.top = 20,
	};
	struct operands operands;
	uint32_t kinds = 0;
	int status;

	status = options_read(&report_option_set, argc, argv, &options, &operands);
	if (status != OPTIONS_GO_ON)
		return status;
	(void)setlocale(LC_CTYPE, "");
	status = STATUS_USAGE;
	if (operands.count > 1)
		message_error("report: %s: one file at a time", operands.argv[1]);
	else if (report_check_options(&options) == 0 && report_read_fold(&options) == 0 &&
	         report_read_kinds(&options, &kinds) == 0)
		status = report_file(&options, kinds,
		                     operands.count ? operands.argv[0] : "ftwait.dat");
	options_release(&report_option_set, &options);
	return status;
}
