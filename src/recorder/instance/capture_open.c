/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture_session.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "instance_folder.h"
#include "recorder/machine/machine_notes.h"
#include "recorder/machine/text_file.h"
#include "stack_events.h"
#include "tracing_access.h"
#include "words/kernel/kernel_feature.h"

#define BUFFER_BYTES_MOST  (16u << 20) /* the default: filled in about 1 s at full load */
#define BUFFER_BYTES_LEAST (64u << 10)
/* The most that Linux 7.2 accepts. */
#define STRING_BYTES_MOST  "165"
/* All buffers together take at most this part of the free memory: by default, and on request. */
#define MEMORY_SHARE   16
#define MEMORY_CEILING 2

static uint64_t cpu_count_online(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus > 0 ? (uint64_t)cpus : 1;
}

uint64_t capture_buffer_bytes_default(void)
{
	uint64_t share = free_memory_bytes() / MEMORY_SHARE / cpu_count_online();

	if (share > BUFFER_BYTES_MOST)
		return BUFFER_BYTES_MOST;
	return share > BUFFER_BYTES_LEAST ? share : BUFFER_BYTES_LEAST;
}

/* Checks the size, as the kernel grants any size until no memory is left for other processes. */
static int buffer_check(uint64_t bytes, struct buffer *why)
{
	uint64_t cpus = cpu_count_online(), most = free_memory_bytes() / MEMORY_CEILING / cpus;

	if (most == 0 || bytes <= most)
		return 0;
	return buffer_fail(why, -ENOMEM, "buffers of %s for each of %llu CPUs would take more than "
	                   "half of the free memory; take at most %s with -b, or use --force",
	                   SIZE_TEXT(bytes), (unsigned long long)cpus, SIZE_TEXT(most));
}

/* Halves on ENOMEM: a smaller buffer that may lose events is better than no recording. */
static int session_set_buffer(struct capture_session *session,
                              const struct capture_options *options, struct buffer *why)
{
	uint64_t bytes =
	        options->buffer_bytes ? options->buffer_bytes : capture_buffer_bytes_default();
	char wanted[FORMAT_BYTES], kib[32];
	int r = options->is_forced || !options->buffer_bytes ? 0 : buffer_check(bytes, why);

	if (r < 0)
		return r;
	(void)format_size(bytes, wanted);
	for (;;) {
		(void)snprintf(kib, sizeof(kib), "%" PRIu64, (bytes + 1023) / 1024);
		r = text_file_write_at(session->dir, "buffer_size_kb", kib);
		if (r != -ENOMEM || bytes / 2 < BUFFER_BYTES_LEAST)
			break;
		bytes /= 2;
	}
	if (r < 0)
		return buffer_fail(why, r, "cannot allocate a buffer of %s for each CPU "
		                   "(%s/buffer_size_kb: %s); try a smaller one with -b", wanted,
		                   session->dir, strerror(-r));
	if (strcmp(wanted, SIZE_TEXT(bytes)) != 0)
		capture_session_note(session,
		                     "not enough memory for a buffer of %s for each CPU, took %s",
		                     wanted, SIZE_TEXT(bytes));
	session->buffer_bytes = bytes;
	return 0;
}

static int session_set_clock(struct capture_session *session, const char *clock, struct buffer *why)
{
	int r = text_file_write_at(session->dir, "trace_clock", clock);

	if (r == 0)
		return clock_scale_find(session->dir, clock, &session->scale, why);
	if (r != -EINVAL)
		return tracing_denial_explain_file(session->dir, "trace_clock", -r, why);
	buffer_printf(why, "this kernel has no clock \"%s\" (%s/trace_clock: %s); use one of: ",
	              clock, session->dir, strerror(-r));
	clock_names_append(session->dir, why);
	return r;
}

/*
 * Settings that recording can do without: buffer_percent (before 5.0 any event wakes readers) and
 * the options. record-cmd would fill a table for the whole machine at every switch, but the events
 * already have the names.
 */
