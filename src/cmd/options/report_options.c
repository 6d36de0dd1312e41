/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_options.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/turns/turn_source.h"
#include "base/cleanup.h"
#include "base/text/message.h"
#include "base/text/parse.h"
#include "base/text/suggest.h"
#include "cmd/commands.h"
#include "cmd/other_tools.h"
#include "cmd/terminal.h"
#include "graph/walk/fold.h"
#include "reference/tracecmd_source.h"
#include "source/source.h"
#include "words/kernel/trace_clock.h"

#define FOLLOW_DEFAULT UINT64_C(10000000000)
#define FOLLOW_MIN     UINT64_C(100000000)
#define FOLLOW_MAX     UINT64_C(3600000000000)

/* Presenters, then exporters. */
static const char *format_at(size_t index)
{
	size_t count = 0;

	for (; presenters[count]; count++)
		if (count == index)
			return presenters[count]->name;
	return exporters[index - count] ? exporters[index - count]->name : NULL;
}

static const char *kind_at(size_t index)
{
	size_t at = CAUSE_KIND_COUNT;

	if (index < CAUSE_KIND_COUNT)
		return cause_kind_name((enum cause_kind)index);
	/* an aim and a cause of one name are one value */
	for (size_t aim = AIM_NONE + 1; aim < AIM_KIND_COUNT; aim++)
		if (cause_kind_from_name(aim_kind_name((enum aim_kind)aim)) < 0 && at++ == index)
			return aim_kind_name((enum aim_kind)aim);
	return NULL;
}

static const char *end_at(size_t index)
{
	return index < AIM_END_COUNT ? aim_end_name((enum aim_end)index) : NULL;
}

/* No values of enum grouping: CPUs as rows of the timeline, and sums by control group. */
#define BY_CPU    (BY_FUNCTION + 1)
#define BY_CGROUP (BY_FUNCTION + 2)

OPTION_WORDS(by_at, [BY_NOTHING] = "nothing", [BY_COMM] = "comm", [BY_KIND] = "kind",
             [BY_FUNCTION] = "function", [BY_CPU] = "cpu", [BY_CGROUP] = "cgroup")

/* The views of --rows; the first one is the default. */
OPTION_WORDS(rows_at, "costs", "waits")

/* The windows of --at. */
OPTION_WORDS(window_at, "trigger")

/* The units of --per. */
static const char *per_at(size_t index)
{
	return index < DIFF_PER_COUNT ? turn_sources[index].word : NULL;
}

OPTION_WORDS(color_at, "auto", "always", "never")

static const struct {
	const char *name;
	int (*open)(const char *path, struct source **ret, struct buffer *why);
} readers[] = {
	{"native", source_open},
	{"libtracecmd", reference_open},
};

static const char *reader_at(size_t index)
{
	return index < ARRAY_SIZE(readers) ? readers[index].name : NULL;
}

/* Whether the key occurs earlier: in an earlier analysis, or at an earlier place of this one. */
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

/* The keys of all views, each once: the key with that index, and the first view that has it. */
static const char *sort_key_find(size_t index, const char **ret_view)
{
	for (size_t i = 0; analyses[i]; i++)
		for (const char *const *key = analyses[i]->sort_keys; key && *key; key++)
			if (!sort_key_is_known(i, key) && index-- == 0) {
				*ret_view = analyses[i]->name;
				return *key;
			}
	*ret_view = NULL;
	return NULL;
}

static const char *sort_key_at(size_t index)
{
	const char *view;

	return sort_key_find(index, &view);
}

static const char *sort_view_at(size_t index)
{
	const char *view;

	(void)sort_key_find(index, &view);
	return view;
}

/* "summary: waiting, running; chains: total, count, max" */
static void sort_help_append(struct buffer *to)
{
	for (size_t i = 0; analyses[i]; i++)
		for (const char *const *key = analyses[i]->sort_keys; key && *key; key++) {
			if (key == analyses[i]->sort_keys)
				buffer_printf(to, "%s%s: %s", to->length ? "; " : "",
				              analyses[i]->name, *key);
			else
				buffer_printf(to, ", %s", *key);
		}
}

static bool view_option_at(size_t index, struct option_row *ret)
{
	const struct analysis *analysis = analyses[index];

	if (!analysis)
		return false;
	assert(index < REPORT_VIEWS_MAX);
	ret->name = analysis->name;
	ret->argument = analysis->argument;
	ret->needs_value = analysis->needs_argument;
	ret->help = analysis->about;
	ret->groups = analysis->groups;
	return true;
}

