/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "asked_tasks.h"

#include <fnmatch.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/suggest.h"
#include "base/xalloc.h"
#include "graph/timeline_groups.h"
#include "words/control_group_name.h"

/* Number of different task names that are compared to find a similar one. */
#define NAMES_MAX 4096

static bool asked_track_was_seen(const struct track *track)
{
	return !track->is_idle && track->begin != NSEC_NEVER;
}

/* A task's name that the glob matches if case is ignored; NULL: none. */
static const char *name_in_other_case(const struct timeline *timeline, const char *glob)
{
	for (size_t i = 0; i < timeline->track_count; i++) {
		const struct track *track = &timeline->track[i];

		for (uint32_t n = 0; asked_track_was_seen(track) && n < track->name_count; n++) {
			const char *name = intern_text(&timeline->names, track->name[n].name);

			if (fnmatch(glob, name, FNM_CASEFOLD) == 0)
				return name;
		}
	}
	return NULL;
}

static const char *name_near(const struct timeline *timeline, const char *glob)
{
	const char **names = xcalloc(NAMES_MAX, sizeof(*names)), *near;
	bool *is_listed = xcalloc(timeline->names.count, sizeof(*is_listed));
	size_t count = 0;

	for (size_t i = 0; i < timeline->track_count; i++) {
		const struct track *track = &timeline->track[i];

		for (uint32_t n = 0; asked_track_was_seen(track) && n < track->name_count; n++) {
			uint32_t name = track->name[n].name;

			if (is_listed[name] || count == NAMES_MAX)
				continue;
			is_listed[name] = true;
			names[count++] = intern_text(&timeline->names, name);
		}
	}
	near = suggest(glob, names, count);
	free(is_listed);
	free(names);
	return near;
}

void asked_name_suggest(const struct timeline *timeline, const char *glob, struct buffer *to)
{
	const char *near = name_in_other_case(timeline, glob);

	if (!near)
		near = name_near(timeline, glob);
	if (!near)
		return;
	buffer_puts(to, "; did you mean \"");
	buffer_puts_clean(to, near, strlen(near));
	buffer_puts(to, "\"?");
}

static bool name_is_there(const struct timeline *timeline, const char *glob)
{
	for (size_t i = 0; i < timeline->track_count; i++)
		if (asked_track_was_seen(&timeline->track[i]) &&
		    track_is_called(timeline, &timeline->track[i], glob))
			return true;
	return false;
}

static bool number_is_there(const struct timeline *timeline, const char *host, int32_t number,
                            bool is_of_process)
{
	for (size_t i = 0; i < timeline->track_count; i++) {
		const struct track *track = &timeline->track[i];

		if (asked_track_was_seen(track) &&
		    host_is_meant(&timeline->hosts, track->host, host) &&
		    (track->tid == number || (is_of_process && track->tgid == number)))
			return true;
	}
	return false;
}

static void numbers_report(const struct timeline *timeline, const int32_t *number,
                           const char *const *hosts, size_t count, bool is_of_process,
                           void (*report)(void *state, const char *phrase), void *state)
{
	_cleanup_(buffer_release) struct buffer phrase = {0};

	buffer_init(&phrase, 200);
	for (size_t i = 0; i < count; i++) {
		const char *host = hosts ? hosts[i] : "";

		if (number_is_there(timeline, host, number[i], is_of_process))
			continue;
		buffer_clear(&phrase);
		buffer_printf(&phrase, "--%s %s%s%d: no such %s in this trace",
		              is_of_process ? "pid" : "tid", host, *host ? ":" : "",
		              (int)number[i],
		              is_of_process ? "process or task" : "task");
		report(state, phrase.text);
	}
}

void asked_name_lack(const struct timeline *timeline, const char *name, struct buffer *to)
{
	size_t length;

	buffer_puts(to, "no task \"");
	buffer_puts_clean(to, name, strlen(name));
	buffer_puts(to, "\"");
	length = to->length;
	asked_name_suggest(timeline, name, to);
	if (to->length == length)
		buffer_puts(to, "; --summary --all --top 0 lists them");
}

/* A glob of --cgroup. */
static bool group_matches(const void *state, const char *path)
{
	return control_group_matches(path, state);
}

static bool group_is_there(const struct timeline *timeline, const char *glob)
{
	for (uint32_t i = 0; i < timeline->track_count; i++)
		if (asked_track_was_seen(&timeline->track[i]) &&
		    timeline_was_in_group(timeline, i, group_matches, glob))
			return true;
	return false;
}

static void groups_report(const struct question *question,
                          void (*report)(void *state, const char *phrase), void *state)
{
	const struct asked *asked = question->asked;
	_cleanup_(buffer_release) struct buffer phrase = {0};

	buffer_init(&phrase, 8192);
	for (size_t i = 0; i < asked->cgroup_count; i++) {
		if (group_is_there(question->timeline, asked->cgroups[i]))
			continue;
		buffer_clear(&phrase);
		buffer_printf(&phrase, "--cgroup %s: %s", asked->cgroups[i],
		              question->timeline->groups.count
		                      ? "no task of such a control group in this trace"
		                      : "this recording names no control groups");
		report(state, phrase.text);
	}
}

void asked_tasks_report_missing(const struct question *question,
                                void (*report)(void *state, const char *phrase), void *state)
{
	const struct timeline *timeline = question->timeline;
	const struct asked *asked = question->asked;
	_cleanup_(buffer_release) struct buffer phrase = {0};

	buffer_init(&phrase, 1024);
	for (size_t i = 0; i < asked->comm_count; i++) {
		if (name_is_there(timeline, asked->comms[i]))
			continue;
		buffer_clear(&phrase);
		buffer_printf(&phrase, "--comm %s: no task of that name in this trace",
		              asked->comms[i]);
		asked_name_suggest(timeline, asked->comms[i], &phrase);
		report(state, phrase.text);
	}
	groups_report(question, report, state);
	numbers_report(timeline, asked->pids, asked->pid_hosts, asked->pid_count,
	               /* is_of_process= */ true, report, state);
	numbers_report(timeline, asked->tids, asked->tid_hosts, asked->tid_count,
	               /* is_of_process= */ false, report, state);
}