static void session_set_options(struct capture_session *session)
{
	static const struct {
		const char *file, *value;
	} rows[] = {
		{"buffer_percent", "50"},
		{"options/record-cmd", "0"},
		{"options/overwrite", "1"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int r = text_file_write_at(session->dir, rows[i].file, rows[i].value);

		if (r < 0 && r != -ENOENT)
			capture_session_note(session, "%s/%s: %s", session->dir, rows[i].file,
			             strerror(-r));
	}
}

/* Without this, writes to the instance's own trace_marker are still recorded. */
static void session_copy_marks(struct capture_session *session)
{
	int r = mark_copy_init(&session->marks, session->dir);

	if (r < 0 && r != -ENOENT)
		capture_session_note(session,
		                     "what programs write to trace_marker will not be recorded: %s",
		                     strerror(-r));
}

static void session_hold_buffers(struct capture_session *session)
{
	static const char *const files[] = {"options/disable_on_free", "free_buffer"};
	_cleanup_(freep) char *path = xasprintf("%s/%s", session->dir, files[1]);
	int r = text_file_write_at(session->dir, files[0], "1");

	if (r == 0)
		session->free_buffer_fd = open(path, O_WRONLY | O_CLOEXEC);
	if (session->free_buffer_fd < 0)
		capture_session_note(session,
		                     "%s/%s: %s; if ftwait is killed by force, tracing goes on "
		                     "until \"ftwait cleanup\"",
		                     session->dir, files[r == 0], strerror(r < 0 ? -r : errno));
}

/* The folder "events/system/event" of "system:event". */
static char *event_path(const char *name, const char *file)
{
	char *path = xasprintf("events/%s/%s", name, file);
	char *colon = strchr(path, ':');

	if (colon)
		*colon = '/';
	return path;
}

static bool is_part_filter(const char *filter)
{
	TRACEPOINT_EACH(row) {
		if (row->part_filter == filter)
			return true;
	}
	return false;
}

#define FILTERS_OF_ALL "before Linux %s filters are those of the whole machine"

/* If a filter is not possible that nobody asked for, only time and room are lost: no error. But an
   event of which only a part is wanted is then left out: 1. */
static int session_filter_event(struct capture_session *session,
                                const struct event_selection *selection, size_t event,
                                struct buffer *why)
{
	const char *name = selection->catalog->name[event], *filter = selection->filter[event];
	_cleanup_(freep) char *path = event_path(name, "filter");
	int r;

	if (!filter)
		return 0;
	r = session->has_own_filters ? text_file_write_at(session->dir, path, filter) : -EOPNOTSUPP;
	if (!session->has_own_filters && selection->is_filter_asked[event])
		return buffer_fail(why, r, "%s cannot have a filter: " FILTERS_OF_ALL, name,
		                   kernel_feature_since(FEATURE_OWN_FILTERS));
	if (r == 0 || !selection->is_filter_asked[event])
		return r < 0 && is_part_filter(filter);
	return buffer_fail(why, r, "the kernel refuses \"%s\" as a filter of %s (%s); its fields "
	                   "are in the file format beside events/.../filter in tracefs", filter,
	                   name, strerror(-r));
}

static bool part_has(enum capture_part part, const char *event)
{
	bool is_call = fnmatch(CAPTURE_CALLS_PATTERN, event, 0) == 0 ||
	               tracepoint_names_file(event);

	return part == CAPTURE_ALL || is_call == (part == CAPTURE_CALLS);
}

/* Paths are longer than the strings that the kernel records by default. If it refuses, more of them
   are cut, so that is no error. */
static void session_lengthen_strings(struct capture_session *session,
                                     const struct event_selection *selection)
{
	for (size_t i = 0; i < selection->catalog->count; i++) {
		if (!selection->is_selected[i] ||
		    !tracepoint_names_file(selection->catalog->name[i]))
			continue;
		(void)text_file_write_at(session->dir, CATALOG_STRINGS_FILE, STRING_BYTES_MOST);
		return;
	}
}

static int session_enable_events(struct capture_session *session,
                                 const struct event_selection *selection,
                                 enum capture_part part, struct buffer *why)
{
	size_t enabled = 0, refused = 0;
	const char *first_refused = NULL;
	int r, error = 0;

	for (size_t i = 0; i < selection->catalog->count; i++) {
		_cleanup_(freep) char *path = NULL;

		if (!selection->is_selected[i] || !part_has(part, selection->catalog->name[i]))
			continue;
		r = session_filter_event(session, selection, i, why);
		if (r < 0)
			return r;
		if (r > 0)
			continue;
		path = event_path(selection->catalog->name[i], "enable");
		r = text_file_write_at(session->dir, path, "1");
		if (r == 0) {
			enabled++;
		} else {
			refused++;
			first_refused = first_refused ? first_refused : selection->catalog->name[i];
			error = error ? error : r;
		}
	}
	if (enabled == 0)
		return buffer_fail(why, error ? error : -ENOENT,
		                   "no event could be enabled in %s%s%s", session->dir,
		                   error ? ": " : "", error ? strerror(-error) : "");
	if (refused > 0)
		capture_session_note(session, "the kernel refused %zu of %zu events: %s%s (%s)",
		                     refused, refused + enabled, first_refused,
		                     refused > 1 ? ", ..." : "", strerror(-error));
	return 0;
}

/* The recorder must not trace its own write() calls: each record would cause more records. */
static int session_exclude_self(struct capture_session *session, struct buffer *why)
{
	static const char *const systems[] = {"raw_syscalls", "syscalls"};
	char filter[64];

	if (!session->has_own_filters)
		return buffer_fail(why, -EOPNOTSUPP, "system calls cannot be recorded here: "
		                   "ftwait's own would have to be left out, and " FILTERS_OF_ALL
		                   "; leave out -e syscalls",
		                   kernel_feature_since(FEATURE_OWN_FILTERS));
	(void)snprintf(filter, sizeof(filter), "common_pid != %d", (int)getpid());
	for (size_t i = 0; i < ARRAY_SIZE(systems); i++) {
		_cleanup_(freep) char *path = xasprintf("events/%s/filter", systems[i]);
		int r = text_file_write_at(session->dir, path, filter);

		if (r < 0 && r != -ENOENT)
			capture_session_note(session,
			             "%s/%s: %s; ftwait's own system calls are recorded too",
			             session->dir, path, strerror(-r));
	}
	return 0;
}

static void session_find_page_bytes(struct capture_session *session)
{
	_cleanup_(freep) char *text = text_file_copy_at(session->dir, "buffer_subbuf_size_kb");
	uint64_t kib;

	session->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	if (text && text_number(text, "", 10, &kib) && kib > 0 && kib <= 1024)
		session->page_bytes = (size_t)kib * 1024;
}

static int session_configure(struct capture_session *session, const struct capture_options *options,
                             const struct event_selection *selection, struct buffer *why)
{
	const char *file = "tracing_on";
	bool wants_triggers, has_triggers;
	int r = capture_session_end(session);

	if (r == 0) {
		file = "per_cpu";
		r = instance_cpus_count(session->dir, &session->cpu_count);
	}
	if (r < 0)
		return tracing_denial_explain_file(session->dir, file, -r, why);
	session_hold_buffers(session);
	r = session_set_clock(session, options->clock, why);
	if (r < 0)
		return r;
	session_set_options(session);
	if (options->part != CAPTURE_CALLS && options->part != CAPTURE_STACKS)
		session_copy_marks(session);
	session_find_page_bytes(session);
	r = session_set_buffer(session, options, why);
	if (r < 0)
		return r;
	session->has_own_filters = instance_has_triggers(session->dir);
	if (event_selection_has(selection, "*syscalls:*"))
		r = session_exclude_self(session, why);
	if (r < 0)
		return r;
	session_lengthen_strings(session, selection);
	wants_triggers = options->part == CAPTURE_STACKS ? options->has_profile
	                                                 : options->stacks != 0;
	has_triggers = !wants_triggers || stack_triggers_work(session);
	if (options->part != CAPTURE_STACKS)
		r = session_enable_events(session, selection, options->part, why);
	if (r < 0)
		return r;
	stack_events_set(session, options, has_triggers);
	return 0;
}

int capture_open(const char *dir, const struct capture_options *options,
                 const struct event_selection *selection, struct capture_session **ret,
                 struct buffer *why)
{
	struct capture_session *session;
	int r = 0;

	if (options->prepared)
		session = capture_session_use(options->prepared);
	else
		r = capture_session_make(dir, options->part, &session, why);
	if (r < 0)
		return r;
	r = session_configure(session, options, selection, why);
	if (r < 0)
		(void)capture_session_close(session);
	else
		*ret = session;
	return r;
}