static const struct option_row rows[] = {
	OPT_HEADING("Views (several are possible; default: --summary; see \"ftwait help chains\")"),
	OPT_EACH(struct report_options, views, view_option_at),
	OPT_HEADING("Filters"),
	OPT_PIDS('p', "pid", struct report_options, pids, "PID,...",
	         "these processes, or tasks of that tid", .has_hosts = true),
	OPT_PIDS('t', "tid", struct report_options, tids, "TID,...", "these tasks",
	         .has_hosts = true),
	OPT_LIST(0, "comm", struct report_options, comms, "GLOB,...", "tasks of that name"),
	OPT_LIST(0, "cgroup", struct report_options, cgroups, "GLOB,...",
	         "tasks of these control groups, and of those in them; by path or unit"),
	OPT_BOOL('a', "all", struct report_options, is_all,
	         "all tasks, not only those that the recording was made for"),
	OPT_CPUS('C', "cpu", struct report_options, cpus, "CPU,...",
	         "waits that began or ended on these", .has_hosts = true),
	OPT_LIST_OF(0, "kind", struct report_options, kinds, kind_at, "KIND,...",
	            "waits ended by or for these: task, disk, net, timer, lock, child ..."),
	OPT_LIST_OF(0, "ended", struct report_options, ends, end_at, "HOW,...",
	            "waits that ended so: had, limit, signal, death, open"),
	OPT_STRING(0, "from", struct report_options, from, "TIME|MARK",
	           "seconds since the trace began, or absolute; 03:12:05; or a program's mark"),
	OPT_STRING(0, "to", struct report_options, to, "TIME|MARK",
	           "the same; the first such mark after --from"),
	OPT_STRING_OF(0, "at", struct report_options, at, window_at, "WHAT",
	              "trigger: only the time of what a flight recorder saved this for"),
	OPT_TIME(0, "min", struct report_options, min, "TIME", "leave out shorter waits"),
	OPT_TIME(0, "period", struct report_options, period, "TIME",
	         "--cycles: those of the selected tasks that took longer, and why"),
	OPT_STRING_OF(0, "per", struct report_options, per, per_at, "UNIT",
	              "--tail: request (the default), mark:NAME, slice:NAME, syscall:NAME, "
	              "pair:A/B,by=KEY, run"),
	OPT_BOOL(0, "evidence", struct report_options, has_evidence,
	         "of what is said, the two to four events that decide it"),
	OPT_STRING(0, "filter", struct report_options, filter, "TEXT",
	           "--events: those that pass it: 'sched_switch: prev_prio < 100'"),
	OPT_COUNT(0, "wait", struct report_options, wait, "N", "the N-th wait of --waits"),
	OPT_BOOL(0, "no-submitters", struct report_options, no_submitters,
	         "do not continue along the submitter of a disk request, which is an inference"),
	OPT_BOOL(0, "through-polls", struct report_options, through_polls,
	         "continue along the child that a task polls for even if that is a guess"),
	OPT_BOOL(0, "no-through-polls", struct report_options, no_through_polls,
	         "do not continue along what a task waits for by polling or in slices"),
	OPT_OPTIONAL(0, "fold-wakes", struct report_options, fold, "TIME",
	             "count as one wait if a task was woken in vain and ran for less (default "
	             "50us)"),
	OPT_BOOL(0, "histogram", struct report_options, has_histogram,
	         "how long waits are: percentiles and bars (--waits, --summary)"),
	OPT_CHOICE(0, "by", struct report_options, by, by_at, "WHAT",
	           "the same for each comm, kind of cause, or function slept in; cgroup: sums by "
	           "control group (--summary, --sched, --disk, --lock)"),
	OPT_BOOL(0, "no-stacks", struct report_options, no_stacks,
	         "as if no stacks had been recorded (--chains, --off-cpu)"),
	OPT_BOOL(0, "debug-causes", struct report_options, debugs_causes,
	         "for developers: how the cause of each wake-up was decided, on standard error",
	         .is_hidden = true),
	OPT_BOOL(0, "debug-kept", struct report_options, debugs_kept,
	         "for developers: answer as browse does, from what it keeps of a recording",
	         .is_hidden = true),
	OPT_HEADING("Output"),
	OPT_STRING_OF(0, "format", struct report_options, format, format_at, "FORMAT", NULL),
	OPT_CONSTANT(0, "json", struct report_options, format, "json", "--format json"),
	OPT_CONSTANT(0, "csv", struct report_options, format, "csv", "--format csv"),
	OPT_CONSTANT(0, "folded", struct report_options, format, "folded", "--format folded"),
	OPT_CONSTANT(0, "svg", struct report_options, format, "svg", "--format svg"),
	OPT_CONSTANT(0, "dot", struct report_options, format, "dot", "--format dot"),
	OPT_CONSTANT(0, "html", struct report_options, format, "html", "--format html"),
	OPT_CONSTANT(0, "perfetto", struct report_options, format, "perfetto",
	             "--format perfetto"),
	OPT_OPTIONAL(0, "rows", struct report_options, rows, "VIEW",
	             "for a database: a JSON object a line, of costs (which sum to the time) or "
	             "waits",
	             .value_at = rows_at),
	OPT_COUNT(0, "top", struct report_options, top, "N",
	          "at most N rows of a table in text (default 20, 0: all)"),
	OPT_STRING_HELP(0, "sort", struct report_options, sort, sort_key_at, "KEY",
	                sort_help_append, .about_at = sort_view_at),
	OPT_STRING_OF(0, "color", struct report_options, color, color_at, "WHEN", NULL),
	OPT_STRING('o', "output", struct report_options, output, "FILE", "write to FILE"),
	OPT_BOOL(0, "absolute", struct report_options, is_absolute,
	         "show instants as times of day"),
	OPT_BOOL(0, "compress", struct report_options, is_packed,
	         "--format perfetto: compress with gzip, whatever the file's name"),
	OPT_BOOL(0, "no-pager", struct report_options, no_pager,
	         OPTION_NO_PAGER_HELP),
	OPT_BOOL('q', "quiet", struct report_options, is_quiet, "show no progress"),
	OPT_BOOL('v', "verbose", struct report_options, is_verbose,
	         "show the health in full"),
	OPT_HEADING("Input"),
	OPT_OPTIONAL(0, "follow", struct report_options, follow, "TIME",
	             "report on a stream or text while it is written, each TIME anew (default "
	             "10s)"),
	OPT_STRING('i', "input", struct report_options, input, "FILE", "the same as FILE alone"),
	OPT_LIST(0, "name", struct report_options, names, "NAME,...",
	         "what to call the machines, in the order of their files"),
	OPT_STRING_OF(0, "reader", struct report_options, reader, reader_at, "READER",
	              "native, or libtracecmd to compare"),
	OPT_STRING(0, "kallsyms", struct report_options, kallsyms, "FILE",
	           "name kernel functions by FILE: a System.map, /proc/kallsyms or vmlinux"),
	OPT_STRING(0, "symfs", struct report_options, symfs, "DIR",
	           "look for recorded programs below DIR, for names of their functions"),
	OPT_COUNT(0, "threads", struct report_options, threads, "N",
	          "1: one thread does everything; 2: a second one reads ahead (default: if that is "
	          "faster)"),
	OPT_BOOL(0, "no-seal", struct report_options, no_seal,
	         "keep the right to write files, connect and execute programs while reading"),
	OPT_BOOL(0, "strict", struct report_options, is_strict,
	         "exit status 3 if events were lost or the input is damaged"),
};

