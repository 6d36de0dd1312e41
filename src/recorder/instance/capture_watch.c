/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture_watch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"

#define NOTIFY_BYTES 4096

/* Files of an instance that decide what its buffers contain, and the finding that covers a
   change. */
static const struct {
	const char *name;
	enum watch_finding finding; /* WATCH_FINDINGS: none */
} files[] = {
	{"tracing_on", WATCH_TRACING_OFF},
	{"trace_clock", WATCH_CLOCK},
	{"set_event", WATCH_EVENTS},
	{"set_event_pid", WATCH_FINDINGS},
	{"set_event_notrace_pid", WATCH_FINDINGS},
	{"tracing_cpumask", WATCH_FINDINGS},
	{"trace", WATCH_FINDINGS}, /* empties the buffers */
	{"free_buffer", WATCH_TRACING_OFF},
	{"buffer_size_kb", WATCH_FINDINGS},
	{"buffer_subbuf_size_kb", WATCH_FINDINGS},
	{"current_tracer", WATCH_FINDINGS},
};
static_assert(ARRAY_SIZE(files) == WATCH_FILES, "a row for each file");

/* "mono" of "local [mono] boot"; NULL if none is marked. */
static char *clock_read(const struct capture_watch *watch)
{
	_cleanup_(freep) char *text = text_file_copy_at(watch->session->dir, "trace_clock");
	char *open = text ? strchr(text, '[') : NULL;

	return open ? xasprintf("%.*s", (int)strcspn(open + 1, "]"), open + 1) : NULL;
}

/* Counts the lines of set_event, one for each enabled event. SIZE_MAX if it cannot be read. */
static size_t events_count(const struct capture_watch *watch)
{
	_cleanup_(freep) char *text = text_file_copy_at(watch->session->dir, "set_event");
	size_t count = 0;

	if (!text)
		return SIZE_MAX;
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		count++;
	return count;
}

static char *tracing_find_off(const struct capture_watch *watch)
{
	_cleanup_(freep) char *text = text_file_copy_at(watch->session->dir, "tracing_on");

	return text && text[0] == '0' ? xstrdup("tracing was switched off") : NULL;
}

static char *clock_find_changed(const struct capture_watch *watch)
{
	_cleanup_(freep) char *clock = clock_read(watch);

	if (!clock || !watch->clock || strcmp(clock, watch->clock) == 0)
		return NULL;
	return xasprintf("the clock was changed from %s to %s, which empties the buffers: what "
	                 "stood in them is lost, and times before and after do not compare",
	                 watch->clock, clock);
}

static char *events_find_changed(const struct capture_watch *watch)
{
	size_t count = events_count(watch);

	if (count == SIZE_MAX || watch->event_count == SIZE_MAX || count == watch->event_count)
		return NULL;
	return xasprintf("events were switched %s: %zu are on, %zu were",
	                 count < watch->event_count ? "off" : "on", count, watch->event_count);
}

/* If the kernel refuses it (a limit of the user, an old kernel), only lasting changes are found. */
static int notify_open(const char *dir)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	if (fd >= 0 && inotify_add_watch(fd, dir, IN_MODIFY) < 0) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

/* Whether any file was written to since the last call. */
static bool notify_read(struct capture_watch *watch)
{
	_Alignas(struct inotify_event) char bytes[NOTIFY_BYTES];
	bool is_news = false;
	ssize_t got;

	while (watch->notify_fd >= 0 && (got = read(watch->notify_fd, bytes, sizeof(bytes))) > 0) {
		const struct inotify_event *event;

		for (char *at = bytes; at < bytes + got; at += sizeof(*event) + event->len) {
			event = (const struct inotify_event *)(const void *)at;
			if (event->len == 0)
				continue;
			for (size_t i = 0; i < WATCH_FILES; i++)
				watch->is_written[i] |= strcmp(event->name, files[i].name) == 0;
			is_news = true;
		}
	}
	return is_news;
}

void capture_watch_init(struct capture_watch *watch, const struct capture_session *session)
{
	*watch = (struct capture_watch){.session = session};
	watch->notify_fd = notify_open(session->dir);
	watch->clock = clock_read(watch);
	watch->event_count = events_count(watch);
}

void capture_watch_begin(struct capture_watch *watch)
{
	(void)notify_read(watch);
	for (size_t i = 0; i < WATCH_FILES; i++)
		watch->is_written[i] = false;
}

void capture_watch_release(struct capture_watch *watch)
{
	if (watch->session && watch->notify_fd >= 0)
		(void)close(watch->notify_fd);
	free(watch->clock);
	*watch = (struct capture_watch){0};
}

/* Reports files that were written to, unless a finding already covers the change. */
static void watch_report_written(struct capture_watch *watch,
                                 void (*on_change)(void *state, const char *text), void *state)
{
	for (size_t i = 0; i < WATCH_FILES; i++) {
		_cleanup_(freep) char *text = NULL;

		if (!watch->is_written[i] || watch->is_write_reported[i])
			continue;
		watch->is_write_reported[i] = true;
		if (files[i].finding != WATCH_FINDINGS && watch->is_reported[files[i].finding])
			continue;
		text = xasprintf("%s was written to; events may be missing that are not counted "
		                 "as lost", files[i].name);
		on_change(state, text);
	}
}

void capture_watch_look(struct capture_watch *watch,
                        void (*on_change)(void *state, const char *text), void *state)
{
	static char *(*const finders[])(const struct capture_watch *watch) = {
		[WATCH_TRACING_OFF] = tracing_find_off,
		[WATCH_CLOCK] = clock_find_changed,
		[WATCH_EVENTS] = events_find_changed,
	};

	(void)notify_read(watch);
	for (size_t i = 0; i < ARRAY_SIZE(finders); i++) {
		_cleanup_(freep) char *text = watch->is_reported[i] ? NULL : finders[i](watch);

		if (!text)
			continue;
		watch->is_reported[i] = true;
		on_change(state, text);
	}
	watch_report_written(watch, on_change, state);
}

void capture_watch_poll(struct capture_watch *watch,
                        void (*on_change)(void *state, const char *text), void *state)
{
	if (watch->notify_fd < 0 || notify_read(watch))
		capture_watch_look(watch, on_change, state);
}
