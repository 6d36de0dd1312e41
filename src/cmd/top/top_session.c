/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "cmd/commands.h"
#include "cmd/end_signals.h"
#include "live/top_json.h"
#include "live/top_text.h"
#include "source/stream/live_source.h"
#include "cmd/memory_end.h"
#include "cmd/terminal.h"
#include "cmd/top_chain.h"
#include "words/time_scale.h"

/* Of the chains that Enter shows, and of nothing else. */
#define HISTORY_BYTES (4u << 20)
#define INTERVAL_MAX  UINT64_C(3600000000000)
#define SAID_BYTES_MAX 4096

/* CPU time of this process and of the recorder. */
static nsec_t own_cpu_time(const struct top_session *session)
{
	struct rusage usage;
	nsec_t time = recorder_process_cpu_time(&session->recorder);

	(void)getrusage(RUSAGE_SELF, &usage);
	time += (nsec_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u;
	return time + (nsec_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u;
}

/* The time of day at an instant of the records; 0: not known. */
static uint64_t day_time(const struct top_session *session, nsec_t at)
{
	return session->source->realtime.count ? time_scale_real(&session->source->realtime, at)
	                                       : 0;
}

static void shot_fill(struct top_session *session, struct top_shot *shot)
{
	struct live_run_counts counts = live_run_counts(session->run);
	nsec_t cpu_time = own_cpu_time(session);

	shot->day_ns = day_time(session, shot->end);
	shot->host = session->source->host;
	shot->kernel = session->source->kernel;
	shot->cpu_count = session->source->cpu_count;
	shot->events = counts.events - session->counts.events;
	shot->lost = counts.lost - session->counts.lost;
	shot->has_own_cpu = session->recorder.pid != 0;
	if (shot->end > shot->begin)
		shot->own_cpu = (double)(cpu_time - session->cpu_time) /
		                (double)(shot->end - shot->begin);
	shot->note = session->note.length ? session->note.text : NULL;
	session->counts = counts;
	session->cpu_time = cpu_time;
}

static void shot_show(struct top_session *session, const struct top_shot *shot)
{
	struct presenter_options options = {
		.top = session->row_limit,
		.width = terminal_width(stdout),
		.utf8 = terminal_has_utf8(),
	};
	_cleanup_(freep) struct top_row *rows = NULL;
	struct top_shot sorted = *shot;

	if (top_display_is_on(session->display)) {
		top_display_take(session->display, shot);
		return;
	}
	options.is_ascii = options.width > 0 && !options.utf8;
	sorted.row = rows = top_sort_rows(shot, session->sort);
	if (session->form == TOP_JSON)
		top_json_put(stdout, &sorted, session->row_limit);
	else
		top_text_put(stdout, &options, &sorted);
	(void)fflush(stdout);
}

/* What costs more than it may is made half as often. */
static void session_spare_cpu(struct top_session *session, const struct top_shot *shot)
{
	buffer_clear(&session->note);
	if (shot->has_own_cpu &&
	    top_pace_take(&session->pace, shot->begin, shot->end, shot->own_cpu))
		buffer_printf(&session->note, "own CPU above 2 %%: the interval is %s now",
		              DURATION_TEXT(session->pace.interval));
}

static void session_end_interval(struct top_session *session, nsec_t end)
{
	struct top_shot shot;

	top_sums_take(session->sums, end, &shot);
	shot_fill(session, &shot);
	shot_show(session, &shot);
	session_spare_cpu(session, &shot);
	session->begin = end;
	session->shown++;
	if (live_run_renew(session->run))
		top_sums_turn(session->sums);
}

/* A line about a recording that is over stays for the end, too: the screen goes. */
static void session_say_saved(struct top_session *session, const struct buffer *line)
{
	buffer_append(&session->saved, line->text, line->length);
	buffer_putc(&session->saved, '\n');
}

static void session_save(struct top_session *session)
{
	_cleanup_(buffer_release) struct buffer said = {0};
	bool was_fine = top_ring_is_fine(session->ring);

	buffer_init(&said, SAID_BYTES_MAX);
	top_ring_save(session->ring, session->run, session->source, &said);
	if (was_fine && !top_ring_is_fine(session->ring))
		session_say_saved(session, &said);
	if (session->recorder.pid && top_ring_writer(session->ring)) {
		session->own[1] = (int32_t)top_ring_writer(session->ring);
		session->wanted.own_count = ARRAY_SIZE(session->own);
	}
	top_screen_say(top_display_screen(session->display), said.text);
}

static void session_poll_saving(struct top_session *session)
{
	_cleanup_(buffer_release) struct buffer said = {0};

	buffer_init(&said, SAID_BYTES_MAX);
	if (!session->ring || !top_ring_poll(session->ring, &said))
		return;
	session_say_saved(session, &said);
	top_display_say(session->display, said.text);
}

/* The recorder says how far it got once an interval, or more often: then the interval ends. */
static bool on_reached(void *state, nsec_t reached)
{
	struct top_session *session = state;

	live_run_reach(session->run, reached);
	if (session->begin == 0)
		session->begin = live_run_timeline(session->run)->begin;
	if (session->ring && session->begin)
		top_ring_reach(session->ring, session->run, session->source, reached);
	session_poll_saving(session);
	if (session->begin &&
	    (reached - session->begin >= session->pace.interval - session->pace.interval / 8 ||
	     live_run_is_crowded(session->run)))
		session_end_interval(session, reached);
	session->is_stopped = end_signals_came() || ferror(stdout) ||
	                      (session->count > 0 && session->shown >= session->count);
	return !session->is_stopped;
}

static void session_next_by(struct top_session *session)
{
	session->by = session->by == TOP_BY_COMM   ? TOP_BY_TASK
	              : session->by == TOP_BY_TASK ? TOP_BY_CGROUP
	                                           : TOP_BY_COMM;
	top_sums_set_by(session->sums, session->by);
}

static void session_set_interval(struct top_session *session, nsec_t interval)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	if (interval < session->interval_min || interval > INTERVAL_MAX)
		return;
	session->pace.interval = interval;
	buffer_init(&line, 100);
	buffer_printf(&line, "interval %s", DURATION_TEXT(interval));
	top_screen_say(top_display_screen(session->display), line.text);
}

static void session_show_chain(const struct top_session *session)
{
	struct top_screen *screen = top_display_screen(session->display);
	struct top_selected selected;
	char *text;

	if (!session->run || !top_screen_selected(screen, &selected))
		return;
	text = top_chain_text(session->run, session->source, &selected,
	                      terminal_width(stdout));
	top_screen_show(screen, selected.name, text);
	free(text);
}

/* False: the user wants to quit. */
static bool session_serve(struct top_session *session, enum top_request request)
{
	switch (request) {
	case TOP_REQUEST_QUIT:
		return false;
	case TOP_REQUEST_BY_NEXT:
		session_next_by(session);
		return true;
	case TOP_REQUEST_CHAIN:
		session_show_chain(session);
		return true;
	case TOP_REQUEST_LONGER:
		session_set_interval(session, session->pace.interval * 2);
		return true;
	case TOP_REQUEST_SHORTER:
		session_set_interval(session, session->pace.interval / 2);
		return true;
	case TOP_REQUEST_SAVE:
		session_save(session);
		return true;
	case TOP_REQUEST_NONE:
	case TOP_REQUEST_REDRAW:
	default:
		return true;
	}
}

static bool on_pause(void *state)
{
	struct top_session *session = state;
	enum top_request request;

	session->is_stopped = end_signals_came();
	if (!session->source)
		growth_wait_say(&session->growth, "top", "standard input");
	if (!top_display_is_on(session->display))
		return !end_signals_came();
	session_poll_saving(session);
	do {
		request = top_display_next(session->display);
		session->is_stopped |= !session_serve(session, request);
	} while (!session->is_stopped && request != TOP_REQUEST_NONE);
	return !session->is_stopped;
}

static void on_bytes(void *state, const void *bytes, size_t size)
{
	struct top_session *session = state;

	if (session->ring)
		top_ring_take(session->ring, bytes, size);
}

/* Returns its exit status. */
static int session_stop_recorder(struct top_session *session)
{
	int status = recorder_process_stop(&session->recorder);

	recorder_process_print(&session->recorder);
	return status;
}

static int session_open(struct top_session *session, int fd)
{
	const struct live_source_setup setup = {
		.fd = fd,
		.is_growing = session->growth.is_growing,
		.control_fd = top_display_fd(session->display),
		.on_reached = on_reached,
		.on_pause = on_pause,
		.on_bytes = session->ring ? on_bytes : NULL,
		.state = session,
	};
	_cleanup_(buffer_release) struct buffer why = {0};
	int r;

	buffer_init(&why, 1024);
	r = live_source_open(&setup, &session->source, &why);
	if (r == 0 || r == -EINTR)
		return r;
	if (session->recorder.pid == 0)
		message_error("top: standard input: %s", why.text);
	else if (!recorder_process_explains(r, session_stop_recorder(session)))
		message_error("top: the recorder's stream: %s", why.text);
	return r;
}

static void session_read(struct top_session *session)
{
	const struct live_run_setup setup = {
		.source = session->source,
		.history_bytes = HISTORY_BYTES,
		.on_span = top_sums_take_span,
		.state = session->sums,
	};

	session->cpu_time = own_cpu_time(session);
	if (session->display && !top_display_begin(session->display))
		session->ring = top_ring_free(session->ring); /* there are no keys */
	session->run = live_run_new(&setup);
	top_sums_attach(session->sums, session->run);
	live_run_read(session->run);
}

/* What is left of the last interval. */
static void session_end_stream(struct top_session *session)
{
	nsec_t end = live_run_timeline(session->run)->begin ? live_run_last(session->run) : 0;

	if (session->is_stopped || end == 0)
		return;
	if (session->begin == 0)
		session->begin = live_run_timeline(session->run)->begin;
	live_run_reach(session->run, end);
	if (end > session->begin)
		session_end_interval(session, end);
}

/* Says what was wrong with the stream. False: it ended too early. */
static bool session_judge(const struct top_session *session)
{
	const struct source *source = session->source;

	for (size_t i = 0; i < source->note_count; i++)
		message_warning("top: %s", source->notes[i]);
	return session->is_stopped || !source->damaged;
}

/* Waits for what is still being written, and says again what was saved. False: something was
   not. */
static bool session_end_saving(struct top_session *session)
{
	_cleanup_(buffer_release) struct buffer said = {0};
	const char *line, *end;

	if (!session->ring)
		return true;
	buffer_init(&said, SAID_BYTES_MAX);
	if (top_ring_wait(session->ring, &said))
		session_say_saved(session, &said);
	for (line = session->saved.text; (end = strchr(line, '\n')); line = end + 1)
		message_note("%.*s", (int)(end - line), line);
	return top_ring_is_fine(session->ring);
}

static int session_watch(struct top_session *session)
{
	bool is_fine, is_saved, has_recorder = session->recorder.pid != 0;

	session_read(session);
	session_end_stream(session);
	session->display = top_display_end(session->display);
	is_fine = session_stop_recorder(session) == STATUS_FINE;
	is_saved = session_end_saving(session);
	if (!is_fine && has_recorder && !session->is_stopped)
		message_error("top: the recorder ended before its time");
	return session_judge(session) && is_fine && is_saved ? STATUS_FINE : STATUS_FAILED;
}

int top_session_run(struct top_session *session, int fd)
{
	int status = STATUS_FINE, r;

	memory_give_back();
	session->own[0] = (int32_t)getpid();
	session->growth.is_growing = live_source_grows(fd);
	session->wanted.own = session->own;
	session->wanted.own_count = 1;
	buffer_init(&session->note, 200);
	buffer_init(&session->saved, BUFFER_LIMIT_DEFAULT);
	session->sums = top_sums_new(&session->wanted, session->by);
	end_signals_begin();
	if (session->form == TOP_SCREEN) {
		session->display = top_display_new(session->sort);
		session->ring = top_ring_new(fd, session->recorder.pid != 0);
	}
	r = session_open(session, fd);
	if (r == 0)
		status = session_watch(session);
	else if (r != -EINTR)
		status = STATUS_FAILED;
	(void)session_stop_recorder(session);
	session->display = top_display_end(session->display);
	top_sums_free(session->sums);
	live_run_free(session->run);
	source_close(session->source);
	session->ring = top_ring_free(session->ring);
	buffer_release(&session->note);
	buffer_release(&session->saved);
	return status;
}
