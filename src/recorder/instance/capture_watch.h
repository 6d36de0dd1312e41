/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that an instance keeps its settings. Other processes may write to its files: a script may
 * switch all tracing off, or another tool may set clocks. The kernel does not report that, and to
 * the recorder the machine seems quiet. So the settings are checked now and then and at the end,
 * and inotify watches the files in between: nothing else shows that tracing was switched off and on
 * again.
 *
 * Order of calls: capture_watch_init(), which opens files and may block; tracing is switched on;
 * capture_watch_begin(); any number of capture_watch_look(), the last one before tracing is
 * switched off.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "capture_session.h"

enum watch_finding {
	WATCH_TRACING_OFF,
	WATCH_CLOCK,
	WATCH_EVENTS,
	WATCH_FINDINGS, /* their number */
};

#define WATCH_FILES 11

struct capture_watch {
	const struct capture_session *session;
	char *clock;        /* at init, "mono"; owned */
	size_t event_count; /* events enabled at init */
	bool is_reported[WATCH_FINDINGS];
	int notify_fd; /* -1: writes are not watched */
	bool is_written[WATCH_FILES], is_write_reported[WATCH_FILES];
};

void capture_watch_init(struct capture_watch *watch, const struct capture_session *session);
/* Ignores the writes up to now, which are the recorder's own. */
void capture_watch_begin(struct capture_watch *watch);
void capture_watch_release(struct capture_watch *watch);
/* Calls `on_change` with a phrase for each setting first found changed. */
void capture_watch_look(struct capture_watch *watch,
                        void (*on_change)(void *state, const char *text), void *state);
/*
 * The same, but only if a file was written to. For callers that must not block: opening a file of
 * an instance takes a kernel lock that another process holds for as long as it makes or removes an
 * instance on a busy machine.
 */
void capture_watch_poll(struct capture_watch *watch,
                        void (*on_change)(void *state, const char *text), void *state);