const struct option_set report_option_set = {
	.command = "report",
	.operands = "FILE...",
	.about = "Explains the waits in a trace.dat, ours or trace-cmd's, or in the text of "
	         "ftrace, as trace_pipe and atrace have it; \"-\" is standard input. "
	         "Several files are the recordings of several machines.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

/* The value that was probably meant; NULL: no value is similar. */
static const char *value_suggest(const char *given, option_value_at value_at)
{
	const char *values[64];
	size_t count = 0;

	while (count < ARRAY_SIZE(values) && value_at(count)) {
		values[count] = value_at(count);
		count++;
	}
	return suggest(given, values, count);
}

/* "no such `what`", and what to give instead. `ours`: what another tool's word is here; NULL. */
static int value_refuse(const char *option, const char *given, const char *what,
                        option_value_at value_at, const char *ours)
{
	_cleanup_(buffer_release) struct buffer values = buffer_of(1000);
	const char *meant = value_suggest(given, value_at);

	if (ours) {
		buffer_puts(&values, ours);
	} else if (meant) {
		buffer_printf(&values, "did you mean \"%s\"?", meant);
	} else {
		buffer_puts(&values, "use one of ");
		option_values_append(&values, value_at, ", ");
	}
	return message_fail(-EINVAL, "report: --%s %s: no such %s; %s", option, given, what,
	                    values.text);
}

static int check_value(const char *option, const char *given, option_value_at value_at)
{
	_cleanup_(freep) char *word = xasprintf("--%s=%s", option, given);

	for (size_t i = 0; value_at(i); i++)
		if (strcmp(value_at(i), given) == 0)
			return 0;
	return value_refuse(option, given, "value", value_at, foreign_word_find("report", word));
}

static int check_kind(const char *given)
{
	if (cause_kind_from_name(given) >= 0 || aim_kind_from_name(given) != AIM_NONE)
		return 0;
	return value_refuse("kind", given, "kind", kind_at, /* ours= */ NULL);
}

/* Whether the format can show anything of the view. */
static bool format_shows(const char *format, const struct analysis *view)
{
	const struct presenter *presenter = presenter_find(format);

	if (!presenter || presenter->is_of_machines) /* an export shows no views */
		return false;
	if (presenter->is_of_paths)
		return view->has_paths;
	return (!presenter->view || strcmp(presenter->view, view->name) == 0) &&
	       (!view->is_tree || presenter->tree) && (!view->is_timeline || presenter->timeline);
}

static bool format_is_of_machines(const char *format)
{
	const struct presenter *presenter = presenter_find(format);

	return presenter && presenter->is_of_machines;
}

/* The value of --fold-wakes[=TIME]; 0 if the option is not given. */
static int fold_limit_read(const struct report_options *options, nsec_t *ret)
{
	const char *text = options->fold.text;

	*ret = options->fold.is_given ? FOLD_LIMIT_DEFAULT : 0;
	if (!text || (parse_time(text, ret) == 0 && *ret > 0))
		return 0;
	return message_fail(-EINVAL, "report: --fold-wakes %s: not a time, like 50us", text);
}

/* All views with a critical path must have the path of the same task. */
static int check_paths(const struct report_options *options)
{
	const char *first = NULL;

	for (size_t i = 0; analyses[i]; i++) {
		const char *text = options->views[i].text;

		if (!text || !analyses[i]->is_of_path)
			continue;
		if (first && strcmp(first, text) != 0)
			return message_fail(-EINVAL, "report: --%s=%s: the critical path of \"%s\" "
			                    "is asked for, too: one at a time", analyses[i]->name,
			                    text, first);
		first = text;
	}
	return 0;
}

/* --at is a window, as --from and --to are. */
static int check_at(const struct report_options *options)
{
	if (!options->at)
		return 0;
	if (check_value("at", options->at, window_at) < 0)
		return -EINVAL;
	if (!options->from && !options->to)
		return 0;
	return message_fail(-EINVAL, "report: --at and --%s are two windows: leave one out",
	                    options->from ? "from" : "to");
}

/* Tasks have different periods, so that they must be chosen. */
static int check_period(const struct report_options *options)
{
	if (options->period == 0 ||
	    options->pids.count + options->tids.count + options->comms.count > 0)
		return 0;
	return message_fail(-EINVAL, "report: --period: which task has that period? Add --comm "
	                    "NAME or --tid TID");
}

static int check_arguments(const struct report_options *options)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(4096);
	const char *name;

	for (size_t i = 0; analyses[i]; i++) {
		const char *text = options->views[i].text;

		if (text && analyses[i]->check_argument && !analyses[i]->check_argument(text, &why))
			return message_fail(-EINVAL, "report: --%s %s", analyses[i]->name,
			                    why.text);
	}
	if (!options->per || turn_source_find(options->per, &name))
		return 0;
	return value_refuse("per", options->per, "unit", per_at, /* ours= */ NULL);
}

