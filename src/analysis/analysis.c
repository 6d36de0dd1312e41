/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "graph/timeline/timeline_tasks.h"
#include "recorded.h"
#include "sentences/prose.h"
#include "words/cause/unknown_words.h"
#include "words/kernel/kernel_thread.h"
#include "words/time_scale.h"

#define ANALYSIS_ROW(name) &name##_analysis,
const struct analysis *const analyses[] = {ANALYSES(ANALYSIS_ROW) NULL};

const struct analysis *analysis_find(const char *name)
{
	for (size_t i = 0; analyses[i]; i++)
		if (strcmp(analyses[i]->name, name) == 0)
			return analyses[i];
	return NULL;
}

void *analysis_begin(const struct analysis *analysis, const struct question *question)
{
	void *state = analysis->state_bytes ? xcalloc(1, analysis->state_bytes) : NULL;

	if (state)
		*(const struct question **)state = question;
	if (analysis->begin)
		analysis->begin(state);
	return state;
}

void analysis_end(const struct analysis *analysis, void *state)
{
	if (state && analysis->end)
		analysis->end(state);
	free(state);
}

bool track_is_kernel(const struct timeline *timeline, uint32_t index)
{
	const struct track *track = &timeline->track[index];

	if (track->is_kernel || track->name_count == 0)
		return track->is_kernel;
	return kernel_thread_of(timeline_own_name(
		       timeline, track->name[track->name_count - 1].name)) != KERNEL_THREAD_NONE;
}

nsec_t track_time_in(struct track *track, unsigned kinds, nsec_t begin, nsec_t end)
{
	size_t at = timeline_find(track, end);
	nsec_t sum = 0;

	for (; at != SIZE_MAX && timeline_segment_end(track, at) > begin; at--)
		if (kinds & 1u << track->segment[at].kind)
			sum += nsec_min(timeline_segment_end(track, at), end) -
			       nsec_max(track->segment[at].begin, begin);
	return sum;
}

bool host_is_meant(const struct hosts *hosts, uint32_t host, const char *name)
{
	return !*name || (hosts->count && strcmp(hosts->host[host].name, name) == 0);
}

static bool number_is_listed(const struct asked_numbers *list, const struct hosts *hosts,
                             uint32_t host, int32_t number)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->number[i] == number &&
		    (!list->host || host_is_meant(hosts, host, list->host[i])))
			return true;
	return false;
}

bool task_name_fits(const struct timeline *timeline, uint32_t name, const char *glob)
{
	const char *whole = intern_text(&timeline->names, name);
	const char *own = timeline_own_name(timeline, name);

	return fnmatch(glob, whole, 0) == 0 || (own != whole && fnmatch(glob, own, 0) == 0);
}

bool track_is_called(const struct timeline *timeline, const struct track *track, const char *glob)
{
	for (uint32_t n = 0; n < track->name_count; n++)
		if (task_name_fits(timeline, track->name[n].name, glob))
			return true;
	return false;
}

bool question_has_filter(const struct question *question)
{
	const struct asked *asked = question->asked;

	return asked->pids.count + asked->tids.count + asked->comm_count + asked->cgroup_count > 0;
}

bool track_is_of_recorder(const struct question *question, uint32_t track)
{
	return question->timeline->track[track].is_recorder && !question_has_filter(question);
}

bool question_filter_fits(const struct question *question, uint32_t index)
{
	const struct track *track = &question->timeline->track[index];
	const struct asked *asked = question->asked;
	const struct hosts *hosts = &question->timeline->hosts;

	for (size_t i = 0; i < asked->comm_count; i++)
		if (track_is_called(question->timeline, track, asked->comms[i]))
			return true;
	return number_is_listed(&asked->tids, hosts, track->host, track->tid) ||
	       number_is_listed(&asked->pids, hosts, track->host, track->tid) ||
	       number_is_listed(&asked->pids, hosts, track->host, track->tgid) ||
	       timeline_was_in_group(question->timeline, index, asked->cgroups,
	                             asked->cgroup_count);
}

/* Of the tasks that fit, only those that the recording was made for are asked for, if any are. */
static bool question_is_targeted(const struct question *question)
{
	const struct timeline *timeline = question->timeline;

	for (uint32_t i = 0; i < timeline->track_count && !question->asked->is_all; i++)
		if (timeline->track[i].is_target && timeline->track[i].begin != NSEC_NEVER &&
		    (!question_has_filter(question) || question_filter_fits(question, i)))
			return true;
	return false;
}

void question_seek_targets(struct question *question)
{
	question->targets_fit = question->recording.has_targets && question_is_targeted(question);
}

