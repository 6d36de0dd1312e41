/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "path_task.h"

#include <stdio.h>
#include <string.h>

#include "analysis/asked_tasks.h"
#include "analysis/wait_list.h"
#include "base/cleanup.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/text/parse.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"

/* The threads of a process may do so much, and end so late, after one that ended them all. */
#define LATE_NS 50000000u

/* Whether the thread went on after the first one of its process had ended by itself. */
static bool thread_goes_on(const struct timeline *timeline, uint32_t index, uint32_t first)
{
	struct track *track = &timeline->track[index];
	nsec_t end = timeline->track[first].end;

	return timeline_is_one_process(timeline, index, first) && track->end > end &&
	       track_time_in(track, 1u << SEGMENT_RUN | 1u << SEGMENT_WAIT, end, track->end) >
	               LATE_NS &&
	       (!track->is_killed || track_waits_after(track, timeline_find(track, end)));
}

uint32_t path_task_of_process(const struct timeline *timeline, uint32_t index, nsec_t t)
{
	const struct track *track = timeline->track;
	uint32_t first = timeline_leader_at(timeline, index, t), best = first;
	nsec_t end = track[first].end;

	if (track[first].is_open || end > t || track[first].thread == TRACK_NONE ||
	    (track[first].death.kind >= DEATH_STATUS && track[first].death.at <= end))
		return first;
	for (uint32_t i = 0; i < timeline->track_count; i++)
		if (thread_goes_on(timeline, i, first))
			end = nsec_max(end, track[i].end);
	for (uint32_t i = 0; i < timeline->track_count; i++)
		if (thread_goes_on(timeline, i, first) && track[i].end + LATE_NS >= end &&
		    (best == first || ORDER_BY(RISING(&track[i], &track[best], ends_with_another),
		                               FALLING(&track[i], &track[best], ran)) < 0))
			best = i;
	return best;
}

static nsec_t window_end(const struct question *question)
{
	return question->resolved ? question->resolved->end : NSEC_NEVER;
}

/* The track that the process of this one was about when the window ended. */
static uint32_t leader_then(const struct question *question, uint32_t index)
{
	return path_task_of_process(question->timeline, index, window_end(question));
}

/* The track that waits most, of those that are preferred if there are any. */
struct choice {
	uint32_t track; /* TRACK_NONE: none yet */
	bool is_preferred;
	nsec_t waiting;
};

static void choice_take(struct choice *best, const struct timeline *timeline, uint32_t index,
                        bool is_preferred)
{
	nsec_t waiting;

	if (best->track != TRACK_NONE && is_preferred < best->is_preferred)
		return;
	waiting = track_time_in(&timeline->track[index], 1u << SEGMENT_WAIT, 0, NSEC_NEVER);
	if (best->track == TRACK_NONE || is_preferred > best->is_preferred ||
	    waiting > best->waiting)
		*best = (struct choice){index, is_preferred, waiting};
}

/* Of the tracks that match the name, asked ones are preferred; TRACK_NONE: no track matches. */
static uint32_t find_by_comm(const struct question *question, const char *glob)
{
	const struct timeline *timeline = question->timeline;
	struct choice best = {.track = TRACK_NONE};

	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *track = &timeline->track[index];

		if (!track->is_idle && track->segment_count &&
		    track_is_called(timeline, track, glob))
			choice_take(&best, timeline, index, question_asks_track(question, index));
	}
	return best.track;
}

/* "12", or "web:12": a tid, perhaps of one machine. */
struct path_tid {
	int32_t tid;
	char host[HOST_BYTES]; /* ""; any */
};

/* Whether the text is a tid, which may have the name of a machine before it. "kworker/0:1" is the
   name of a task. */
static bool path_tid_read(const struct timeline *timeline, const char *text,
                          struct path_tid *ret)
{
	const char *colon = strchr(text, ':');
	bool is_there = !colon;

	(void)snprintf(ret->host, sizeof(ret->host), "%.*s", colon ? (int)(colon - text) : 0, text);
	for (uint32_t host = 0; host < timeline->hosts.count; host++)
		is_there |= strcmp(timeline->hosts.host[host].name, ret->host) == 0;
	return parse_pid(colon ? colon + 1 : text, &ret->tid) == 0 && is_there;
}

