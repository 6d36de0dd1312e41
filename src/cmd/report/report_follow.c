/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_follow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "base/file/seal.h"
#include "cmd/commands.h"
#include "cmd/end_signals.h"
#include "engine/live_report.h"
#include "cmd/top/growth_wait.h"
#include "cmd/memory_end.h"
#include "source/stream/live_source.h"
#include "source/source.h"
#include "cmd/terminal.h"

/* If a view uses the history; a period that needs more of it is reported in pieces. */
#define HISTORY_BYTES (64u << 20)

struct follow {
	const struct report_options *options;
	const char *path;
	nsec_t period;
	struct growth_wait growth; /* of the input */
	struct source *source;
	struct report_run plan; /* the views and options of each report */
	struct live_run *run;
	struct live_report piece;
	bool is_impaired; /* a report was */
	bool has_blocks;  /* something was printed */
};

static void piece_show(struct follow *follow)
{
	const struct report_options *options = follow->options;
	struct report_form form = {
		.out = stdout,
		.presenter = presenter_find(options->format),
		.options = {
			.color = report_options_color(options, stdout),
			.width = terminal_width(stdout),
			.utf8 = terminal_has_utf8(),
			.top = (unsigned)options->top,
			.views = (unsigned)follow->plan.view_count,
			.is_verbose = options->is_verbose,
		},
		.file = follow->path,
	};

	form.options.is_ascii = form.options.width > 0 && !form.options.utf8;
	if (follow->has_blocks && strcmp(options->format, "text") == 0)
		(void)fputc('\n', stdout);
	report_run_show(&follow->piece.report, &form);
	(void)fflush(stdout);
	follow->has_blocks = true;
}

/* A task or a wait that is asked for may come later. */
static void piece_explain_lack(const struct follow *follow, const char *why)
{
	const struct report_period *period = &follow->piece.report.period;
	nsec_t first = live_run_first(follow->run);

	message_warning("report: %s, %s to %s s: %s", follow->path,
	                INSTANT_TEXT(period->begin - first), INSTANT_TEXT(period->end - first),
	                why);
}

static void piece_report(struct follow *follow)
{
	_cleanup_(buffer_release) struct buffer why = {0};
	struct live_report *piece = &follow->piece;

	buffer_init(&why, 1024);
	live_report_end(piece);
	follow->is_impaired |= health_is_impaired(&piece->report.health);
	if (report_run_has_answers(&piece->report, &why))
		piece_show(follow);
	else
		piece_explain_lack(follow, why.text);
	live_report_release(piece);
}

static void on_period(void *state)
{
	struct follow *follow = state;

	piece_report(follow);
	(void)live_run_renew(follow->run);
	live_report_begin(&follow->piece, follow->run, &follow->plan, live_run_last(follow->run));
}

static void on_span(void *state, const struct span *span)
{
	struct follow *follow = state;

	live_report_take_span(&follow->piece, span);
}

static void on_interval(void *state, const struct interval *interval)
{
	struct follow *follow = state;

	live_report_take_interval(&follow->piece, interval);
}

static bool on_reached(void *state, nsec_t reached)
{
	struct follow *follow = state;

	live_run_reach(follow->run, reached);
	return !end_signals_came() && !ferror(stdout);
}

static bool on_pause(void *state)
{
	struct follow *follow = state;

	if (!follow->source)
		growth_wait_say(&follow->growth, "report", follow->path);
	return !end_signals_came();
}

/* What is left of the last period. */
static void follow_end(struct follow *follow)
{
	nsec_t begin = follow->piece.begin, last = live_run_last(follow->run);
	bool has_events = live_run_first(follow->run) != NSEC_NEVER;

	/* a stream that ended without any event is reported, as a file without any is */
	if ((!has_events && end_signals_came()) || (begin != NSEC_NEVER && last <= begin)) {
		live_report_release(&follow->piece);
		return;
	}
	live_run_reach(follow->run, last);
	piece_report(follow);
}

static void follow_read(struct follow *follow)
{
	struct live_run_setup setup = {
		.source = follow->source,
		.history_bytes = report_run_likes_history(&follow->plan) ? HISTORY_BYTES : 0,
		.on_span = on_span,
		.on_interval = on_interval,
		.period = follow->period,
		.on_period = on_period,
		.state = follow,
	};

	for (size_t i = 0; i < follow->plan.view_count; i++)
		setup.interval_kinds |= follow->plan.view[i].analysis->interval_kinds;
	follow->run = live_run_new(&setup);
	live_report_begin(&follow->piece, follow->run, &follow->plan, NSEC_NEVER);
	live_run_read(follow->run);
	follow_end(follow);
	follow->run = live_run_free(follow->run);
}

/* What was wrong with the stream is printed, as it may have come after the last report. */
static int follow_status(const struct follow *follow)
{
	const struct source *source = follow->source;
	bool has_failed = source->failure && source->failure->error;

	for (size_t i = 0; i < source->note_count; i++)
		message_warning("report: %s: %s", follow->path, source->notes[i]);
	if (follow->options->is_strict && (follow->is_impaired || source->damaged))
		return STATUS_IMPAIRED;
	return has_failed ? STATUS_FAILED : STATUS_FINE;
}

static int follow_source(struct follow *follow)
{
	const struct asked asked = report_options_asked(follow->options);
	int status = STATUS_USAGE;

	if (!report_options_fit(follow->options, follow->source, follow->path))
		return STATUS_FAILED;
	report_run_init(&follow->plan, follow->source, &asked);
	if (report_options_ask(follow->options, &follow->plan) == 0) {
		if (!follow->options->no_seal)
			(void)seal_begin(-1);
		follow_read(follow);
		status = follow_status(follow);
	}
	report_run_release(&follow->plan);
	return status;
}

static int follow_open(struct follow *follow, int fd)
{
	const struct live_source_setup setup = {
		.fd = fd,
		.is_growing = follow->growth.is_growing,
		.control_fd = -1,
		.on_reached = on_reached,
		.on_pause = on_pause,
		.state = follow,
	};
	_cleanup_(buffer_release) struct buffer why = {0};
	int r;

	buffer_init(&why, 1024);
	r = live_source_open(&setup, &follow->source, &why);
	if (r < 0 && r != -EINTR)
		message_error("report: %s: %s", follow->path, why.text);
	return r;
}

int report_follow(const struct report_options *options, const char *path)
{
	bool is_standard = strcmp(path, "-") == 0;
	struct follow follow = {
		.options = options,
		.path = is_standard ? "standard input" : path,
	};
	_cleanup_(closep) int fd = -1;
	int status = STATUS_FAILED, r;

	if (report_options_follow(options, &follow.period) < 0)
		return STATUS_USAGE;
	fd = is_standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
	                 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		message_error("report: %s: %s", follow.path, strerror(errno));
		return STATUS_FAILED;
	}
	memory_give_back();
	end_signals_begin();
	follow.growth.is_growing = live_source_grows(fd);
	r = follow_open(&follow, fd);
	if (r == -EINTR)
		status = STATUS_FINE;
	else if (r == 0)
		status = follow_source(&follow);
	source_close(follow.source);
	return status;
}
