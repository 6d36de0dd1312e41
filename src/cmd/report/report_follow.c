/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/seal.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "cmd/commands.h"
#include "cmd/live_reading.h"
#include "cmd/memory_end.h"
#include "cmd/options/report_options.h"
#include "cmd/terminal.h"
#include "engine/live_report.h"
#include "source/file/input_file.h"
#include "source/file/json_trace.h"
#include "source/source.h"
#include "source/stream/live_source.h"
#include "source/text/text_probe.h"
#include "source/text/text_source.h"

/* If a view uses the history; a period that needs more of it is reported in pieces. */
#define HISTORY_BYTES (64u << 20)
#define PEEK_BYTES    1024

struct follow {
	const struct report_options *options;
	const char *path;
	nsec_t period;
	bool is_text; /* the input is */
	struct growth_wait growth; /* of the input */
	struct source *source;
	struct loaded loaded;
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
			.top = (unsigned)options->top,
			.views = (unsigned)follow->plan.view_count,
			.is_verbose = options->is_verbose,
		},
		.file = follow->path,
	};

	terminal_fit(stdout, &form.options);
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
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	struct live_report *piece = &follow->piece;

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
	live_run_end(follow->run);
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
	bool has_failed = source->health.failure && source->health.failure->error;

	/* each report has the notes on text, of which most say what no text has */
	if (follow->is_text && source->health.damage)
		message_warning("report: %s: %s", follow->path, source->health.damage);
	for (size_t i = 0; !follow->is_text && i < source->health.note_count; i++)
		message_warning("report: %s: %s", follow->path, source->health.notes[i]);
	if (follow->options->is_strict && (follow->is_impaired || source->health.damaged))
		return STATUS_IMPAIRED;
	return has_failed ? STATUS_FAILED : STATUS_FINE;
}

static int follow_source(struct follow *follow)
{
	const struct asked asked = report_options_asked(follow->options);
	int status = STATUS_USAGE;

	if (!report_options_fit(follow->options, follow->source, follow->path))
		return STATUS_FAILED;
	loaded_init(&follow->loaded, follow->source);
	report_run_init(&follow->plan, &follow->loaded, &asked);
	if (report_options_ask(follow->options, &follow->plan) == 0 &&
	    report_options_load(follow->options, &follow->loaded) == 0) {
		if (!follow->options->no_seal)
			(void)seal_begin(-1);
		follow_read(follow);
		status = follow_status(follow);
	}
	report_run_release(&follow->plan);
	loaded_release(&follow->loaded);
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
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	int r;

	r = (follow->is_text ? text_open_live : live_source_open)(&setup, &follow->source, &why);
	if (r < 0 && r != -EINTR)
		message_error("report: %s: %s", follow->path, why.text);
	return r;
}

/* Reads the first bytes of a pipe, when they come, and leaves them in it. */
static ssize_t pipe_peek(int fd, char *to, size_t size)
{
	struct pollfd polled = {.fd = fd, .events = POLLIN};
	ssize_t got = -1;
	int copy[2];

	if (poll(&polled, 1, -1) <= 0 || pipe2(copy, O_CLOEXEC) < 0)
		return -1;
	if (tee(fd, copy[1], size, SPLICE_F_NONBLOCK) > 0)
		got = read(copy[0], to, size);
	(void)close(copy[0]);
	(void)close(copy[1]);
	return got;
}

enum input_kind {
	INPUT_STREAM, /* or something else, which is refused like a stream */
	INPUT_TEXT,
	INPUT_JSON,
};

static enum input_kind input_kind_of(int fd)
{
	char head[PEEK_BYTES];
	struct stat status;
	ssize_t got = -1;

	if (input_place_of(fd).is_pipe) /* it cannot be read twice */
		return INPUT_TEXT;
	if (fstat(fd, &status) == 0)
		got = S_ISFIFO(status.st_mode) ? pipe_peek(fd, head, sizeof(head))
		                               : pread(fd, head, sizeof(head), 0);
	if (got <= 0 || !text_probe_is_text(head, (size_t)got))
		return INPUT_STREAM;
	return json_trace_is(head, (size_t)got) ? INPUT_JSON : INPUT_TEXT;
}

int report_follow(const struct report_options *options, const char *path)
{
	bool is_standard = strcmp(path, "-") == 0;
	struct follow follow = {
		.options = options,
		.path = is_standard ? "standard input" : path,
	};
	_cleanup_(closep) int fd = -1;
	enum input_kind kind;
	int status = STATUS_FAILED, r;

	if (report_options_follow(options, &follow.period) < 0)
		return STATUS_USAGE;
	fd = is_standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
	                 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return message_fail(STATUS_FAILED, "report: %s: %s", follow.path, strerror(errno));
	memory_give_back();
	end_signals_begin();
	kind = input_kind_of(fd);
	if (kind == INPUT_JSON) { /* the text in a trace of Chrome is one string, at its end */
		message_warning("report: %s: it is JSON, which is reported on once, when it ends",
		                follow.path);
		return report_file(options, path, NULL);
	}
	follow.is_text = kind == INPUT_TEXT;
	follow.growth.is_growing = !follow.is_text && live_source_grows(fd);
	r = follow_open(&follow, fd);
	if (r == -EINTR)
		status = STATUS_FINE;
	else if (r == 0)
		status = follow_source(&follow);
	source_close(follow.source);
	return status;
}