static bool path_tid_fits(const struct timeline *timeline, const struct track *track,
                          const struct path_tid *wanted)
{
	return track->tid == wanted->tid &&
	       host_is_meant(&timeline->hosts, track->host, wanted->host);
}

/* The last task that had the tid. */
static uint32_t find_by_tid(const struct question *question, const struct path_tid *wanted)
{
	const struct timeline *timeline = question->timeline;

	for (uint32_t index = (uint32_t)timeline->track_count; index-- > 0;)
		if (path_tid_fits(timeline, &timeline->track[index], wanted) &&
		    timeline->track[index].segment_count)
			return timeline_leader_at(timeline, index, window_end(question));
	return TRACK_NONE;
}

/* The task that fired the trigger, if its window is asked for; TRACK_NONE: it is not, or that task
   is not asked for. */
static uint32_t find_at_trigger(const struct question *question)
{
	uint32_t index = question->asked->at_trigger
	                         ? trigger_track_find(question->timeline,
	                                              question->recording.trigger)
	                         : TRACK_NONE;

	return index != TRACK_NONE && question->resolved->is_asked[index] &&
	                       question->timeline->track[index].segment_count
	               ? index : TRACK_NONE;
}

static bool command_may_lead(const struct timeline *timeline, uint32_t index)
{
	return hosts_may_lead(&timeline->hosts, timeline->track[index].host);
}

/* Of two commands: those that may lead come first, and of these the one that began first. */
static bool command_is_before(const struct timeline *timeline, uint32_t one, uint32_t other)
{
	bool leads = command_may_lead(timeline, one);

	if (leads != command_may_lead(timeline, other))
		return leads;
	return track_birth(&timeline->track[one]) < track_birth(&timeline->track[other]);
}

/* Whether the track has any time in the window, if that is known. */
static bool track_is_there(const struct question *question, const struct track *track)
{
	const struct resolved *resolved = question->resolved;

	return track->begin != NSEC_NEVER &&
	       (!resolved || (track->begin < resolved->end && track->end > resolved->begin));
}

/* The track of the command that this one is, if it is asked for; else TRACK_NONE. */
static uint32_t command_asked(const struct question *question, uint32_t index)
{
	const struct track *track = question->timeline->track;

	if (!track[index].is_command)
		return TRACK_NONE;
	index = leader_then(question, index);
	return track_is_there(question, &track[index]) && question_asks_track(question, index)
	               ? index : TRACK_NONE;
}

uint32_t path_task_command(const struct question *question)
{
	const struct timeline *timeline = question->timeline;
	uint32_t best = TRACK_NONE, count = 0;

	for (uint32_t i = 0; i < timeline->track_count; i++) {
		uint32_t index = command_asked(question, i);

		if (index == TRACK_NONE)
			continue;
		count++;
		if (best == TRACK_NONE || command_is_before(timeline, index, best))
			best = index;
	}
	if (best == TRACK_NONE || command_may_lead(timeline, best))
		return best;
	/* more may follow, unless tasks are asked for by name or number */
	return count == 1 && question_has_filter(question) ? best : TRACK_NONE;
}

static const char *command_words(const struct timeline *timeline, uint32_t index)
{
	static const char *const words[] = {
		[COMMAND_LEADS_NOT] = "the recorded command",
		[COMMAND_LEADS_ALONE] = "the recorded command",
		[COMMAND_LEADS_ASKING] =
			"the recorded command on the machine that connected to the others",
		[COMMAND_LEADS_FIRST] = "the recorded command that began first",
	};
	const struct hosts *hosts = &timeline->hosts;

	return words[hosts->count ? hosts->host[timeline->track[index].host].lead
	                          : COMMAND_LEADS_ALONE];
}

