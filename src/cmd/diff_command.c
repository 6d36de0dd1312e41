/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/text/parse.h"
#include "cmd/report/recordings.h"
#include "commands.h"
#include "compare/cost_diff.h"
#include "compare/tail_diff.h"
#include "engine/report_run.h"
#include "memory_end.h"
#include "views/costs.h"

#define LEAST_DEFAULT "1%"

struct diff_options {
	unsigned by; /* enum diff_by */
	const char *per;               /* as given */
	const struct turn_source *turns; /* of it, and its name; once parsed */
	const char *turn_name;
	bool is_of_tail;
	const char *least, *fail_over; /* as given; NULL: not given */
	double least_part, fail_part;  /* parsed; fail_part: if fail_over is given */
	struct asked_options tasks;
	struct shown_options shown;
};

static const char *by_at(size_t index)
{
	return index < DIFF_BY_COUNT ? row_sources[index].name : NULL;
}

static const char *per_at(size_t index)
{
	return index < DIFF_PER_COUNT ? turn_sources[index].word : NULL;
}

/* Formats that show a comparison, and that this program was built with. */
static const char *format_at(size_t index)
{
	static const char *const formats[] = {"text", "json", "csv", "folded", "html"};

	return index < ARRAY_SIZE(formats) && presenter_find(formats[index]) ? formats[index]
	                                                                     : NULL;
}

static const struct option_row rows[] = {
	OPT_HEADING("What is compared"),
	OPT_CHOICE(0, "by", struct diff_options, by, by_at, "WHAT",
	           "cause: what tasks spent the time on, and which tasks (the default); or chain, "
	           "task, resource, syscall, cgroup"),
	OPT_STRING_OF(0, "per", struct diff_options, per, per_at, "UNIT",
	              "run: whole recordings (the default); or parts of them: mark:NAME, from one "
	              "mark of that name to the next; slice:NAME, by marks of atrace; request; "
	              "syscall:NAME, pair:A/B,by=KEY"),
	OPT_BOOL(0, "tail", struct diff_options, is_of_tail,
	         "what the slow ones are slow by, of requests or of the parts that --per names"),
	OPT_STRING(0, "least", struct diff_options, least, "PERCENT",
	           "sum up costs that are a smaller part of the time (default " LEAST_DEFAULT ")"),
	ASKED_OPTION_ROWS(struct diff_options, tasks),
	OPT_STRING(0, "fail-over", struct diff_options, fail_over, "PERCENT",
	           "exit status 4 if the whole time has grown by more, and that is sure"),
	OPT_HEADING("Output"),
	SHOWN_OPTION_ROWS(struct diff_options, shown, format_at),
	OPT_CONSTANT(0, "folded", struct diff_options, shown.format, "folded",
	             "--format folded"),
	OPT_CONSTANT(0, "html", struct diff_options, shown.format, "html", "--format html"),
};

