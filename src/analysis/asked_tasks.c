/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "asked_tasks.h"

#include <fnmatch.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"
#include "tally/tally.h"
#include "words/time_scale.h"

/* Number of different task names that are compared to find a similar one. */
#define NAMES_MAX 4096
#define BUSIEST_SHOWN 5

static bool asked_track_was_seen(const struct track *track)
{
	return !track->is_idle && track->begin != NSEC_NEVER;
}

/* A task's name that the glob matches if case is ignored, or else is similar to it; NULL: none. */
static const char *name_near(const struct timeline *timeline, const char *glob)
{
	const char **names = xcalloc(NAMES_MAX, sizeof(*names)), *near = NULL;
	bool *is_listed = xcalloc(timeline->names.count, sizeof(*is_listed));
	size_t count = 0;

	for (size_t i = 0; i < timeline->track_count; i++) {
		const struct track *track = &timeline->track[i];

		for (uint32_t n = 0; asked_track_was_seen(track) && n < track->name_count; n++) {
			const char *name = intern_text(&timeline->names, track->name[n].name);

			if (is_listed[track->name[n].name])
				continue;
			is_listed[track->name[n].name] = true;
			if (!near && fnmatch(glob, name, FNM_CASEFOLD) == 0)
				near = name;
			if (count < NAMES_MAX)
				names[count++] = name;
		}
	}
	if (!near)
		near = suggest(glob, names, count);
	free(is_listed);
	free(names);
	return near;
}

/* Appends "; the busiest are gzip, dd": the names of which tasks ran longest. */
static void busiest_append(const struct timeline *timeline, struct buffer *to)
{
	_cleanup_(keyed_sums_release) struct keyed_sums ran;

	keyed_sums_init(&ran, sizeof(struct keyed_sum), SIZE_MAX);
	for (size_t i = 0; i < timeline->track_count; i++) {
		const struct track *track = &timeline->track[i];

		if (asked_track_was_seen(track) && !track->is_recorder)
			keyed_sums_add_time(&ran, track_name(track), track->ran);
	}
	keyed_sums_sort(&ran);
	for (size_t i = 0; i < ran.count && i < BUSIEST_SHOWN; i++) {
		const struct keyed_sum *sum = keyed_sums_at(&ran, i);

		buffer_puts(to, i ? ", " : "; the busiest are ");
		prose_name_append(to, timeline, (uint32_t)sum->key);
	}
}

/* Appends `; did you mean "client"?` if a task's name is similar to the glob: preferably a name
   that differs only in case. Appends nothing, and returns false, if no name is similar. */
static bool asked_name_suggest(const struct timeline *timeline, const char *glob,
                               struct buffer *to)
{
	const char *near = name_near(timeline, glob);