static bool question_asks(const struct question *question, uint32_t index, bool is_targeted)
{
	const struct track *track = &question->timeline->track[index];

	if (track->is_idle || track->begin == NSEC_NEVER || (is_targeted && !track->is_target))
		return false;
	return !question_has_filter(question) || question_filter_fits(question, index);
}

/*
 * An instant is relative to the trace's begin if it is at most the trace's length, or if it is less
 * than the time of the trace's begin: the end of a trace of 9.8 s may well be asked for as 10 s.
 * All other instants are times of the trace's clock. In an absolute question an instant that is at
 * most the trace's length is a time of the clock, too, unless it lies before the trace's begin.
 */
static bool instant_is_relative(const struct question *question, nsec_t given)
{
	const struct timeline *timeline = question->timeline;

	return given < timeline->begin ||
	       (!question->is_absolute && given <= timeline->end - timeline->begin);
}

static nsec_t instant_find(const struct question *question, nsec_t given, nsec_t otherwise)
{
	if (given == NSEC_NEVER)
		return otherwise;
	return instant_is_relative(question, given) ? question->timeline->begin + given : given;
}

static nsec_t instant_resolve(const struct question *question, nsec_t given, nsec_t otherwise)
{
	const struct timeline *timeline = question->timeline;

	return nsec_min(nsec_max(instant_find(question, given, otherwise), timeline->begin),
	                timeline->end);
}

nsec_t question_give(const struct question *question, nsec_t time)
{
	const struct timeline *timeline = question->timeline;

	if (question->is_absolute)
		return nsec_max(time, timeline->begin);
	return nsec_min(nsec_max(time, timeline->begin), timeline->end) - timeline->begin;
}

void question_absolute_window(const struct question *question, nsec_t *ret_begin, nsec_t *ret_end)
{
	assert(question->is_absolute);
	*ret_begin = instant_find(question, question->from, question->timeline->begin);
	*ret_end = instant_find(question, question->to, NSEC_NEVER);
}

/* Unless the question is absolute, an instant may be relative or a time of the clock: takes the
   meaning that keeps more. */
bool question_may_touch(const struct question *question, nsec_t begin, nsec_t end)
{
	nsec_t origin = question->timeline->begin, from = question->from, to = question->to;

	if (from != NSEC_NEVER && end < (from < origin ? origin + from : from))
		return false;
	if (question->is_absolute && to >= origin)
		return begin < to;
	return to == NSEC_NEVER || begin < origin + to;
}

bool question_may_contain(const struct question *question, nsec_t t)
{
	return question_may_touch(question, t, t);
}

bool question_contains(const struct question *question, nsec_t t)
{
	const struct resolved *resolved = question->resolved;

	return !resolved || (t >= resolved->begin &&
	                     (t < resolved->end || resolved->end == question->timeline->end));
}

/* "not recorded (ftwait record -e +mm)". */
static void analysis_lack_append(struct buffer *to, const struct analysis *analysis,
                                 const struct resolved *resolved)
{
	const struct recorded *recorded = &resolved->recorded;
	const char *groups = analysis->groups;

	if (recorded_has(recorded, groups)) {
		buffer_puts(to, "recorded, but none occurred");
		return;
	}
	if (recorded->notes.recorded &&
	    event_kinds_have_any(&resolved->described, analysis->needs)) {
		buffer_puts(to, "none of those that were recorded occurred; not recorded: ");
		recorded_lacks_append(to, recorded, groups);
	} else {
		buffer_puts(to, recorded->notes.recorded ? "not recorded"
		                                 : "none occurred, or they were not recorded");
	}
	(void)record_hint_append(to, " (", recorded, groups, /* stacks= */ false, ")");
}

bool analysis_print_lack(const struct analysis *analysis, const struct question *question,
                         const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	if (!analysis->needs || event_kinds_have_any(&question->resolved->seen, analysis->needs))
		return false;
	if (!to->presenter->lack)
		return true;
	buffer_puts(&line, "No events for this: ");
	analysis_lack_append(&line, analysis, question->resolved);
	buffer_putc(&line, '.');
	output_lack(to, line.text);
	return true;
}

bool analysis_has_events(const struct analysis *analysis, const struct question *question,
                         const char *lack, struct buffer *why)
{
	const struct resolved *resolved = question->resolved;

	if (event_kinds_have_any(&resolved->seen, analysis->needs) ||
	    recorded_has(&resolved->recorded, analysis->groups))
		return true;
	buffer_printf(why, "%s: ", lack);
	analysis_lack_append(why, analysis, resolved);
	return false;
}

nsec_t question_find_begin(const struct question *question)
{
	return instant_resolve(question, question->from, question->timeline->begin);
}

