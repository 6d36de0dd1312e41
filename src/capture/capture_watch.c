/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture_watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "text_file.h"

#define EVENTS_BYTES_MAX (1u << 20)

/* The text of one of the files of the instance; NULL where it cannot be read. */
static char *watch_read(const struct capture_watch *watch, const char *file)
{
	struct buffer text;
	char *copy = NULL;

	buffer_init(&text, EVENTS_BYTES_MAX);
	if (text_file_read_at(watch->session->dir, file, &text) == 0)
		copy = xstrdup(text.text);
	buffer_release(&text);
	return copy;
}

/* "mono" of "local [mono] boot"; NULL where none is marked. */
static char *clock_read(const struct capture_watch *watch)
{
	_cleanup_(freep) char *text = watch_read(watch, "trace_clock");
	char *open = text ? strchr(text, '[') : NULL;

	return open ? xasprintf("%.*s", (int)strcspn(open + 1, "]"), open + 1) : NULL;
}

/* Lines of set_event: an event that is on each. SIZE_MAX where that cannot be read. */
static size_t events_count(const struct capture_watch *watch)
{
	_cleanup_(freep) char *text = watch_read(watch, "set_event");
	size_t count = 0;

	if (!text)
		return SIZE_MAX;
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		count++;
	return count;
}

static char *tracing_find_off(const struct capture_watch *watch)
{
	_cleanup_(freep) char *text = watch_read(watch, "tracing_on");

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

void capture_watch_init(struct capture_watch *watch, const struct capture_session *session)
{
	*watch = (struct capture_watch){.session = session};
	watch->clock = clock_read(watch);
	watch->event_count = events_count(watch);
}

void capture_watch_release(struct capture_watch *watch)
{
	free(watch->clock);
	*watch = (struct capture_watch){0};
}

void capture_watch_look(struct capture_watch *watch,
                        void (*on_change)(void *state, const char *text), void *state)
{
	static char *(*const finders[])(const struct capture_watch *watch) = {
		[WATCH_TRACING_OFF] = tracing_find_off,
		[WATCH_CLOCK] = clock_find_changed,
		[WATCH_EVENTS] = events_find_changed,
	};

	for (size_t i = 0; i < ARRAY_SIZE(finders); i++) {
		_cleanup_(freep) char *text = watch->is_told[i] ? NULL : finders[i](watch);

		if (!text)
			continue;
		watch->is_told[i] = true;
		on_change(state, text);
	}
}