	if (!near)
		return false;
	buffer_puts(to, "; did you mean \"");
	buffer_puts_clean(to, near, strlen(near));
	buffer_puts(to, "\"?");
	return true;
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

/* The name of the machine that the number is asked of; "": of any. */
static const char *number_host(const struct asked_numbers *list, size_t at)
{
	return list->host ? list->host[at] : "";
}

static void number_report(const struct timeline *timeline, const struct asked_numbers *list,
                          size_t at, bool is_of_process, void (*report)(const char *phrase))
{
	const char *host = number_host(list, at);
	int32_t number = list->number[at];
	_cleanup_(buffer_release) struct buffer phrase = {0};

	if (number_is_there(timeline, host, number, is_of_process))
		return;
	buffer_printf(&phrase, "--%s %s%s%d: no such %s in this trace",
	              is_of_process ? "pid" : "tid", host, *host ? ":" : "", (int)number,
	              is_of_process ? "process or task" : "task");
	busiest_append(timeline, &phrase);
	report(phrase.text);
}

/* How many CPUs the machine has that the text before ":" names; the most that one has, if that is
   empty. */
static uint32_t cpus_there(const struct question *question, const char *host)
{
	const struct hosts *hosts = &question->timeline->hosts;
	uint32_t most = 0;

	for (uint32_t i = 0; i == 0 || i < hosts->count; i++) {
		uint32_t count = hosts_cpu_count(hosts, i, question->recording.cpu_count);

		if (host_is_meant(hosts, i, host) && count > most)
			most = count;
	}
	return most;
}

/* "web:7", "2-7" */
static void cpus_append(struct buffer *to, const char *host, int32_t first, int32_t last)
{
	buffer_printf(to, "%s%s%d", host, *host ? ":" : "", (int)first);
	if (last > first)
		buffer_printf(to, "-%d", (int)last);
}

/* A phrase for CPUs that follow each other. */
static void cpus_report(const struct question *question, void (*report)(const char *phrase))
{
	const struct asked_numbers *cpus = &question->asked->cpus;
	size_t next;

	for (size_t i = 0; i < cpus->count; i = next) {
		_cleanup_(buffer_release) struct buffer phrase = {0};
		const char *host = number_host(cpus, i);
		uint32_t there = cpus_there(question, host);

		next = i + 1;
		if ((uint32_t)cpus->number[i] < there)
			continue;
		while (next < cpus->count && cpus->number[next] == cpus->number[next - 1] + 1 &&
		       strcmp(number_host(cpus, next), host) == 0)
			next++;
		buffer_puts(&phrase, "--cpu ");
		cpus_append(&phrase, host, cpus->number[i], cpus->number[next - 1]);
		buffer_puts(&phrase, ": no such CPU in this trace");
		if (there > 0) {
			buffer_printf(&phrase, "; there %s ", there > 1 ? "are CPUs" : "is CPU");
			cpus_append(&phrase, host, 0, (int32_t)there - 1);
		}
		report(phrase.text);
	}
}

void asked_name_lack(const struct timeline *timeline, const char *name, struct buffer *to)
{
	buffer_puts(to, "no task \"");
	buffer_puts_clean(to, name, strlen(name));
	buffer_puts(to, "\"");
	if (!asked_name_suggest(timeline, name, to))
		buffer_puts(to, "; --summary --all --top 0 lists them");
}

static bool group_is_there(const struct timeline *timeline, const char *glob)
{
	for (uint32_t i = 0; i < timeline->track_count; i++)
		if (asked_track_was_seen(&timeline->track[i]) &&
		    timeline_was_in_group(timeline, i, &glob, 1))
			return true;
	return false;
}

static void groups_report(const struct question *question, void (*report)(const char *phrase))
{
	const struct asked *asked = question->asked;

	for (size_t i = 0; i < asked->cgroup_count; i++) {
		_cleanup_(buffer_release) struct buffer phrase = {0};

		if (group_is_there(question->timeline, asked->cgroups[i]))
			continue;
		buffer_printf(&phrase, "--cgroup %s: %s", asked->cgroups[i],
		              question->timeline->groups.stays.count
		                      ? "no task of such a control group in this trace"
		                      : "this recording names no control groups");
		report(phrase.text);
	}
}

/* Says which tasks that fit are left out, as the recording was made for others; or that those which
   fit are not the ones that it was made for. */
static void left_out_report(const struct question *question, void (*report)(const char *phrase))
{
	const struct timeline *timeline = question->timeline;
	const char *targets = question->recording.is_of_command ? "command" : "processes";
	_cleanup_(buffer_release) struct buffer phrase = {0};
	uint64_t targeted = 0, others = 0;

	if (!question_has_filter(question) || question->asked->is_all)
		return;
	for (uint32_t i = 0; i < timeline->track_count; i++) {
		if (!asked_track_was_seen(&timeline->track[i]))
			continue;
		targeted += timeline->track[i].is_target;
		others += !timeline->track[i].is_target && question_filter_fits(question, i);
	}
	if (targeted == 0 || others == 0)
		return;
	if (question->resolved->is_targeted)
		say(&phrase, NULL,
		    "{count} more task{|s} of the asked names or numbers {is|are} not of the "
		    "recorded {text}; --all adds {it|them}", COUNT(others), TEXT(targets));
	else
		say(&phrase, NULL, "the asked {many}task{|s} {is|are} not of the recorded {text}",
		    MANY(others), TEXT(targets));
	report(phrase.text);
}

static bool name_is_asked(const struct question *question, uint32_t name)
{
	for (size_t i = 0; i < question->asked->comm_count; i++)
		if (task_name_fits(question->timeline, name, question->asked->comms[i]))
			return true;
	return false;
}

/* Whether the track, which has the asked name, has others in the window and is shown by one. */
static bool is_renamed(const struct question *question, const struct track *track)
{
	const struct resolved *resolved = question->resolved;
	bool is_other = !name_is_asked(question, timeline_name_at(track, resolved->begin));

	for (uint32_t n = 0; n < track->name_count && !is_other; n++)
		is_other = track->name[n].time > resolved->begin &&
		           track->name[n].time < resolved->end &&
		           !name_is_asked(question, track->name[n].name);
	return is_other && !name_is_asked(question, track_name(track));
}

/* The time from the first to the last change of name between which the glob matches;
   *ret_begin 0: from the begin, *ret_end NSEC_NEVER: to the end. */
static void name_time(const struct timeline *timeline, const struct track *track, const char *glob,
                      nsec_t *ret_begin, nsec_t *ret_end)
{
	uint32_t first = 0, end = track->name_count;

	while (first < end && !task_name_fits(timeline, track->name[first].name, glob))
		first++;
	while (end > first && !task_name_fits(timeline, track->name[end - 1].name, glob))
		end--;
	*ret_begin = first == 0 ? 0 : track->name[first].time;
	*ret_end = end == track->name_count ? NSEC_NEVER : track->name[end].time;
}

/* "prog[17] had that name until 0.010000 s" */
static void name_time_append(struct buffer *to, const struct question *question, uint32_t track,
                             nsec_t begin, nsec_t end)
{
	const struct instant_form *form = &question->instants;

	say(to, question->timeline,
	    "{task} had that name[ from {instant}[{text}]][ until {instant}[{text}]][{if} for a "
	    "part of its time]",
	    TASK(track), WHEN(begin, INSTANT(form, begin)), TEXT(instant_unit(form)),
	    WHEN(end != NSEC_NEVER, INSTANT(form, end)), TEXT(instant_unit(form)),
	    IF(begin == 0 && end == NSEC_NEVER));
}

/* ": --tid 17 --to 0.010000 shows that time" */
static void name_options_append(struct buffer *to, const struct timeline *timeline, uint32_t track,
                                nsec_t begin, nsec_t end)
{
	_cleanup_(buffer_release) struct buffer tid = {0};

	if (begin == 0 && end == NSEC_NEVER)
		return;
	prose_tid_append(&tid, timeline, track);
	say(to, timeline, ": --tid {text}[ --from {seconds}][ --to {seconds}] shows that time",
	    TEXT(tid.text), WHEN(begin, SECONDS(begin)), WHEN(end != NSEC_NEVER, SECONDS(end)));
}

/* Tasks are shown whole: says of which ones the name was another one for a time. */
static void renamed_report(const struct question *question, const char *glob,
                           void (*report)(const char *phrase))
{
	const struct timeline *timeline = question->timeline;
	_cleanup_(buffer_release) struct buffer phrase = {0};
	uint32_t first = TRACK_NONE;
	uint64_t count = 0;
	nsec_t begin, end;

	for (uint32_t i = 0; i < timeline->track_count; i++) {
		const struct track *track = &timeline->track[i];

		if (!question->resolved->is_asked[i] || !asked_track_was_seen(track) ||
		    !track_is_called(timeline, track, glob) || !is_renamed(question, track))
			continue;
		first = count++ == 0 ? i : first;
	}
	if (count == 0)
		return;
	name_time(timeline, &timeline->track[first], glob, &begin, &end);
	buffer_printf(&phrase, "--comm %s: ", glob);
	if (count > 1)
		buffer_printf(&phrase, "%s tasks had that name only for a time, and are shown "
		                       "whole; ", COUNT_TEXT(count));
	name_time_append(&phrase, question, first, begin, end);
	if (count == 1)
		buffer_puts(&phrase, ", and is shown whole");
	name_options_append(&phrase, timeline, first, begin, end);
	report(phrase.text);
}

static void name_report(const struct question *question, const char *glob,
                        void (*report)(const char *phrase))
{
	const struct timeline *timeline = question->timeline;
	_cleanup_(buffer_release) struct buffer phrase = {0};

	if (name_is_there(timeline, glob)) {
		renamed_report(question, glob, report);
		return;
	}
	buffer_printf(&phrase, "--comm %s: no task of that name in this trace", glob);
	if (!asked_name_suggest(timeline, glob, &phrase))
		busiest_append(timeline, &phrase);
	report(phrase.text);
}

void asked_tasks_report_missing(const struct question *question,
                                void (*report)(const char *phrase))
{
	const struct asked *asked = question->asked;

	for (size_t i = 0; i < asked->comm_count; i++)
		name_report(question, asked->comms[i], report);
	groups_report(question, report);
	for (size_t i = 0; i < asked->pids.count; i++)
		number_report(question->timeline, &asked->pids, i, /* is_of_process= */ true,
		              report);
	for (size_t i = 0; i < asked->tids.count; i++)
		number_report(question->timeline, &asked->tids, i, /* is_of_process= */ false,
		              report);
	cpus_report(question, report);
	left_out_report(question, report);
}

bool asked_tasks_are_absent(const struct question *question)
{
	const struct timeline *timeline = question->timeline;

	for (size_t i = 0; i < timeline->track_count; i++)
		if (question->resolved->is_asked[i] && asked_track_was_seen(&timeline->track[i]))
			return false;
	return question_has_filter(question);
}
