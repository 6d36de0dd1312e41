/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cost_kind.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "sentences/say.h"
#include "words/cause/aim_kind.h"
#include "words/cause/unknown_words.h"

static const struct {
	const char *key, *words;
} kinds[COST_KIND_COUNT] = {
	[COST_RUNNING] = {"running", "running"},
	[COST_QUEUE] = {"runnable", "run queue"},
	[COST_LIMIT] = {"throttled", "held back by a CPU limit"},
	[COST_BUDGET] = {"throttled-deadline", "SCHED_DEADLINE budget used up"},
	[COST_REAL_TIME] = {"throttled-real-time", "held back by the limit on real-time tasks"},
	[COST_WAIT] = {"waiting", "waiting"},
	[COST_OTHERS_RUNNING] = {"others-running", "waiting for a running task"},
	[COST_OTHERS_QUEUE] = {"others-runnable", "waiting for a queued task"},
	[COST_STOPPED] = {"stopped", "stopped"},
	[COST_UNKNOWN] = {"unknown", WORDS_NOT_RECORDED},
	[COST_OTHERS_UNKNOWN] = {"others-unknown", "waiting for a task (" WORDS_NOT_RECORDED ")"},
	[COST_CUT] = {"not-followed", WORDS_TOO_LONG},
	[COST_FOR_WORK] = {"for-work", "idle"},
	[COST_ASLEEP] = {"asleep", "sleeping by choice"},
	[COST_COUNTED] = {"asleep-counted", "sleeping, counted above"},
	[COST_OPEN] = {"open", WORDS_STILL_WAITING},
	[COST_KERNEL] = {"kernel", "kernel threads waiting"},
	[COST_RECORDER] = {"recorder", "the recorder itself"},
	[COST_UNSEEN] = {"unseen", "before the first event or lost"},
};

const char *cost_kind_key(enum cost_kind kind)
{
	return kinds[kind].key;
}

const char *cost_kind_words(enum cost_kind kind)
{
	return kinds[kind].words;
}

bool cost_is_own(enum cost_kind kind)
{
	return kind != COST_OTHERS_RUNNING && kind != COST_OTHERS_QUEUE &&
	       !cost_is_unknown(kind) && kind != COST_RECORDER;
}

bool cost_is_unknown(enum cost_kind kind)
{
	return kind == COST_UNKNOWN || kind == COST_OTHERS_UNKNOWN || kind == COST_CUT;
}

enum cost_kind cost_of_limit(enum cpu_limit limit)
{
	static const enum cost_kind of_limits[CPU_LIMIT_COUNT] = {
		[CPU_LIMIT_GROUP] = COST_LIMIT,
		[CPU_LIMIT_DEADLINE] = COST_BUDGET,
		[CPU_LIMIT_REAL_TIME] = COST_REAL_TIME,
		[CPU_LIMIT_FAIR_SERVER] = COST_REAL_TIME,
	};

	return of_limits[limit];
}

enum cost_kind cost_of_sleep(enum chosen_sleep chosen)
{
	return chosen == SLEEP_FOR_WORK ? COST_FOR_WORK : COST_ASLEEP;
}

enum cost_kind cost_of_part(enum part_state state, const struct cause_note *cause)
{
	switch (state) {
	case PART_RUNNING:
		return COST_RUNNING;
	case PART_RUNNABLE:
		return cause && cause->kind == CAUSE_THROTTLED
		               ? cost_of_limit((enum cpu_limit)cause->as.throttled.limit)
		               : COST_QUEUE;
	case PART_STOPPED:
		return COST_STOPPED;
	case PART_UNKNOWN:
		return COST_UNKNOWN;
	case PART_CUT:
		return COST_CUT;
	case PART_WAITING:
	case PART_STATE_COUNT:
		break;
	}
	return !cause || cause_note_is_open(cause) ? COST_OPEN : COST_WAIT;
}

/* The words of a cost without a cause say what was waited for only where that was work: of a wait
   that has not ended this is not yet certain. */
