/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "asked_tasks.h"

#include <fnmatch.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"
#include "tally/tally.h"
#include "words/task_words.h"
#include "words/time_scale.h"

/* Number of different task names that are compared to find a similar one. */
#define NAMES_MAX 4096
#define BUSIEST_SHOWN 5

/* Each track that was seen, by its number. */
#define SEEN_EACH(timeline, index)                                                                 \
	for (uint32_t index = 0; index < (timeline)->track_count; index++)                         \
		if (!(timeline)->track[index].is_idle &&                                           \
		    (timeline)->track[index].begin != NSEC_NEVER)

/* Appends `; did you mean "client"?`: a task's name that the glob matches if case is ignored, or
   else is similar to it. Appends nothing, and returns false, if there is none. */
static bool asked_name_suggest(const struct timeline *timeline, const char *glob,
                               struct buffer *to)
{
	const char **names = xcalloc(NAMES_MAX, sizeof(*names)), *near = NULL;
	bool *is_listed = xcalloc(timeline->names.count, sizeof(*is_listed));
	size_t count = 0;

	SEEN_EACH(timeline, i) {
		const struct track *track = &timeline->track[i];

		for (uint32_t n = 0; n < track->name_count; n++) {
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
	say(to, NULL, "[; did you mean \"{foreign}\"?]", FOREIGN(near));
	return near;
}

/* Appends "; the busiest are gzip, dd": the names of which tasks ran longest. */
static void busiest_append(const struct timeline *timeline, struct buffer *to)
{
	_cleanup_(keyed_sums_release) struct keyed_sums ran;

	keyed_sums_init(&ran, sizeof(struct keyed_sum), SIZE_MAX);
	SEEN_EACH(timeline, i)
		if (!timeline->track[i].is_recorder)
			keyed_sums_add_time(&ran, track_name(&timeline->track[i]),
			                    timeline->track[i].ran);
	keyed_sums_sort(&ran);
	for (size_t i = 0; i < ran.count && i < BUSIEST_SHOWN; i++) {
		const struct keyed_sum *sum = keyed_sums_at(&ran, i);

		buffer_puts(to, i ? ", " : "; the busiest are ");
		prose_name_append(to, timeline, (uint32_t)sum->key);
	}
}

/* The name of the machine that the number is asked of; "": of any. */
static const char *number_host(const struct asked_numbers *list, size_t at)
{
	return list->host ? list->host[at] : "";
}

static void number_lack(const struct timeline *timeline, const struct asked_numbers *list,
                        size_t at, bool is_of_process, struct buffer *to)
{
	const char *host = number_host(list, at);
	int32_t number = list->number[at];

	SEEN_EACH(timeline, i) {
		const struct track *track = &timeline->track[i];

		if (host_is_meant(&timeline->hosts, track->host, host) &&
		    (track->tid == number || (is_of_process && track->tgid == number)))
			return;
	}
	buffer_printf(to, "--%s ", is_of_process ? "pid" : "tid");
	host_number_append(to, host, number);
	buffer_printf(to, ": no such %s in this trace",
	              is_of_process ? "process or task" : "task");
	busiest_append(timeline, to);
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
	host_number_append(to, host, first);
	if (last > first)
		buffer_printf(to, "-%d", (int)last);
}

/* A phrase for CPUs that follow each other, from `at` on; returns the next one. */
static size_t cpus_lack(const struct question *question, size_t at, struct buffer *to)
{
	const struct asked_numbers *cpus = &question->asked->cpus;
	const char *host = number_host(cpus, at);
	uint32_t there = cpus_there(question, host);
	size_t next = at + 1;

	if ((uint32_t)cpus->number[at] < there)
		return next;
	while (next < cpus->count && cpus->number[next] == cpus->number[next - 1] + 1 &&
	       strcmp(number_host(cpus, next), host) == 0)
		next++;
	buffer_puts(to, "--cpu ");
	cpus_append(to, host, cpus->number[at], cpus->number[next - 1]);
	buffer_puts(to, ": no such CPU in this trace");
	if (there > 0) {
		buffer_printf(to, "; there %s ", there > 1 ? "are CPUs" : "is CPU");
		cpus_append(to, host, 0, (int32_t)there - 1);
	}
	return next;
}

void asked_name_lack(const struct timeline *timeline, const char *name, struct buffer *to)
{
	say(to, NULL, "no task \"{foreign}\"", FOREIGN(name));
	if (!asked_name_suggest(timeline, name, to))
		buffer_puts(to, "; --summary --all --top 0 lists them");
}

static bool group_is_there(const struct timeline *timeline, const char *glob)
{
	SEEN_EACH(timeline, i)
		if (timeline_was_in_group(timeline, i, &glob, 1))
			return true;
	return false;
}

/* Says which tasks that fit are left out, as the recording was made for others; or that those which
   fit are not the ones that it was made for. */
static void left_out_append(const struct question *question, struct buffer *to)
{
	const struct timeline *timeline = question->timeline;
	const char *targets = question->recording.is_of_command ? "command" : "processes";
	uint64_t targeted = 0, others = 0;

	if (!question_has_filter(question) || question->asked->is_all)
		return;
	SEEN_EACH(timeline, i) {
		targeted += timeline->track[i].is_target;
		others += !timeline->track[i].is_target && question_filter_fits(question, i);
	}
	if (targeted == 0 || others == 0)
		return;
	if (question->resolved->is_targeted)
		say(to, NULL,
		    "{count} more task{|s} of the asked names or numbers {is|are} not of the "
		    "recorded {text}; --all adds {it|them}", COUNT(others), TEXT(targets));
	else
		say(to, NULL, "the asked {many}task{|s} {is|are} not of the recorded {text}",
		    MANY(others), TEXT(targets));
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

/* When the track had the asked name: between the first and the last change of its name. 0: since it
   began; NSEC_NEVER: until it ended. */
static void name_time(const struct timeline *timeline, const struct track *track, const char *glob,
                      nsec_t *ret_begin, nsec_t *ret_end)
{
	uint32_t first = 0, last = track->name_count;

	while (first < last && !task_name_fits(timeline, track->name[first].name, glob))
		first++;
	while (last > first && !task_name_fits(timeline, track->name[last - 1].name, glob))
		last--;
	*ret_begin = first == 0 ? 0 : track->name[first].time;
	*ret_end = last == track->name_count ? NSEC_NEVER : track->name[last].time;
}

/* Tasks are shown whole: says of which ones the name was another one for a time, and when the first
   of them had the asked name. */
static void renamed_append(const struct question *question, const char *glob, struct buffer *to)
{
	const struct timeline *timeline = question->timeline;
	const struct instant_form *form = &question->instants;
	_cleanup_(buffer_release) struct buffer tid = {0};
	uint32_t task = TRACK_NONE;
	uint64_t count = 0;
	nsec_t begin, end;

	SEEN_EACH(timeline, i)
		if (question->resolved->is_asked[i] &&
		    track_is_called(timeline, &timeline->track[i], glob) &&
		    is_renamed(question, &timeline->track[i]))
			task = count++ == 0 ? i : task;
	if (count == 0)
		return;
	name_time(timeline, &timeline->track[task], glob, &begin, &end);
	if (begin || end != NSEC_NEVER)
		prose_tid_append(&tid, timeline, task);
	say(to, timeline,
	    "--comm {text}: [{count} tasks had that name only for a time, and are shown whole; "
	    "]{task} had that name[ from {instant}[{text}]][ until {instant}[{text}]][{if} for a "
	    "part of its time][{if}, and is shown whole][: --tid {text}[ --from {seconds}][ "
	    "--to {seconds}] shows that time]",
	    TEXT(glob), WHEN(count > 1, COUNT(count)), TASK(task),
	    WHEN(begin, INSTANT(form, begin)), TEXT(instant_unit(form)),
	    WHEN(end != NSEC_NEVER, INSTANT(form, end)), TEXT(instant_unit(form)),
	    IF(!tid.length), IF(count == 1), TEXT(tid.text), WHEN(begin, SECONDS(begin)),
	    WHEN(end != NSEC_NEVER, SECONDS(end)));
}

static void name_lack(const struct question *question, const char *glob, struct buffer *to)
{
	SEEN_EACH(question->timeline, i)
		if (track_is_called(question->timeline, &question->timeline->track[i], glob)) {
			renamed_append(question, glob, to);
			return;
		}
	buffer_printf(to, "--comm %s: no task of that name in this trace", glob);
	if (!asked_name_suggest(question->timeline, glob, to))
		busiest_append(question->timeline, to);
}

static void phrase_pass(struct buffer *phrase, void (*report)(const char *phrase))
{
	if (phrase->length)
		report(phrase->text);
	buffer_clear(phrase);
}

void asked_tasks_report_missing(const struct question *question,
                                void (*report)(const char *phrase))
{
	const struct timeline *timeline = question->timeline;
	const struct asked *asked = question->asked;
	_cleanup_(buffer_release) struct buffer phrase = {0};

	for (size_t i = 0; i < asked->comm_count; i++, phrase_pass(&phrase, report))
		name_lack(question, asked->comms[i], &phrase);
	for (size_t i = 0; i < asked->cgroup_count; i++, phrase_pass(&phrase, report))
		if (!group_is_there(timeline, asked->cgroups[i]))
			buffer_printf(&phrase, "--cgroup %s: %s", asked->cgroups[i],
			              timeline->groups.stays.count
			                      ? "no task of such a control group in this trace"
			                      : "this recording names no control groups");
	for (size_t i = 0; i < asked->pids.count; i++, phrase_pass(&phrase, report))
		number_lack(timeline, &asked->pids, i, /* is_of_process= */ true, &phrase);
	for (size_t i = 0; i < asked->tids.count; i++, phrase_pass(&phrase, report))
		number_lack(timeline, &asked->tids, i, /* is_of_process= */ false, &phrase);
	for (size_t i = 0; i < asked->cpus.count; phrase_pass(&phrase, report))
		i = cpus_lack(question, i, &phrase);
	left_out_append(question, &phrase);
	phrase_pass(&phrase, report);
}

bool asked_tasks_are_absent(const struct question *question)
{
	const struct timeline *timeline = question->timeline;

	SEEN_EACH(timeline, i)
		if (question->resolved->is_asked[i])
			return false;
	return question_has_filter(question);
}