void question_resolve(struct question *question, struct resolved *resolved)
{
	const struct asked *asked = question->asked;
	const struct timeline *timeline = question->timeline;

	resolved->begin = question_find_begin(question);
	resolved->end = instant_resolve(question, question->to, timeline->end);
	resolved->is_reversed = question->days_are_reversed ||
	                        (asked->from != NSEC_NEVER && asked->to != NSEC_NEVER &&
	                         asked->from > asked->to &&
	                         instant_is_relative(question, asked->from) ==
	                                 instant_is_relative(question, asked->to));
	if (resolved->end < resolved->begin)
		resolved->end = resolved->begin;
	resolved->is_windowed =
		resolved->begin != timeline->begin || resolved->end != timeline->end;
	resolved->is_targeted = question_is_targeted(question);
	resolved->is_asked = xcalloc(timeline->track_count, sizeof(*resolved->is_asked));
	for (uint32_t i = 0; i < timeline->track_count; i++)
		resolved->is_asked[i] = question_asks(question, i, resolved->is_targeted);
	question->instants.begin = timeline->begin;
	if (asked->shows_times_of_day)
		question->instants.realtime = question->recording.realtime;
	(void)snprintf(resolved->open_words, sizeof(resolved->open_words), "%s",
	               WORDS_STILL_WAITING);
	if (resolved->end < timeline->end)
		(void)snprintf(resolved->open_words, sizeof(resolved->open_words),
		               "went on after %s%s (the window's end)",
		               INSTANT_OF(&question->instants, resolved->end),
		               instant_unit(&question->instants));
	question->resolved = resolved;
}

bool question_asks_track(const struct question *question, uint32_t track)
{
	if (question->resolved)
		return question->resolved->is_asked[track];
	return question_asks(question, track,
	                     question_has_filter(question)
	                             ? question->targets_fit
	                             : question->recording.has_targets &&
	                                       !question->asked->is_all);
}

bool question_asks_programs(const struct question *question)
{
	for (uint32_t track = 0; track < question->timeline->track_count; track++)
		if (question_asks_track(question, track) &&
		    !track_is_kernel(question->timeline, track))
			return true;
	return false;
}

void resolved_release(struct resolved *resolved)
{
	free(resolved->is_asked);
	resolved->is_asked = NULL;
}

size_t question_sort_key(const struct question *question, const char *const *keys)
{
	for (size_t key = 0; question->asked->sort && keys[key]; key++)
		if (strcmp(keys[key], question->asked->sort) == 0)
			return key;
	return 0;
}

void question_choose_columns(const struct question *question, const struct column *columns,
                             size_t count, struct column *ret)
{
	const char *sort = question->asked->sort;
	size_t length = sort ? strlen(sort) : 0;

	memcpy(ret, columns, count * sizeof(*columns));
	/* that is the name of a column: its key in JSON, without the unit, or its title in text */
	for (size_t i = 0; sort && i < count; i++)
		if ((ret[i].key && strncmp(ret[i].key, sort, length) == 0 &&
		     (ret[i].key[length] == '\0' || strcmp(ret[i].key + length, "_ns") == 0)) ||
		    (ret[i].title && strcasecmp(ret[i].title, sort) == 0))
			ret[i].flags &= ~COLUMN_RANKS;
}

const char *question_scope(const struct question *question)
{
	if (!question->resolved->is_targeted || question_has_filter(question))
		return "";
	return question->recording.is_of_command
	               ? " of the recorded command's tasks (--all for every task)"
	               : " of the recorded tasks (--all for every task)";
}

bool cause_is_of_kinds(const struct cause_note *cause, uint32_t kinds)
{
	uint32_t of = 1u << (cause ? cause->kind : CAUSE_UNKNOWN);

	if (cause && cause->memory != MEMORY_NONE)
		of |= 1u << CAUSE_MEMORY;
	return kinds & of;
}

void question_print_memory(const struct question *question, const struct output *to)
{
	if (question->asked->kinds != KIND_MASK_ALL &&
	    question->asked->kinds & 1u << CAUSE_MEMORY &&
	    question->resolved->seen.has[EVENT_MEMORY_BEGIN])
		prose_put(to,
		          "Reclaim and compaction that do not sleep are no waits: --memory shows "
		          "all of them.");
}

bool question_lists_cpu(const struct question *question, unsigned cpu)
{
	const struct asked_numbers *cpus = &question->asked->cpus;
	const struct hosts *hosts = &question->timeline->hosts;

	return number_is_listed(cpus, hosts, hosts_of_cpu(hosts, cpu),
	                        (int32_t)hosts_own_cpu(hosts, cpu));
}