void path_commands_print(const struct question *question, const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	uint32_t lead = path_task_command(question), count = 0;
	_cleanup_(buffer_release) struct buffer others = {0};

	if (question->asked->is_all || question_has_filter(question))
		return;
	for (uint32_t i = 0; i < timeline->track_count; i++) {
		uint32_t index = command_asked(question, i);

		count += index != TRACK_NONE;
		if (index == TRACK_NONE || index == lead)
			continue;
		buffer_puts(&others, others.length ? ", --tid=" : "--tid=");
		prose_tid_append(&others, timeline, index);
	}
	if (count < 2)
		return;
	say_to(to, NULL,
	       "{number} commands were recorded[; this is about {text}. The other{many}{|s}|, and "
	       "nothing shows which one leads. Each alone]: {text}.", NUMBER(count),
	       WHEN(lead != TRACK_NONE, TEXT(command_words(timeline, lead))), MANY(count - 1),
	       TEXT(others.text));
}

bool path_is_left_out(const struct question *question)
{
	return !question->asked->path.task && !question->asked->path.is_given &&
	       question->asked->wait == 0 && !question->resolved->is_targeted &&
	       !question_has_filter(question) && path_task_only(question) == TRACK_NONE &&
	       find_at_trigger(question) == TRACK_NONE;
}

/* Without a name: the recorded command, else the asked task that waits most. A kernel thread is
   chosen only if no other tasks are asked for: waiting is its purpose. */
static uint32_t task_choose(const struct question *question, const char **ret_why)
{
	const struct timeline *timeline = question->timeline;
	uint32_t command = path_task_command(question);
	struct choice best = {.track = TRACK_NONE};

	if (command != TRACK_NONE) {
		*ret_why = command_words(timeline, command);
		return command;
	}
	ASKED_EACH(question, index)
		if (timeline->track[index].segment_count)
			choice_take(&best, timeline, index, !track_is_kernel(timeline, index));
	*ret_why = best.track == TRACK_NONE || best.is_preferred
	                   ? "of the asked programs it waited most"
	                   : "of the asked tasks it waited most";
	return best.track;
}

struct path_window path_task_window(const struct question *question, uint32_t index)
{
	const struct track *track = &question->timeline->track[index];
	struct path_window window = {
		.begin = nsec_max(question->resolved->begin,
		                  timeline_begin_of(question->timeline, track)),
		.end = nsec_min(question->resolved->end,
		                timeline_end_of(question->timeline, track)),
	};
	uint32_t process = timeline_process(question->timeline, index);
	nsec_t born = track->born;

	if (!question->asked->path.task && leader_then(question, process) == index)
		born = question->timeline->track[process].born;
	window.is_from_birth = question->from == NSEC_NEVER && born != NSEC_NEVER &&
	                       born < question->resolved->end;
	if (window.is_from_birth)
		window.begin = born;
	window.is_to_death = question->to == NSEC_NEVER && !track->is_open &&
	                     track->end > window.begin;
	if (window.is_to_death)
		window.end = track->end;
	/* its machine's recording may lie beside the window */
	window.end = nsec_max(window.begin, window.end);
	return window;
}

uint32_t path_task_find(const struct question *question, const char **ret_why)
{
	struct path_tid tid;

	*ret_why = NULL;
	if (!question->asked->path.task) {
		uint32_t at_trigger = find_at_trigger(question);

		if (at_trigger == TRACK_NONE)
			return task_choose(question, ret_why);
		*ret_why = "the task that fired the trigger";
		return at_trigger;
	}
	if (path_tid_read(question->timeline, question->asked->path.task, &tid))
		return find_by_tid(question, &tid);
	return find_by_comm(question, question->asked->path.task);
}

uint32_t path_task_only(const struct question *question)
{
	bool may_be_command = !question->asked->is_all && !question_has_filter(question);
	uint32_t only = may_be_command ? path_task_command(question) : TRACK_NONE, count = 0;

	if (!question_may_be_of_one(question))
		return TRACK_NONE;
	if (only != TRACK_NONE)
		return only;
	ASKED_EACH(question, index) {
		uint32_t leader = leader_then(question, index);

		/* the leader then, of the same process, stands for both */
		if (!track_is_there(question, &question->timeline->track[index]) ||
		    (leader != index && question->resolved->is_asked[leader] &&
		     track_is_there(question, &question->timeline->track[leader])))
			continue;
		only = index;
		count++;
	}
	return count == 1 ? only : TRACK_NONE;
}