const struct option_set diff_option_set = {
	.command = "diff",
	.operands = "OLD... -- NEW...",
	.about = "Says what changed between recordings: one against one, or many runs against "
	         "many, which shows what is sure. Two files need no \"--\".",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

/* Prints an error and returns false if it is no percentage. */
static bool part_parse(const char *option, const char *text, double *ret)
{
	if (parse_percent(text, ret) == 0)
		return true;
	return message_fail(false, "diff: --%s %s: not a percentage, like 5%%", option, text);
}

/* Finds what the units are; prints an error and returns false if that cannot be. */
static bool per_is_right(struct diff_options *options)
{
	if (!options->per)
		options->per = options->is_of_tail ? "request" : "run";
	options->turns = turn_source_find(options->per, &options->turn_name);
	if (!options->turns)
		return message_fail(false, "diff: --per %s: no such value; use one of run, "
		                    "mark:NAME, slice:NAME, request, syscall:NAME, pair:A/B,by=KEY",
		                    options->per);
	if (options->is_of_tail && !options->turns->gather)
		return message_fail(false, "diff: --tail: a recording as a whole has no tail; use "
		                    "--per request, mark:NAME, slice:NAME, syscall:NAME, "
		                    "pair:A/B,by=KEY");
	if (options->is_of_tail && presenter_find(options->shown.format)->comparison)
		return message_fail(false, "diff: --tail --format %s: a tail is no picture; use "
		                    "text, json or csv", options->shown.format);
	if (options->is_of_tail &&
	    (options->fail_over || options->least || options->by != DIFF_BY_CAUSE))
		return message_fail(false, "diff: --tail: it knows no --by, --least or --fail-over"
		                    "; `ftwait check` has rules about the tail");
	if (options->turns->gather && !row_sources[options->by].are_divided)
		return message_fail(false, "diff: --by %s: these are not divided among parts of "
		                    "recordings; leave out --per", row_sources[options->by].name);
	return true;
}

static bool options_are_right(struct diff_options *options)
{
	return shown_format_is_known("diff", options->shown.format, format_at) &&
	       per_is_right(options) &&
	       part_parse("least", options->least ? options->least : LEAST_DEFAULT,
	                  &options->least_part) &&
	       (!options->fail_over ||
	        part_parse("fail-over", options->fail_over, &options->fail_part));
}

/* A side while its recordings are read. */
struct taken_side {
	struct cost_diff *diff;
	struct diff_side *side;
	const struct diff_options *options;
};

/* Takes an account from costs, a state of the view of that name; the rows are in another view. */
static void take_account(struct cost_diff *diff, struct run_account *account,
                         const struct report_run *run, const void *costs, const void *rows_view)
{
	run_account_describe(account, &diff->names, costs, run->loaded->source, &run->health,
	                     &run->timeline);
	run_account_take(account, &diff->names, row_sources[diff->by].each, rows_view);
}

/* Takes an account of each turn of a recording. If it has none, appends a phrase to `why`. */
static bool take_turns(const struct taken_side *taken, const struct report_run *run,
                       const char *path, struct buffer *why)
{
	struct cost_diff *diff = taken->diff;
	struct turn_list list = {0};
	bool is_found = diff->per->find(report_run_state(run, run->view_count - 1),
	                                taken->options->turn_name, &list, why);

	for (size_t i = 0; i < list.count; i++) {
		const struct turn *turn = &list.turn[i];
		void *costs = costs_of_stretch(report_run_state(run, 0), turn->track, turn->begin,
		                               turn->end);
		struct run_account *account = diff_side_add(taken->side, path);

		account->is_further = i > 0;
		account->turns = list.what ? intern_adds(&diff->names, list.what) : 0;
		take_account(diff, account, run, costs, costs);
		costs_of_stretch_release(costs);
	}
	turn_list_release(&list);
	return is_found;
}

static bool side_take(void *state, const struct report_run *run, const char *path)
{
	const struct taken_side *taken = state;
	struct cost_diff *diff = taken->diff;
	const struct row_source *by = &row_sources[diff->by];
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);

	if (by->has_sums && !by->has_sums(&run->question, &why))
		return message_fail(false, "diff: --by %s: %s: %s", by->name, path, why.text);
	if (!diff->per->gather) {
		take_account(diff, diff_side_add(taken->side, path), run, report_run_state(run, 0),
		             report_run_state(run, run->view_count - 1));
		return true;
	}
	if (take_turns(taken, run, path, &why))
		return true;
	return message_fail(false, "diff: --per %s: %s: %s", diff->per_value, path, why.text);
}

static bool side_read(struct recordings *recordings, struct cost_diff *diff,
                      const struct diff_options *options, struct diff_side *side,
                      char *const *paths, size_t count)
{
	struct taken_side taken = {diff, side, options};

	return recordings_read(recordings, paths, count, side_take, &taken);
}

/* One empty recording against others would make everything new. */
static bool sides_have_time(const struct cost_diff *diff)
{
	const struct diff_side *sides[] = {&diff->old, &diff->new};

	for (size_t side = 0; side < ARRAY_SIZE(sides); side++) {
		bool has_time = false;

		for (size_t i = 0; i < sides[side]->count; i++)
			has_time |= sides[side]->run[i].wall > 0;
		if (has_time)
			continue;
		return message_fail(false, "diff: %s: nothing in it is of the tasks that are asked "
		                    "for; --all compares all tasks", sides[side]->run[0].path);
	}
	return true;
}

/* A side of a comparison of tails, while its recordings are read. */
struct taken_tail {
	struct tail_diff *diff;
	unsigned side;
};

static bool tail_take(void *state, const struct report_run *run, const char *path)
{
	const struct taken_tail *taken = state;
	const struct tail *tail = report_run_state(run, 1);

	if (tail_diff_take(taken->diff, taken->side, report_run_state(run, 0), tail,
	                   run->loaded->source, &run->health, path))
		return true;
	return message_fail(false, "diff: --per %s: %s: %s", taken->diff->per_value, path,
	                    tail->why.text);
}

static void tail_put(const void *state, const struct output *to)
{
	tail_diff_report(state, to);
}