static bool any_view_is_given(const struct report_options *options)
{
	for (size_t i = 0; analyses[i]; i++)
		if (options->views[i].is_given)
			return true;
	return false;
}

/* --rows is a format, too; the format without any view is --rows. */
static int settle_rows(struct report_options *options)
{
	if (options->rows.is_given && strcmp(options->format, "text") != 0 &&
	    strcmp(options->format, "rows") != 0)
		return message_fail(-EINVAL, "report: --rows and --format %s are two formats: "
		                    "leave one out", options->format);
	if (options->rows.is_given)
		options->format = "rows";
	else if (strcmp(options->format, "rows") == 0)
		options->rows.is_given = !any_view_is_given(options);
	return options->rows.text ? check_value("rows", options->rows.text, rows_at) : 0;
}

int report_options_check(struct report_options *options)
{
	nsec_t unused;

	if (settle_rows(options) < 0 || check_value("color", options->color, color_at) < 0 ||
	    check_value("format", options->format, format_at) < 0 ||
	    check_value("reader", options->reader, reader_at) < 0 ||
	    fold_limit_read(options, &unused) < 0 || check_paths(options) < 0 ||
	    check_at(options) < 0 || check_period(options) < 0 ||
	    check_arguments(options) < 0)
		return -EINVAL;
	for (size_t i = 0; i < options->kinds.count; i++)
		if (check_kind(options->kinds.text[i]) < 0)
			return -EINVAL;
	for (size_t i = 0; i < options->ends.count; i++)
		if (check_value("ended", options->ends.text[i], end_at) < 0)
			return -EINVAL;
	/* the library reads in a process that this one must be able to end */
	options->no_seal |= strcmp(options->reader, readers[0].name) != 0;
	return 0;
}

