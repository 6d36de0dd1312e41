/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "cmd/commands.h"
#include "cmd/memory_end.h"
#include "cmd/screen/screen_terminal.h"
#include "cmd/terminal.h"
#include "engine/live_report.h"
#include "live/top_output.h"
#include "source/stream/live_source.h"
#include "words/time_scale.h"

struct top_display {
	struct screen_terminal terminal;
	struct top_screen *top;
	enum top_sort sort;
};

/* Its rows are sorted so until the user sorts them otherwise. */
static struct top_display *top_display_new(enum top_sort sort)
{
	struct top_display *display = xcalloc(1, sizeof(*display));

	display->sort = sort;
	screen_terminal_init(&display->terminal);
	return display;
}

/* False: there is no terminal for a screen. */
static bool top_display_begin(struct top_display *display)
{
	if (!screen_terminal_begin(&display->terminal))
		return false;
	display->top = top_screen_new(display->sort, terminal_has_utf8());
	return true;
}

/* Whether it has begun; false for NULL. */
static bool top_display_is_on(const struct top_display *display)
{
	return display && display->terminal.screen;
}

/* Gives the terminal back. Accepts NULL; returns NULL. */
static struct top_display *top_display_end(struct top_display *display)
{
	if (!display)
		return NULL;
	screen_terminal_end(&display->terminal);
	top_screen_freep(&display->top);
	free(display);
	return NULL;
}

static void display_draw(struct top_display *display)
{
	if (!screen_terminal_is_ready())
		return;
	top_screen_draw(display->top, display->terminal.screen);
	screen_terminal_flush(&display->terminal);
}

/* Reads what there is. Returns what the next key asks of the caller, who calls again until there is
   nothing more; then it has been drawn. TOP_REQUEST_QUIT also at the end of the terminal. */
static enum top_request top_display_next(struct top_display *display)
{
	enum top_request request;
	int key;

	if (!screen_terminal_take_news(&display->terminal))
		return TOP_REQUEST_QUIT;
	while ((key = screen_terminal_key(&display->terminal)) != KEY_NONE) {
		if (key < 0)
			return TOP_REQUEST_QUIT;
		request = top_screen_key(display->top, key);
		if (request == TOP_REQUEST_REDRAW)
			screen_forget(display->terminal.screen);
		else if (request != TOP_REQUEST_NONE)
			return request;
	}
	display_draw(display);
	return TOP_REQUEST_NONE;
}

/* What a row of `ftwait top` waited for, in chains: the view of `ftwait report --chains`, of what
   the live run still knows. */

#define CHAINS_MAX 20

/* A glob that matches the text and nothing else. */
static void glob_quote(struct buffer *to, const char *text)
{
	for (; *text; text++) {
		if (strchr("*?[\\", *text))
			buffer_putc(to, '\\');
		buffer_putc(to, *text);
	}
}

/* Lines of text, which the caller frees. `width`: columns. The run keeps nothing of it. */
static char *top_chain_text(struct live_run *run, struct source *source,
                     const struct top_selected *selected, unsigned width)
{
	_cleanup_(buffer_release) struct buffer glob = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct asked asked = ASKED_EVERYTHING;
	struct report_form form = {
		.presenter = presenter_find("text"),
		.options = {
			.utf8 = terminal_has_utf8(),
			.width = width,
			.top = CHAINS_MAX,
			.views = 1,
		},
		.file = "now",
	};
	struct report_run report;
	struct loaded loaded;
	const char *globs[1];
	char *text = NULL;
	size_t length;

	glob_quote(&glob, selected->name);
	globs[0] = glob.text;
	if (selected->by == TOP_BY_TASK) {
		asked.tids.number = &selected->tid;
		asked.tids.count = 1;
	} else if (selected->by == TOP_BY_CGROUP) {
		asked.cgroups = globs;
		asked.cgroup_count = 1;
	} else {
		asked.comms = globs;
		asked.comm_count = 1;
	}
	form.options.is_ascii = !form.options.utf8;
	form.out = xopen_memstream(&text, &length);
	loaded_init(&loaded, source);
	report_run_init(&report, &loaded, &asked);
	report_run_ask(&report, analysis_find("chains"));
	live_report_history(run, &report, &form);
	report_run_release(&report);
	loaded_release(&loaded);
	(void)fclose(form.out);
	return text;
}

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
	const struct realtime *realtime = &session->source->notes.realtime;

	return realtime->count ? time_scale_real(realtime, at) : 0;
}

