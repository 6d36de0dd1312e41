/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wait_match.h"

#include <assert.h>
#include <fnmatch.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "graph/aims/awaited.h"
#include "graph/aims/sleep_series.h"
#include "words/cause/cause_kind.h"
#include "words/cause/futex_kind.h"
#include "words/cause/purpose.h"
#include "words/kernel/control_group_name.h"

#define OF_CAUSES      (1u << FILTER_KIND | 1u << FILTER_NAME)

/* The task slept as for a lock. That its waker has slept at the futex before, too, is not enough:
   threads that signal a condition to each other do that. */
static bool futex_is_lock(const struct cause_note *note)
{
	uint32_t signs = note->as.lock.flags;

	return note->as.lock.address && signs & FUTEX_LOCKED &&
	       futex_kind_of(signs) == FUTEX_KIND_LOCK;
}

bool wait_is_for_lock(const struct seen_wait *wait)
{
	const struct cause_note *note = wait->cause;

	if (!note)
		return wait->aim.kind == AIM_LOCK;
	/* a limit or a signal may have ended it */
	if (note->kind != CAUSE_TASK)
		return note->kind == CAUSE_LOCK || wait->aim.kind == AIM_LOCK;
	return note->as.lock.file || purpose_is_lock(note->purpose) || futex_is_lock(note);
}

/* Of a program; beside locks. */
static bool cause_holds_up(const struct seen_wait *wait)
{
	const struct cause_note *note = wait->cause;

	if (!note)
		return false;
	if (note->kind != CAUSE_TIMER)
		return cause_kinds[note->kind].holds_up;
	return sleep_call_is_held(note->as.timer.call) || timeline_request(wait->timeline, note);
}

/* Its timer shows a call that does nothing but sleep, and nothing else is known. */
static bool is_asleep_for_time(const struct seen_wait *wait)
{
	return wait->is_open && wait->timeout == TIMEOUT_RELATIVE &&
	       (!wait->cause || wait->cause->kind == CAUSE_UNKNOWN);
}

enum wait_class wait_classify(const struct seen_wait *wait)
{
	const struct span span = {
		.track = wait->track,
		.kind = SEGMENT_WAIT,
		.detail = wait->letter,
		.cause = wait->cause,
	};

	if (wait->letter & WAIT_FOR_WORK)
		return WAIT_OF_IDLE;
	if (wait->letter == 'D' || wait_is_for_lock(wait))
		return WAIT_HELD_UP;
	/* a request that completes is work for some of them */
	if (wait->timeline->track[wait->track].is_kernel)
		return WAIT_OF_IDLE;
	if (cause_holds_up(wait))
		return WAIT_HELD_UP;
	if (span_is_idle_sleep(wait->timeline, &span) || is_asleep_for_time(wait))
		return WAIT_OF_IDLE;
	return WAIT_OF_ANY;
}

static bool is_classed(const struct condition *condition, const struct seen_wait *wait)
{
	enum wait_class class = wait_classify(wait);

	return class == WAIT_HELD_UP || (class == WAIT_OF_ANY && condition->filters) ||
	       condition->filters & OF_CAUSES;
}

static bool head_fits(const struct condition *condition, const struct seen_wait *wait)
{
	switch (condition->head) {
	case CONDITION_WAIT:
		return !wait->is_open && is_classed(condition, wait);
	case CONDITION_OPEN:
		return wait->is_open && is_classed(condition, wait);
	case CONDITION_DISK:
		return wait->cause && wait->cause->kind == CAUSE_DISK &&
		       wait_classify(wait) == WAIT_HELD_UP;
	case CONDITION_LOCK:
		return wait_is_for_lock(wait) && wait_classify(wait) == WAIT_HELD_UP;
	case CONDITION_HUNG:
		return wait->letter == 'D' || wait_is_for_lock(wait);
	case CONDITION_DELAY:
	case CONDITION_MARK:
	case CONDITION_RETRANSMIT:
	case CONDITION_EXIT:
	case CONDITION_EVENT:
	case CONDITION_HEAD_COUNT:
	default:
		return false;
	}
}

static bool glob_matches(const char *glob, const char *text)
{
	return text && fnmatch(glob, text, 0) == 0;
}