bool path_task_fits(const struct question *question, uint32_t index)
{
	const struct track *track = &question->timeline->track[index];
	struct path_tid tid;

	if (path_tid_read(question->timeline, question->asked->path.task, &tid))
		return path_tid_fits(question->timeline, track, &tid);
	return track_is_called(question->timeline, track, question->asked->path.task);
}

void path_task_take_argument(struct asked *asked, const char *text)
{
	asked->path.task = text;
}

bool path_task_is_there(const struct question *question, struct buffer *why)
{
	const char *unused;

	if (!question->asked->path.task || path_task_find(question, &unused) != TRACK_NONE)
		return true;
	asked_name_lack(question->timeline, question->asked->path.task, why);
	return false;
}

void path_target_find(const struct question *question, struct path_target *ret)
{
	const nsec_t end = question->resolved->end;
	struct wait wait;

	ret->track = path_task_find(question, &ret->why);
	ret->window = (struct path_window){.begin = end, .end = end};
	if (question->asked->wait == 0) {
		if (ret->track != TRACK_NONE)
			ret->window = path_task_window(question, ret->track);
		return;
	}
	ret->track = TRACK_NONE;
	ret->why = "the asked wait";
	if (wait_list_find_asked(question, &wait) == question->asked->wait) {
		ret->track = wait.track;
		ret->window = (struct path_window){.begin = wait.begin, .end = wait.end};
	}
}

uint32_t trigger_track_find(const struct timeline *timeline, const struct trigger_note *trigger)
{
	if (!trigger || trigger->tid == 0)
		return TRACK_NONE;
	/* of several tasks that had the tid, the last one by then */
	for (uint32_t index = (uint32_t)timeline->track_count; index-- > 0;) {
		const struct track *track = &timeline->track[index];

		if (track_id(track) == trigger->tid && track->begin != NSEC_NEVER &&
		    track->begin <= trigger->at)
			return index;
	}
	return TRACK_NONE;
}

/* The end of the wait in which the trigger's task was when it fired, else that instant. */
static nsec_t trigger_end(const struct timeline *timeline, const struct trigger_note *trigger)
{
	uint32_t index = trigger_track_find(timeline, trigger);
	struct track *track;
	size_t at;

	if (index == TRACK_NONE)
		return trigger->at;
	track = &timeline->track[index];
	at = timeline_find(track, trigger->at);
	if (at == SIZE_MAX || (track->segment[at].kind != SEGMENT_WAIT &&
	                       track->segment[at].kind != SEGMENT_RUNNABLE))
		return trigger->at;
	return nsec_max(timeline_segment_end(track, at), trigger->at);
}

void trigger_window_resolve(struct question *question)
{
	const struct trigger_note *trigger = question->recording.trigger;
	nsec_t begin;

	if (!question->asked->at_trigger || !trigger)
		return;
	if (trigger->since < trigger->at)
		begin = trigger->since;
	else
		begin = trigger->at > TRIGGER_BEFORE_NS ? trigger->at - TRIGGER_BEFORE_NS : 0;
	question->from = question_give(question, begin);
	question->to = question_give(question, trigger_end(question->timeline, trigger));
}

void path_stretches(struct timeline *timeline, uint32_t index, nsec_t begin, nsec_t end,
                    const struct stretch_visitor *visitor)
{
	struct track *track = &timeline->track[index];
	size_t at = timeline_find(track, end);

	for (; at != SIZE_MAX && end > begin; at--) {
		nsec_t from, to;
		enum chosen_sleep chosen;

		if (track->segment[at].kind != SEGMENT_WAIT)
			continue;
		from = nsec_max(track->segment[at].begin, begin);
		to = nsec_min(timeline_segment_end(track, at), end);
		if (to <= begin)
			break;
		chosen = timeline_chosen_sleep(timeline, index, at);
		if (chosen == SLEEP_NOT_CHOSEN)
			continue;
		if (to < end)
			visitor->on_stretch(visitor->state, index, to, end);
		if (from < to)
			visitor->on_sleep(visitor->state, index, chosen, from, to);
		end = from;
	}
	if (begin < end)
		visitor->on_stretch(visitor->state, index, begin, end);
}