static void shot_fill(struct top_session *session, struct top_shot *shot)
{
	struct live_run_counts counts = live_run_counts(session->run);
	nsec_t cpu_time = own_cpu_time(session);

	shot->day_ns = day_time(session, shot->end);
	shot->host = session->source->notes.machine.host;
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
	struct presenter_options options = {.top = session->row_limit};
	_cleanup_(freep) struct top_row *rows = NULL;
	struct top_shot sorted = *shot;

	if (top_display_is_on(session->display)) {
		top_screen_take(session->display->top, shot);
		display_draw(session->display);
		return;
	}
	terminal_fit(stdout, &options);
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
	top_sums_open(session->sums);
	top_tail_look(&session->tail, end, &shot.requests);
	top_sums_close(session->sums);
	shot_fill(session, &shot);
	shot_show(session, &shot);
	session_spare_cpu(session, &shot);
	session->begin = end;
	session->shown++;
	if (!live_run_renew(session->run))
		return;
	top_sums_turn(session->sums);
	top_tail_begin(&session->tail, live_run_timeline(session->run));
}

/* A line about a recording that is over stays for the end, too: the screen goes. */
static void session_say_saved(struct top_session *session, const struct buffer *line)
{
	buffer_append(&session->saved, line->text, line->length);
	buffer_putc(&session->saved, '\n');
}

static void session_save(struct top_session *session)
{
	_cleanup_(buffer_release) struct buffer said = buffer_of(SAID_BYTES_MAX);
	bool was_fine = top_ring_is_fine(session->ring);

	top_ring_save(session->ring, session->run, session->source, &said);
	if (was_fine && !top_ring_is_fine(session->ring))
		session_say_saved(session, &said);
	if (session->recorder.pid && top_ring_writer(session->ring)) {
		session->own[1] = (int32_t)top_ring_writer(session->ring);
		session->wanted.own_count = ARRAY_SIZE(session->own);
	}
	top_screen_say(session->display->top, said.text);
}

/* What was saved is shown by a process that has the terminal until it ends. */
static void session_browse(struct top_session *session)
{
	struct screen_terminal *terminal = &session->display->terminal;
	_cleanup_(buffer_release) struct buffer said = buffer_of(SAID_BYTES_MAX);
	const char *file = top_ring_file(session->ring);
	int r;

	if (file) {
		screen_terminal_lend(terminal);
		r = top_browser_begin(&session->browser, file, &session->browsed);
		if (r == 0) {
			screen_terminal_watch(terminal, session->browser.fd);
		} else {
			session->is_stopped |= !screen_terminal_begin(terminal);
			buffer_printf(&said, "cannot browse: %s", strerror(-r));
			top_screen_say(session->display->top, said.text);
		}
	}
	free((void *)(uintptr_t)session->browsed.name);
	session->browsed.name = NULL;
}

static void session_ask_browser(struct top_session *session)
{
	struct top_selected selected;

	session_save(session);
	if (session->browsed.name || !top_ring_writer(session->ring) ||
	    !top_screen_selected(session->display->top, &selected))
		return;
	session->browsed = selected;
	session->browsed.name = xstrdup(selected.name);
}