static void cost_aim_append(struct buffer *to, enum cost_kind kind, const char *cause,
                            const struct brief_aim *aim)
{
	if (cause) {
		aim_beside_append(to, aim, (enum cause_kind)cause_kind_from_name(cause));
	} else if (kind == COST_FOR_WORK) {
		buffer_puts(to, aim->kind == AIM_NONE ? " at the end" : "");
	} else if (aim->kind != AIM_NONE) {
		buffer_puts(to, ", for ");
		aim_words_append(to, aim);
	}
}

void cost_words_append(struct buffer *to, enum cost_kind kind, const char *cause, const char *name,
                       const struct brief_aim *aim)
{
	say(to, NULL, "{text}[ {foreign}]",
	    TEXT(cause ? cause_kind_words((enum cause_kind)cause_kind_from_name(cause))
	               : cost_kind_words(kind)), FOREIGN(name));
	if (aim)
		cost_aim_append(to, kind, cause, aim);
}

uint32_t cost_task(struct timeline *timeline, uint32_t track)
{
	uint32_t comm = track_name(&timeline->track[track]);
	const char *text = intern_text(&timeline->names, comm);
	const char *slash = strchr(text, '/');
	_cleanup_(buffer_release) struct buffer stable = {0};

	if (!slash || !track_is_kernel(timeline, track))
		return comm;
	/* which worker of the kernel it was is chance */
	buffer_append(&stable, text, (size_t)(slash - text));
	buffer_puts(&stable, "/*");
	return intern_adds(&timeline->names, stable.text);
}

uint32_t cost_object(struct timeline *timeline, const struct cause_note *note)
{
	const struct cause cause = timeline_cause(timeline, note, NSEC_NEVER);
	const char *name = cause.name, *call = NULL;

	if (cause.kind == CAUSE_TIMER)
		call = sleep_call_name(cause.as.timer.call);
	if (cause.kind == CAUSE_DISK && !cause.disk && cause.as.disk.dev)
		return intern_adds(&timeline->names, DEVICE_TEXT(cause.as.disk.dev));
	if (cause.kind == CAUSE_DISK && cause.disk)
		name = cause.disk;
	else if (cause.file)
		name = cause.file;
	else if (cause.kind == CAUSE_TIMER && cause.as.timer.is_own)
		name = call ? call : "sleep";
	else if (cause.kind == CAUSE_TASK && note->waker != TRACK_NONE)
		return cost_task(timeline, note->waker);
	return name ? intern_adds(&timeline->names, name) : 0;
}

static enum cost_kind segment_cost(const struct question *question, uint32_t track, size_t at,
                                   bool has_programs, const struct cause_note *cause)
{
	const struct timeline *timeline = question->timeline;
	const struct segment *segment = &timeline->track[track].segment[at];
	bool is_wait = segment->kind == SEGMENT_WAIT;
	enum chosen_sleep chosen = is_wait ? timeline_chosen_sleep(timeline, track, at)
	                                   : SLEEP_NOT_CHOSEN;

	if (track_is_of_recorder(question, track))
		return COST_RECORDER;
	if (segment->kind == SEGMENT_UNKNOWN)
		return COST_UNSEEN;
	if (chosen != SLEEP_NOT_CHOSEN)
		return cost_of_sleep(chosen);
	if (is_wait && has_programs && track_is_kernel(timeline, track))
		return COST_KERNEL;
	return cost_of_part(segment_part_state((enum segment_kind)segment->kind), cause);
}

void own_time_visit(const struct question *question, uint32_t index, bool has_programs,
                    void (*take)(void *state, const struct own_time *time), void *state)
{
	const struct timeline *timeline = question->timeline;
	const struct track *track = &timeline->track[index];

	for (size_t at = track->segment_count; at-- > 0;) {
		const struct segment *segment = &track->segment[at];
		struct own_time time = {
			.track = index,
			.segment = at,
			.cause = segment_cause(timeline, segment),
			.begin = segment->begin,
			.end = timeline_segment_end(track, at),
		};

		if (!question_clip(question, &time.begin, &time.end))
			continue;
		time.kind = segment_cost(question, index, at, has_programs, time.cause);
		take(state, &time);
	}
}