bool report_options_color(const struct report_options *options, FILE *to)
{
	const char *no_color = getenv("NO_COLOR");

	if (strcmp(options->color, "auto") != 0)
		return strcmp(options->color, "always") == 0;
	return terminal_has_escapes(to) && !(no_color && *no_color);
}

int report_options_follow(const struct report_options *options, nsec_t *ret_period)
{
	static const char again[] = "it reads the recording once more, when that has ended";
	const struct {
		bool is_given;
		const char *option, *why;
	} refused[] = {
		{options->has_evidence, "--evidence", again},
		{options->from || options->to || options->at, "--from, --to and --at",
		 "each report is of a period of its own"},
		{options->fold.is_given, "--fold-wakes", "it needs the whole recording"},
		{options->output, "-o", "use the shell's > FILE"},
		{options->kallsyms, "--kallsyms", "use it once the recording has ended"},
		{options->symfs, "--symfs", "programs are known once the recording has ended"},
		{options->debugs_causes, "--debug-causes", "use it once the recording has ended"},
		{options->debugs_kept, "--debug-kept", "use it once the recording has ended"},
		{strcmp(options->reader, "native") != 0, "--reader libtracecmd",
		 "it reads recordings that have ended"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (refused[i].is_given)
			return message_fail(-EINVAL, "report: %s: not with --follow: %s",
			                    refused[i].option, refused[i].why);
	for (size_t i = 0; analyses[i]; i++)
		if (options->views[i].is_given && analyses[i]->reads_again)
			return message_fail(-EINVAL, "report: --%s: not with --follow: %s",
			                    analyses[i]->name, again);
	if (strcmp(options->format, "text") != 0 && strcmp(options->format, "json") != 0)
		return message_fail(-EINVAL, "report: --follow: only as text or JSON, not --format "
		                    "%s", options->format);
	*ret_period = FOLLOW_DEFAULT;
	if (!options->follow.text || (parse_time(options->follow.text, ret_period) == 0 &&
	                              *ret_period >= FOLLOW_MIN && *ret_period <= FOLLOW_MAX))
		return 0;
	return message_fail(-EINVAL, "report: --follow=%s: not a time from 100ms to 1h, like 10s",
	                    options->follow.text);
}

int report_options_open(const struct report_options *options, const char *path,
                        struct source **ret, struct buffer *why)
{
	size_t reader = 0;

	while (strcmp(readers[reader].name, options->reader) != 0)
		reader++;
	return readers[reader].open(path, ret, why);
}

static uint32_t kind_mask(const struct string_list *kinds)
{
	uint32_t mask = 0;

	for (size_t i = 0; i < kinds->count; i++) {
		int kind = cause_kind_from_name(kinds->text[i]);

		mask |= kind < 0 ? 0 : 1u << kind;
	}
	return kinds->count ? mask : KIND_MASK_ALL;
}

static uint32_t aim_mask(const struct string_list *kinds)
{
	uint32_t mask = 0;

	for (size_t i = 0; i < kinds->count; i++)
		mask |= 1u << aim_kind_from_name(kinds->text[i]);
	return mask & ~(1u << AIM_NONE);
}

static uint32_t end_mask(const struct string_list *ends)
{
	uint32_t mask = 0;

	for (size_t i = 0; i < ends->count; i++)
		mask |= 1u << aim_end_from_name(ends->text[i]);
	return mask ? mask : END_MASK_ALL;
}

/* Whether the format always contains the view. */
static bool format_has_view(const char *format, const struct analysis *view)
{
	const struct presenter *presenter = presenter_find(format);

	for (size_t i = 0; presenter && presenter->views && presenter->views[i]; i++)
		if (strcmp(presenter->views[i], view->name) == 0)
			return true;
	return false;
}

/* Whether --rows asks for the view. */
static bool rows_are_of(const struct report_options *options, const struct analysis *view)
{
	return options->rows.is_given &&
	       strcmp(view->name, options->rows.text ? options->rows.text : rows_at(0)) == 0;
}

/* Asks for the asked views, in the order of the registry; if there are none, for the first view
   that the format can show. */
static void ask_views(const struct report_options *options, struct report_run *run)
{
	const struct presenter *presenter = presenter_find(options->format);

	for (size_t i = 0; analyses[i]; i++)
		if (options->views[i].is_given || rows_are_of(options, analyses[i]) ||
		    format_has_view(options->format, analyses[i]) ||
		    (options->period > 0 && analyses[i]->heeds & HEEDS_PERIOD))
			report_run_ask(run, analyses[i]);
	for (size_t i = 0; analyses[i] && run->view_count == 0; i++)
		if (format_shows(options->format, analyses[i]))
			report_run_ask(run, analyses[i]);
	if (presenter && presenter->flow)
		report_run_ask(run, &flow_analysis);
}

/* Checks that the key of --sort is a key of an asked view. */
static int check_sort(const char *sort, const struct report_run *run)
{
	_cleanup_(buffer_release) struct buffer mend = buffer_of(512);
	const char *keys[64], *meant;
	size_t count = 0;

	for (size_t i = 0; i < run->view_count; i++)
		for (const char *const *key = run->view[i].analysis->sort_keys; key && *key; key++)
			if (count < ARRAY_SIZE(keys))
				keys[count++] = *key;
	for (size_t i = 0; i < count; i++)
		if (strcmp(keys[i], sort) == 0)
			return 0;
	meant = suggest(sort, keys, count);
	if (meant)
		buffer_printf(&mend, "; did you mean \"%s\"?", meant);
	for (size_t i = 0; i < count && !meant; i++)
		buffer_printf(&mend, "%s%s", i ? ", " : "; they have ", keys[i]);
	return message_fail(-EINVAL, "report: --sort %s: the selected views have no such key%s",
	                    sort, mend.text);
}

/* "--chains, --graph or --waits": the views that `is_meant`. */
static void views_append(struct buffer *to, bool (*is_meant)(const struct analysis *, const void *),
                         const void *by)
{
	const char *name = NULL, *separator = "";

	for (size_t i = 0; analyses[i]; i++) {
		if (!is_meant(analyses[i], by))
			continue;
		if (name)
			buffer_printf(to, "%s--%s", separator, name);
		separator = name ? ", " : "";
		name = analyses[i]->name;
	}
	assert(name);
	buffer_printf(to, "%s--%s", to->length ? " or " : "", name);
}

static bool view_heeds(const struct analysis *view, const void *what)
{
	return view->heeds & *(const unsigned *)what;
}

static bool view_is_shown(const struct analysis *view, const void *format)
{
	return format_shows(format, view);
}

/* Warns of options that all asked views ignore, as these would mislead the user. */
static void warn_unheeded(const struct report_options *options, const struct report_run *run)
{
	const unsigned by_number = options->wait > 0 ? HEEDS_WAIT : 0;
	/* rows of CPUs use --cpu */
	const unsigned by_cpu = options->by == BY_CPU ? HEEDS_BY_CPU : 0;
	const struct {
		bool is_given;
		const char *option;
		unsigned what; /* enum heeded */
	} uses[] = {
		{options->pids.count > 0, "pid", HEEDS_TASKS},
		{options->tids.count > 0, "tid", HEEDS_TASKS},
		{options->comms.count > 0, "comm", HEEDS_TASKS},
		{options->cgroups.count > 0, "cgroup", HEEDS_TASKS},
		/* waits are numbered among those that these options select, so --wait uses the
		   options, too */
		{options->kinds.count > 0, "kind", HEEDS_KINDS | by_number},
		{options->ends.count > 0, "ended", HEEDS_AIMS | by_number},
		{options->cpus.count > 0, "cpu", HEEDS_CPUS | by_number | by_cpu},
		{options->min > 0, "min", HEEDS_MIN | by_number},
		{options->period > 0, "period", HEEDS_PERIOD},
		{options->per, "per", HEEDS_PER},
		{options->filter, "filter", HEEDS_FILTER},
		{options->no_submitters, "no-submitters", HEEDS_WALKS},
		{options->through_polls, "through-polls", HEEDS_WALKS},
		{options->no_through_polls, "no-through-polls", HEEDS_WALKS},
		{options->fold.is_given, "fold-wakes", HEEDS_FOLD},
		{options->wait > 0, "wait", HEEDS_WAIT},
		{options->has_histogram, "histogram", HEEDS_HISTOGRAM},
		{options->by != BY_NOTHING, "by",
		 options->by == BY_CPU      ? HEEDS_BY_CPU
		 : options->by == BY_CGROUP ? HEEDS_BY_GROUP
		                            : HEEDS_BY},
		{options->no_stacks, "no-stacks", HEEDS_STACKS},
	};

	for (size_t i = 0; i < ARRAY_SIZE(uses); i++) {
		_cleanup_(buffer_release) struct buffer views = buffer_of(512);

		if (!uses[i].is_given || report_run_heeds(run, uses[i].what))
			continue;
		views_append(&views, view_heeds, &uses[i].what);
		if (uses[i].what & HEEDS_CPUS)
			buffer_puts(&views, ", or --timeline --by cpu");
		message_warning("report: --%s has no effect without %s", uses[i].option,
		                views.text);
	}
}

/* Whether the format has an option that is short for --format NAME. */
static bool format_has_option(const char *format)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].type == OPTION_CONSTANT && strcmp(rows[i].constant, format) == 0)
			return true;
	return false;
}