/* True: the terminal is lent to the browser. */
static bool session_is_browsed(struct top_session *session)
{
	_cleanup_(buffer_release) struct buffer said = buffer_of(SAID_BYTES_MAX);

	if (!session->browser.pid)
		return false;
	if (!top_browser_poll(&session->browser, &said))
		return true;
	session->is_stopped |= !screen_terminal_begin(&session->display->terminal);
	if (said.length)
		top_screen_say(session->display->top, said.text);
	return false;
}

static void session_poll_saving(struct top_session *session)
{
	_cleanup_(buffer_release) struct buffer said = buffer_of(SAID_BYTES_MAX);

	if (!session->ring || !top_ring_poll(session->ring, &said))
		return;
	session_say_saved(session, &said);
	top_screen_say(session->display->top, said.text);
	if (session->browsed.name)
		session_browse(session);
	display_draw(session->display);
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
	_cleanup_(buffer_release) struct buffer line = buffer_of(100);

	if (interval < session->interval_min || interval > INTERVAL_MAX)
		return;
	session->pace.interval = interval;
	buffer_printf(&line, "interval %s", DURATION_TEXT(interval));
	top_screen_say(session->display->top, line.text);
}

static void session_show_chain(const struct top_session *session)
{
	struct top_screen *screen = session->display->top;
	struct top_selected selected;
	char *text;

	if (!session->run || !top_screen_selected(screen, &selected))
		return;
	text = top_chain_text(session->run, session->source, &selected, terminal_width(stdout));
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
	case TOP_REQUEST_BROWSE:
		session_ask_browser(session);
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
	if (session_is_browsed(session))
		return !session->is_stopped;
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
		.control_fd = session->display ? session->display->terminal.epoll_fd : -1,
		.on_reached = on_reached,
		.on_pause = on_pause,
		.on_bytes = session->ring ? on_bytes : NULL,
		.state = session,
	};
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	int r = live_source_open(&setup, &session->source, &why);

	if (r == 0 || r == -EINTR)
		return r;
	if (session->recorder.pid == 0)
		message_error("top: standard input: %s", why.text);
	else if (!recorder_process_explains(r, session_stop_recorder(session)))
		message_error("top: the recorder's stream: %s", why.text);
	return r;
}

static void session_on_span(void *state, const struct span *span)
{
	struct top_session *session = state;

	top_sums_take_span(session->sums, span);
}

static void session_on_interval(void *state, const struct interval *interval)
{
	struct top_session *session = state;

	top_tail_take(&session->tail, interval);
}

static void session_read(struct top_session *session)
{
	const struct live_run_setup setup = {
		.source = session->source,
		.history_bytes = HISTORY_BYTES,
		.on_span = session_on_span,
		.on_interval = session_on_interval,
		.interval_kinds = TAIL_REQUEST_INTERVALS,
		.state = session,
	};

	session->cpu_time = own_cpu_time(session);
	if (session->display && !top_display_begin(session->display))
		session->ring = top_ring_free(session->ring); /* there are no keys */
	session->run = live_run_new(&setup);
	top_sums_attach(session->sums, session->run);
	top_tail_init(&session->tail, &session->wanted, session->source);
	top_tail_begin(&session->tail, live_run_timeline(session->run));
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

	for (size_t i = 0; i < source->health.note_count; i++)
		message_warning("top: %s", source->health.notes[i]);
	return session->is_stopped || !source->health.damaged;
}

/* Waits for what is still being written, and says again what was saved. False: something was
   not. */
static bool session_end_saving(struct top_session *session)
{
	_cleanup_(buffer_release) struct buffer said = buffer_of(SAID_BYTES_MAX);
	const char *line, *end;

	if (!session->ring)
		return true;
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
	top_browser_end(&session->browser, session->is_stopped);
	free((void *)(uintptr_t)session->browsed.name);
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
	top_tail_release(&session->tail);
	live_run_free(session->run);
	source_close(session->source);
	session->ring = top_ring_free(session->ring);
	buffer_release(&session->note);
	buffer_release(&session->saved);
	return status;
}
