/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether an instance still does what it was told. Others may write to its files - a script that
 * switches all tracing off, a second tool that sets clocks - and the kernel tells nobody: the
 * recorder sees a quiet machine. So its settings are looked at now and then and at the end, and
 * writes to its files are listened for in between: off and on again leaves no other trace.
 *
 * Order of calls: capture_watch_init(), which opens files and may be kept waiting; tracing is
 * switched on; capture_watch_begin(); any number of capture_watch_look(), the last one before
 * tracing is switched off.
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
	char *clock;        /* as it was, "[mono]"; owned */
	size_t event_count; /* events that were on */
	bool is_told[WATCH_FINDINGS];
	int notify_fd; /* -1: nobody tells of writes */
	bool is_written[WATCH_FILES], is_write_told[WATCH_FILES];
};

void capture_watch_init(struct capture_watch *watch, const struct capture_session *session);
/* What was written until now was written by us. */
void capture_watch_begin(struct capture_watch *watch);
void capture_watch_release(struct capture_watch *watch);
/* Calls `on_change` with a phrase for each setting that is found changed for the first time. */
void capture_watch_look(struct capture_watch *watch,
                        void (*on_change)(void *state, const char *text), void *state);
/*
 * The same, but only if something was written to. For those who must not wait: each file of an
 * instance is opened under a lock of the kernel's that also whoever makes or removes another
 * instance holds, for as long as that takes on a busy machine.
 */
void capture_watch_poll(struct capture_watch *watch,
                        void (*on_change)(void *state, const char *text), void *state);