/* By what ended it, or what it was for, as report --kind. */
static bool is_of_kind(const struct condition *condition, const struct seen_wait *wait)
{
	const struct cause_note *note = wait->cause;
	const int kind = condition->kind;

	if (condition->aim != AIM_NONE && wait->aim.kind == condition->aim)
		return true;
	if (!note)
		return kind == CAUSE_UNKNOWN;
	/* a wait within reclaim is of memory, whatever ended it */
	return note->kind == kind || (kind == CAUSE_MEMORY && note->memory);
}

/* The object as reports name it: "vda", "rwsem", "mysqld", "timeout of poll". */
static bool object_matches(const char *glob, const struct cause *cause)
{
	_cleanup_(buffer_release) struct buffer object = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (!cause_kinds[cause->kind].object)
		return false;
	cause_kinds[cause->kind].object(&object, cause);
	return glob_matches(glob, object.text + strspn(object.text, ": "));
}

/* "dm-0 (vg-root)" is known by each of its names. */
static bool device_matches(const char *glob, const char *name)
{
	const char *inner = name ? strstr(name, " (") : NULL;
	_cleanup_(freep) char *outer = NULL, *mapped = NULL;

	if (glob_matches(glob, name) || !inner)
		return glob_matches(glob, name);
	outer = xstrndup(name, (size_t)(inner - name));
	mapped = xstrndup(inner + 2, strcspn(inner + 2, ")"));
	return glob_matches(glob, outer) || glob_matches(glob, mapped);
}

static bool disk_matches(const char *glob, const struct cause *cause)
{
	uint32_t dev = cause->kind == CAUSE_DISK     ? cause->as.disk.dev
	               : cause->kind == CAUSE_MEMORY ? cause->as.memory.dev
	                                             : 0;

	return dev && (device_matches(glob, cause->disk) || glob_matches(glob, DEVICE_TEXT(dev)));
}

static bool cause_fits(const struct condition *condition, const struct seen_wait *wait)
{
	const char *name = condition->value[FILTER_NAME], *dev = condition->value[FILTER_DEV];
	struct cause cause;

	if (condition->value[FILTER_KIND] && !is_of_kind(condition, wait))
		return false;
	if (!name && !dev)
		return true;
	if (name && !dev && glob_matches(name, wait->aim.name))
		return true;
	if (!wait->cause)
		return false;
	cause = timeline_cause(wait->timeline, wait->cause, NSEC_NEVER);
	if (name && !glob_matches(name, cause.name) && !object_matches(name, &cause))
		return false;
	return !dev || disk_matches(dev, &cause);
}

bool condition_fits_wait(const struct condition *condition, const struct seen_wait *wait)
{
	assert(wait->since <= wait->until);
	return wait->until - wait->since > condition->time && head_fits(condition, wait) &&
	       condition_fits_track(condition, wait->timeline, wait->track) &&
	       cause_fits(condition, wait);
}

static bool group_fits(const char *glob, const struct timeline *timeline, uint32_t track)
{
	const struct stay *stay = timeline_group_at(timeline, track, NSEC_NEVER);

	return stay && stay->text &&
	       control_group_matches(intern_text(&timeline->names, stay->text), glob);
}

bool condition_fits_track(const struct condition *condition, const struct timeline *timeline,
                          uint32_t track)
{
	const struct track *of = &timeline->track[track];
	const char *comm = condition->value[FILTER_COMM];
	const char *cgroup = condition->value[FILTER_CGROUP];

	if (comm && !glob_matches(comm, intern_text(&timeline->names, of->last_name)))
		return false;
	if (condition->value[FILTER_PID] && of->tid != condition->pid && of->tgid != condition->pid)
		return false;
	return !cgroup || group_fits(cgroup, timeline, track);
}

bool condition_fits_tid(const struct condition *condition, int32_t tid, const char *comm)
{
	const char *glob = condition->value[FILTER_COMM];

	return (!glob || glob_matches(glob, comm)) &&
	       (!condition->value[FILTER_PID] || condition->pid == tid) &&
	       !condition->value[FILTER_CGROUP];
}
