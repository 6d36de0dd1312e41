/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of report: their values, their checks, and how they are passed to the engine. Lists
 * of values come from the tables of analyses, presenters and kinds of causes, as in help and
 * completion. Errors and warnings are printed here.
 *
 * Order of calls: options_read(), report_options_check(), report_options_open(),
 * report_options_fit(), report_options_asked(), report_options_ask(), which also makes the checks
 * that need the asked views. With --follow, report_options_follow() comes instead of
 * report_options_open().
 */
#pragma once

#include "engine/kept_run.h"
#include "engine/report_run.h"
#include "option_parser.h"

/* A recording that several reports are made of. All is borrowed. */
struct report_served {
	struct loaded *loaded;
	const char *const *files;
	size_t file_count;
	const char *path;      /* what messages call it */
	struct kept_run *kept; /* NULL: it has not been read */
};

/* The options as given; texts are borrowed from argv, except the elements of lists. */
struct report_options {
	struct optional_string views[REPORT_VIEWS_MAX]; /* in the order of `analyses` */

	bool no_submitters, through_polls, no_through_polls, no_stacks, debugs_causes, debugs_kept;
	const char *symfs, *kallsyms;
	struct optional_string fold;
	struct number_list pids, tids, cpus;
	struct string_list comms, cgroups, kinds, ends, names;
	const char *at; /* NULL: not given */
	const char *from, *to; /* a time, a time of day or a mark; NULL: not given */
	nsec_t min, period;
	const char *per; /* NULL: not given */
	const char *filter; /* NULL: not given */
	uint64_t wait;
	bool has_evidence;
	bool is_all, has_histogram, is_short, is_absolute;
	unsigned by; /* enum grouping */

	const char *format, *color, *output, *sort;
	/* Instead of that of the format, which must be text; NULL: that of the format. Borrowed, as
	   is what it gets as presenter_options.own. */
	const struct presenter *presenter;
	void *presenter_own;
	bool has_links; /* as presenter_options has it */
	/* What is open already, and read, for one of several reports; NULL: the operands. */
	const struct report_served *served;
	/* Takes over once the recording is open, instead of a report; returns the exit status.
	   NULL: there is a report. */
	int (*serve)(const struct report_served *served);
	unsigned width; /* of the terminal on which somebody else shows it; 0: that of the output */
	struct optional_string rows; /* the view whose rows are asked for; they are a format */
	bool is_quiet, is_verbose;
	bool is_packed; /* an export is compressed, whatever the name of its file */
	uint64_t top;
	bool no_pager;

	uint64_t threads; /* 0: not given */
	struct optional_string follow; /* its value: the length of a period */
	const char *reader, *input; /* input NULL: the operand */
	bool is_strict, no_seal;
};

#define REPORT_OPTIONS_DEFAULT                 \
	{                                      \
		.format = "text",              \
		.color = "auto",               \
		.reader = "native",            \
		.top = 20,                     \
	}

/* Whether all values are valid; else -EINVAL. Sets what options imply. */
int report_options_check(struct report_options *options);
/* Reads the period of --follow, and checks that it can have the other options; -EINVAL: not. */
int report_options_follow(const struct report_options *options, nsec_t *ret_period);
/* Whether the recording has a time of day and a trigger, as far as the options ask for them; else
   an error is printed. `path`: of the recording. */
bool report_options_fit(const struct report_options *options, const struct source *source,
                        const char *path);
/* Whether what goes to that file is to have colours. */
bool report_options_color(const struct report_options *options, FILE *to);
/* Opens the recording with the asked reader, as source_open() does. Prints nothing. */
int report_options_open(const struct report_options *options, const char *path,
                        struct source **ret, struct buffer *why);
/* What the options ask for. It borrows from them. */
struct asked report_options_asked(const struct report_options *options);
/*
 * Adds the asked views to the run, which is initialised with report_options_asked(), and sets its
 * other members. Returns -EINVAL if the options contradict each other. Warns of options that all
 * asked views ignore. The run borrows from `options`.
 */
int report_options_ask(const struct report_options *options, struct report_run *run);
/* Sets the threads and the names of programs' functions. Returns -EINVAL if the folder of --symfs
   cannot be used. */
int report_options_load(const struct report_options *options, struct loaded *loaded);