/* Whether the view is the only one that an export can contain. */
static bool view_is_path(const struct analysis *view)
{
	return strcmp(view->name, "critical-path") == 0;
}

/* Warns of options that an export cannot support, as it writes while it reads. */
static void warn_of_export(const struct report_options *options, const struct report_run *run)
{
	for (size_t i = 0; i < run->view_count; i++)
		if (!view_is_path(run->view[i].analysis))
			message_warning("report: --%s has no effect with --format %s",
			                run->view[i].analysis->name, options->format);
	if (run->question.asked->from_mark || run->question.asked->to_mark)
		message_warning("report: --format %s supports times in --from and --to, not marks",
		                options->format);
}

/* Warns of given views of which the format shows nothing. */
static void warn_of_format(const struct report_options *options, const struct report_run *run)
{
	const char *format = options->format;
	const char *word = options->rows.is_given || format_has_option(format) ? "" : "format ";
	_cleanup_(buffer_release) struct buffer views = buffer_of(512);
	size_t shown = 0;

	for (size_t i = 0; i < run->view_count; i++)
		shown += format_shows(format, run->view[i].analysis);
	for (size_t i = 0; analyses[i] && (shown > 0 || format_is_of_machines(format)); i++)
		if (options->views[i].is_given && !format_shows(format, analyses[i]))
			message_warning("report: --%s has no effect with --%s%s", analyses[i]->name,
			                word, format);
	if (shown > 0 || format_is_of_machines(format))
		return;
	views_append(&views, view_is_shown, format);
	message_warning("report: --%s%s has nothing to show without %s", word, format, views.text);
}