static int diff_tails(const struct diff_options *options, char *const *old, size_t old_count,
                      char *const *new, size_t new_count)
{
	struct recordings recordings;
	struct tail_diff diff;
	int status = STATUS_FAILED;

	recordings_init(&recordings, "diff", &options->tasks, analysis_find("costs"));
	recordings.asked.tail.per = options->per;
	recordings_ask(&recordings, analysis_find("tail"));
	tail_diff_init(&diff, options->turns, options->per);
	if (recordings_read(&recordings, old, old_count, tail_take,
	                    &(struct taken_tail){&diff, TAIL_OLD}) &&
	    recordings_read(&recordings, new, new_count, tail_take,
	                    &(struct taken_tail){&diff, TAIL_NEW})) {
		tail_diff_make(&diff);
		status = recordings_show(&recordings, &options->shown, old_count, tail_put, &diff);
	}
	tail_diff_release(&diff);
	recordings_release(&recordings);
	return status;
}

static void diff_put(const void *state, const struct output *to)
{
	diff_report(state, to);
}

/* So few runs never fail: better said than taken for a pass. */
static void warn_of_few(const struct cost_diff *diff, const struct diff_options *options)
{
	if (options->fail_over && !cost_diff_wall_can_be_sure(diff))
		message_warning("diff: --fail-over: %zu against %zu cannot show that the time "
		                "grew; five or more a side can",
		                diff->old.count, diff->new.count);
}

/* Whether the time has grown by more than --fail-over allows, for sure. */
static bool has_grown(const struct cost_diff *diff, const struct diff_options *options)
{
	const struct contrast *wall = &diff->wall;

	return options->fail_over && wall->is_tested && wall->p < DIFF_LEVEL &&
	       wall->change.shift > options->fail_part * wall->old;
}

static int diff_files(const struct diff_options *options, char *const *old, size_t old_count,
                      char *const *new, size_t new_count)
{
	const struct row_source *by = &row_sources[options->by];
	struct recordings recordings;
	struct cost_diff diff;
	int status = STATUS_FAILED;

	recordings_init(&recordings, "diff", &options->tasks, analysis_find("costs"));
	recordings.asked.costs.by_group = by->by_group;
	if (strcmp(by->view, "costs") != 0)
		recordings_ask(&recordings, analysis_find(by->view));
	if (options->turns->gather)
		recordings_ask(&recordings, options->turns->gather);
	cost_diff_init(&diff);
	diff.by = (enum diff_by)options->by;
	diff.per = options->turns;
	diff.per_value = options->per;
	diff.least = options->least_part;
	if (side_read(&recordings, &diff, options, &diff.old, old, old_count) &&
	    side_read(&recordings, &diff, options, &diff.new, new, new_count) &&
	    sides_have_time(&diff)) {
		cost_diff_make(&diff);
		status = recordings_show(&recordings, &options->shown, old_count, diff_put, &diff);
		warn_of_few(&diff, options);
		if (status == STATUS_FINE && has_grown(&diff, options))
			status = STATUS_CHANGED;
	}
	cost_diff_release(&diff);
	recordings_release(&recordings);
	return status;
}

/* The files of both sides; prints what is wrong with them. */
static int diff_operands(struct diff_options *options, const struct operands *old,
                         const struct operands *new, bool is_divided)
{
	int (*compare)(const struct diff_options *options, char *const *old, size_t old_count,
	               char *const *new, size_t new_count) = diff_files;

	if (!options_are_right(options))
		return STATUS_USAGE;
	if (options->is_of_tail)
		compare = diff_tails;
	if (!is_divided && old->count == 2)
		return compare(options, old->argv, 1, old->argv + 1, 1);
	if (is_divided && old->count > 0 && new->count > 0)
		return compare(options, old->argv, old->count, new->argv, new->count);
	return message_fail(STATUS_USAGE, "diff: name two recordings, ftwait diff OLD NEW, or "
	                    "several on both sides: ftwait diff OLD... -- NEW...");
}

int diff_command(int argc, char **argv)
{
	struct diff_options options = {.shown = SHOWN_OPTIONS_DEFAULT};
	struct operands old = {0}, new = {0};
	int divide = 1, status;

	while (divide < argc && strcmp(argv[divide], "--") != 0)
		divide++;
	for (int i = divide + 1; i < argc; i++)
		if (strcmp(argv[i], "--") == 0)
			return message_fail(STATUS_USAGE, "diff: more than one \"--\": there are "
			                    "two sides");
	status = options_read(&diff_option_set, divide, argv, &options, &old);
	/* the words behind "--" are files of the other side, and may be options, too */
	if (status == OPTIONS_GO_ON && divide < argc)
		status = options_read(&diff_option_set, argc - divide, argv + divide, &options,
		                      &new);
	if (status != OPTIONS_GO_ON)
		return status;
	memory_end_say("diff", "compare fewer tasks (--comm), or shorter recordings");
	(void)signal(SIGXFSZ, SIG_IGN);
	status = diff_operands(&options, &old, &new, divide < argc);
	options_release(&diff_option_set, &options);
	return status;
}