/* Reads an end of the window: anything that is no time is a mark. Returns whether it is a time of
   day. */
static bool window_end_read(const char *given, nsec_t *ret, struct day_time *ret_day,
                            const char **ret_mark)
{
	*ret = NSEC_NEVER;
	*ret_mark = NULL;
	if (!given || parse_time(given, ret) == 0)
		return false;
	if (day_time_read(given, ret_day))
		return true;
	*ret_mark = given;
	return false;
}

/* Whether the format shows instants, so that --absolute has a meaning. */
static bool format_has_instants(const char *format)
{
	const struct presenter *presenter = presenter_find(format);

	return presenter && presenter->has_instants;
}

/* Whether the recording has a time of day, if the options ask for one. */
static bool options_fit_day(const struct report_options *options, const struct source *source,
                            const char *path)
{
	const struct {
		const char *option, *value;
	} ends[] = {{"from", options->from}, {"to", options->to}};
	struct day_time day;

	if (source->notes.realtime.count > 0)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (ends[i].value && day_time_read(ends[i].value, &day))
			return message_fail(false, "report: %s: --%s %s: the file does not say at "
			                    "what time of day it was recorded; give seconds since "
			                    "its begin", path, ends[i].option, ends[i].value);
	if (!options->is_absolute || !format_has_instants(options->format))
		return true;
	return message_fail(false, "report: %s: --absolute: the file does not say at what time of "
	                    "day it was recorded; leave the option out", path);
}

/* Whether the format has something to say of the recording: that of how machines relate says
   nothing of one machine, nor in terms of clocks that it has no names for. */
static bool options_fit_format(const struct report_options *options, const struct source *source,
                               const char *path)
{
	if (!format_is_of_machines(options->format))
		return true;
	if (source->part_count == 0)
		return message_fail(false, "report: %s: --format %s: this says how the clocks of "
		                    "several machines relate; give the recording of each", path,
		                    options->format);
	for (size_t i = 0; i < source->part_count; i++) {
		const char *name = source->parts[i].source->clock;
		const struct trace_clock *clock = name ? trace_clock_find(name) : NULL;

		if (clock && clock->posix)
			continue;
		return message_fail(false, "report: %s: --format %s: Perfetto does not know its "
		                    "clock, %s; record with --clock mono, mono_raw or boot",
		                    source->parts[i].file, options->format,
		                    name ? name : "which is not recorded");
	}
	return true;
}

bool report_options_fit(const struct report_options *options, const struct source *source,
                        const char *path)
{
	if (!options_fit_format(options, source, path))
		return false;
	if (options->at && !source->notes.trigger.condition)
		return message_fail(false, "report: %s: --at %s: the file does not say that a "
		                    "trigger saved it; give --from and --to", path, options->at);
	return options_fit_day(options, source, path);
}

static struct asked_numbers numbers_asked(const struct number_list *list)
{
	return (struct asked_numbers){list->number, (const char *const *)list->host, list->count};
}

struct asked report_options_asked(const struct report_options *options)
{
	const struct presenter *presenter = presenter_find(options->format);
	struct asked asked = {
		.pids = numbers_asked(&options->pids),
		.tids = numbers_asked(&options->tids),
		.comms = (const char *const *)options->comms.text,
		.comm_count = options->comms.count,
		.cgroups = (const char *const *)options->cgroups.text,
		.cgroup_count = options->cgroups.count,
		.is_all = options->is_all,
		.cpus = numbers_asked(&options->cpus),
		.kinds = kind_mask(&options->kinds),
		.aims = aim_mask(&options->kinds),
		.ends = end_mask(&options->ends),
		.min = options->min,
		.wait = options->wait,
		.ignores_stacks = options->no_stacks,
		.sort = options->sort,
		.lengths.by = options->by >= BY_CPU ? BY_NOTHING : (enum grouping)options->by,
		.by_group = options->by == BY_CGROUP,
		.timeline.by_cpu = options->by == BY_CPU,
		.cycles.period = options->period,
		.tail.per = options->per,
		.events.filter = options->filter,
		.shows_evidence = options->has_evidence,
		.at_trigger = options->at,
	};

	asked.has_from_day =
		window_end_read(options->from, &asked.from, &asked.from_day, &asked.from_mark);
	asked.has_to_day = window_end_read(options->to, &asked.to, &asked.to_day, &asked.to_mark);
	asked.shows_times_of_day = options->is_absolute;
	asked.shows_links = options->has_links || (presenter && presenter->has_links);
	asked.shows_data = presenter && presenter->has_data;
	asked.summary.is_short = options->is_short;
	asked.lengths.are_shown = options->has_histogram || asked.lengths.by != BY_NOTHING;
	(void)fold_limit_read(options, &asked.fold_limit);
	for (size_t i = 0; analyses[i]; i++) {
		/* a spurious wakeup would divide the wait that a unit of work is slow by */
		if (options->views[i].is_given && analyses[i] == &tail_analysis &&
		    asked.fold_limit == 0) {
			asked.fold_limit = FOLD_LIMIT_DEFAULT;
			asked.folds_silently = true;
		}
		if (options->views[i].text)
			analyses[i]->take_argument(&asked, options->views[i].text);
		asked.path.is_given |= options->views[i].is_given && view_is_path(analyses[i]);
	}
	return asked;
}

/* Functions of programs are named only if the recording has maps of programs, or --symfs is
   given. */
static int load_users_of(const struct report_options *options, const struct recording_notes *notes,
                         struct user_frames **ret)
{
	if (notes->user_maps.count == 0 && !options->symfs)
		return 0;
	*ret = user_frames_new(notes, options->symfs);
	if (*ret)
		return 0;
	return message_fail(-EINVAL, "report: --symfs %s: %s", options->symfs, strerror(errno));
}

int report_options_load(const struct report_options *options, struct loaded *loaded)
{
	const struct source *source = loaded->source;
	int r = 0;

	loaded->threads = options->threads;
	if (source->part_count == 0)
		return load_users_of(options, &source->notes, &loaded->users[0]);
	for (size_t i = 0; i < source->part_count && r == 0; i++)
		r = load_users_of(options, &source->parts[i].source->notes, &loaded->users[i]);
	return r;
}

static void put_cause_step(const char *line)
{
	(void)fputs(line, stderr);
}

int report_options_ask(const struct report_options *options, struct report_run *run)
{
	if (options->through_polls && options->no_through_polls)
		return message_fail(-EINVAL, "report: --through-polls and --no-through-polls "
		                    "contradict each other: leave one out");
	run->exporting.exporter = exporter_find(options->format);
	ask_views(options, run);
	for (size_t i = 0; i < run->view_count; i++)
		run->exporting.has_path |= view_is_path(run->view[i].analysis);
	if (options->sort && check_sort(options->sort, run) < 0)
		return -EINVAL;
	warn_unheeded(options, run);
	if (run->exporting.exporter)
		warn_of_export(options, run);
	else
		warn_of_format(options, run);
	if (options->is_absolute && !format_has_instants(options->format))
		message_warning("report: --absolute has no effect with --format %s",
		                options->format);
	if (options->is_packed && !run->exporting.exporter)
		message_warning("report: --compress has no effect without --format perfetto");
	run->no_submitters = options->no_submitters;
	run->through_polls = options->no_through_polls ? POLLS_NEVER
	                     : options->through_polls  ? POLLS_ALL
	                                               : POLLS_IF_CERTAIN;
	run->put_cause_step = options->debugs_causes ? put_cause_step : NULL;
	return 0;
}
