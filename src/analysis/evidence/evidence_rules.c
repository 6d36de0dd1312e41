/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "evidence_rules.h"

#include <string.h>

#include "base/data/array.h"
#include "ftwait/host.h"
#include "graph/aims/aim.h"
#include "sentences/say.h"
#include "words/cause/purpose.h"

/* Of which task the earlier event must be. */
enum rule_by {
	BY_ANY,     /* whichever the CPU ran, in an interrupt: no switch since */
	BY_SLEEPER,
	BY_WAKER,
};

/* What of the earlier event must be what the cause says. */
enum rule_id {
	ID_ANY,
	ID_ADDRESS, /* of a futex or a lock */
	ID_RELEASED, /* likewise, and it is a lock that the sleeper waits for */
	ID_NUMBER,  /* of an interrupt */
	ID_VECTOR,  /* of a soft interrupt */
	ID_SIGNAL,
	ID_END,     /* the waker's end */
	ID_BLOCKED, /* another task has the lock; no switch since */
	ID_LATER,   /* no timer of the other kind has expired since */
	ID_MEMORY,  /* the event shows what the task sleeps for; the stack of the sleep does not */
	ID_CALL,    /* likewise, a system call */
};

/* Before the event at `moment` there is one of `kind` on its CPU, and none of `end` since. */
struct before_rule {
	uint8_t moment, kind, end; /* end EVENT_KIND_COUNT: it has none */
	uint8_t by, id;
	bool is_cause;
	uint32_t causes; /* mask by enum cause_kind */
	const char *says; /* of a rule of one task what it does */
};

#define OF(kind) (1u << CAUSE_##kind)
#define OF_ANY   UINT32_MAX

static const struct before_rule rules[] = {
	{MOMENT_BEGIN, EVENT_FUTEX_ENTER, EVENT_FUTEX_EXIT, BY_SLEEPER, ID_ADDRESS, false,
	 OF(TASK) | OF(LOCK), "asks for this futex"},
	{MOMENT_BEGIN, EVENT_SYSCALL_ENTER, EVENT_SYSCALL_EXIT, BY_SLEEPER, ID_ADDRESS, false,
	 OF(TASK) | OF(LOCK), "asks for this futex"},
	{MOMENT_BEGIN, EVENT_LOCK_BEGIN, EVENT_LOCK_END, BY_SLEEPER, ID_ANY, true, OF(LOCK),
	 "asks for this lock"},
	{MOMENT_BEGIN, EVENT_FLOCK, EVENT_KIND_COUNT, BY_SLEEPER, ID_BLOCKED, false,
	 OF(TASK) | OF(LOCK), "does not get the lock of the file"},
	{MOMENT_BEGIN, EVENT_POSIX_LOCK, EVENT_POSIX_LOCK_END, BY_SLEEPER, ID_BLOCKED, false,
	 OF(TASK) | OF(LOCK), "does not get the lock of the file"},
	{MOMENT_BEGIN, EVENT_MEMORY_BEGIN, EVENT_MEMORY_END, BY_SLEEPER, ID_MEMORY, true,
	 OF(MEMORY), "reclaims memory"},
	{MOMENT_BEGIN, EVENT_SYSCALL_ENTER, EVENT_SYSCALL_EXIT, BY_SLEEPER, ID_CALL, false,
	 OF_ANY, "enters a system call"},
	{MOMENT_BEGIN, EVENT_FUTEX_ENTER, EVENT_FUTEX_EXIT, BY_SLEEPER, ID_CALL, false, OF_ANY,
	 "enters a system call"},
	{MOMENT_END, EVENT_FUTEX_ENTER, EVENT_FUTEX_EXIT, BY_WAKER, ID_RELEASED, true,
	 OF(TASK) | OF(LOCK), "lets go of it"},
	{MOMENT_END, EVENT_SYSCALL_ENTER, EVENT_SYSCALL_EXIT, BY_WAKER, ID_RELEASED, true,
	 OF(TASK) | OF(LOCK), "lets go of it"},
	{MOMENT_END, EVENT_PROCESS_EXIT, EVENT_KIND_COUNT, BY_WAKER, ID_END, true, OF(TASK),
	 "ends"},
	{MOMENT_END, EVENT_HRTIMER_ENTRY, EVENT_HRTIMER_EXIT, BY_ANY, ID_LATER, true, OF(TIMER),
	 "the timer expires"},
	{MOMENT_END, EVENT_TIMER_ENTRY, EVENT_TIMER_EXIT, BY_ANY, ID_LATER, true, OF(TIMER),
	 "the timer expires"},
	/* an interrupt's thread is woken after its handler has ended */
	{MOMENT_END, EVENT_IRQ_ENTRY, EVENT_KIND_COUNT, BY_ANY, ID_NUMBER, true, OF(IRQ),
	 "the interrupt comes"},
	/* ksoftirqd is woken before the soft interrupt begins */
	{MOMENT_END, EVENT_SOFTIRQ_RAISE, EVENT_KIND_COUNT, BY_ANY, ID_VECTOR, true, OF(SOFTIRQ),
	 "the soft interrupt is raised"},
	{MOMENT_END, EVENT_SOFTIRQ_ENTRY, EVENT_SOFTIRQ_EXIT, BY_ANY, ID_VECTOR, true,
	 OF(SOFTIRQ), "the soft interrupt begins"},
	{MOMENT_END, EVENT_SOFTIRQ_ENTRY, EVENT_SOFTIRQ_EXIT, BY_ANY, ID_ANY, true, OF(RCU),
	 "the soft interrupt begins"},
	{MOMENT_END, EVENT_NET_RECEIVE, EVENT_KIND_COUNT, BY_ANY, ID_ANY, true, OF(NET),
	 "the packet is received"},
	{MOMENT_END, EVENT_SOCKET_RECEIVE, EVENT_KIND_COUNT, BY_ANY, ID_ANY, true, OF(NET),
	 "its socket gets the packet"},
	{MOMENT_END, EVENT_WORK_START, EVENT_WORK_END, BY_WAKER, ID_ANY, true, OF(WORK) | OF(RCU),
	 "the work item begins"},
	{MOMENT_END, EVENT_SIGNAL_GENERATE, EVENT_KIND_COUNT, BY_WAKER, ID_SIGNAL, true, OF(SIGNAL),
	 "the signal is sent"},
	{MOMENT_END, EVENT_IPI_ENTRY, EVENT_IPI_EXIT, BY_ANY, ID_ANY, true, OF(IPI),
	 "the interrupt from another CPU comes"},
	{MOMENT_END, EVENT_RESCHEDULE_ENTRY, EVENT_KIND_COUNT, BY_ANY, ID_ANY, true, OF(IPI),
	 "the interrupt from another CPU comes"},
	{MOMENT_END, EVENT_CGROUP_UNFREEZE, EVENT_KIND_COUNT, BY_WAKER, ID_ANY, true, OF(FROZEN),
	 "thaws it"},
	{MOMENT_END, EVENT_PROCESS_FORK, EVENT_KIND_COUNT, BY_WAKER, ID_ANY, true, OF(FORK),
	 "the child is made"},
};

/* Causes that the wake-up itself shows: by the task that runs then, or that it comes from an
   interrupt. */
#define SHOWN_BY_WAKEUP (OF(TASK) | OF(FORK) | OF(INTERRUPT))
/* What nothing is said of. */
#define NOT_SAID (OF(UNKNOWN) | OF(IDLE))

static nsec_t time_before(nsec_t time, uint32_t by)
{
	return by == TIME_UNKNOWN || by > time ? NSEC_NEVER : time - by;
}

static void wait_expect(struct evidence_stretch *stretch, nsec_t end)
{
	const struct cause *cause = &stretch->cause;

	stretch->has_cause = !(NOT_SAID & 1u << cause->kind);
	/* RCU's own thread is the waker */
	stretch->is_caused_by[MOMENT_END] = SHOWN_BY_WAKEUP & 1u << cause->kind ||
	                                    (cause->kind == CAUSE_RCU && cause->has_waker);
	stretch->moment[MOMENT_ORIGIN] = cause->has_originator ? cause->origin : NSEC_NEVER;
	if (cause->kind != CAUSE_DISK)
		return;
	stretch->moment[MOMENT_CAUSE] = time_before(end, cause->as.disk.wake_time);
	stretch->is_caused_by[MOMENT_CAUSE] = true;
}

struct evidence_stretch evidence_stretch_of(const struct timeline *timeline, uint32_t track,
                                            size_t segment)
{
	const struct track *of = &timeline->track[track];
	struct span span = timeline_span(timeline, track, segment);
	struct evidence_stretch stretch = {
		.track = track,
		.tid = hosts_process_id(of->host, of->tid),
		.kind = (uint8_t)span.kind,
		.moment = {NSEC_NEVER, span.begin, NSEC_NEVER,
		           span.is_open ? NSEC_NEVER : span.end},
	};

	if ((span.kind == SEGMENT_WAIT || span.kind == SEGMENT_STOPPED) && !span.is_open) {
		stretch.cause = timeline_cause(timeline, span.cause, span.end);
		stretch.is_for_lock =
			brief_aim_of_segment(timeline, track, segment).kind == AIM_LOCK;
		if (span.cause)
			stretch.purpose = span.cause->purpose;
		if (span.place)
			stretch.place = *span.place;
		wait_expect(&stretch, span.end);
	} else if (span.kind == SEGMENT_RUNNABLE && segment > 0) {
		/* who woke it is what ended its wait */
		const struct cause_note *waker = timeline_span(timeline, track, segment - 1).cause;

		stretch.cause = timeline_cause(timeline, waker, span.begin);
	}
	return stretch;
}

struct evidence_stretch evidence_stretch_of_request(const struct evidence_request *request)
{
	return (struct evidence_stretch){
		.request = *request,
		.track = TRACK_NONE,
		.cause.kind = CAUSE_DISK,
		.has_cause = true,
		.moment = {request->queued, NSEC_NEVER, request->issued, request->completed},
		.is_caused_by[MOMENT_END] = true,
	};
}

static bool request_is_of(const struct evidence_request *request, const struct seen_event *event)
{
	return event->id[0] == request->dev && event->id[1] == request->sector;
}

static uint64_t key_of(uint32_t host, int64_t tid)
{
	return (uint32_t)hosts_process_id(host, (int32_t)tid);
}

/* Sets what the event is about. */
static void event_identify(const struct event *event, struct seen_event *ret)
{
	const enum event_kind kind = event->kind;

	if (kind == EVENT_SCHED_SWITCH) {
		ret->id[0] = key_of(ret->host, event->sched_switch.prev_tid);
		ret->id[1] = key_of(ret->host, event->sched_switch.next_tid);
		ret->letter = (char)event->sched_switch.letter;
	} else if (kind == EVENT_SCHED_WAKING || kind == EVENT_SCHED_WAKEUP ||
	           kind == EVENT_SCHED_WAKEUP_NEW) {
		ret->id[0] = key_of(ret->host, event->wake.tid);
	} else if (kind == EVENT_SCHED_MIGRATE) {
		ret->id[0] = key_of(ret->host, event->migrate.tid);
	} else if (kind == EVENT_FUTEX_ENTER) {
		ret->id[0] = event->futex.address;
	} else if (kind == EVENT_SYSCALL_ENTER) {
		ret->id[0] = event->syscall.argument;
	} else if (kind == EVENT_LOCK_BEGIN) {
		ret->id[0] = event->lock.address;
	} else if (kind == EVENT_IRQ_ENTRY || kind == EVENT_SOFTIRQ_ENTRY ||
	           kind == EVENT_SOFTIRQ_RAISE) {
		ret->id[0] = (uint64_t)event->irq.number;
	} else if (kind == EVENT_SIGNAL_GENERATE) {
		ret->id[0] = (uint64_t)event->signal.number;
	} else if (kind == EVENT_FLOCK || kind == EVENT_POSIX_LOCK) {
		ret->id[0] = (uint64_t)event->file_lock.result;
	} else if (kind >= EVENT_BLOCK_QUEUE && kind <= EVENT_BLOCK_COMPLETE) {
		ret->id[0] = event->block.dev;
		ret->id[1] = event->block.sector;
	}
}

struct seen_event seen_event_of(const struct event *event, const struct raw_event *raw)
{
	struct seen_event seen = {
		.time = raw->time,
		.cpu = raw->cpu,
		.host = raw->host,
		.tid = raw->task,
		.kind = (uint8_t)event->kind,
		.is_interrupt = event->flags & (EVENT_HARDIRQ | EVENT_SOFTIRQ | EVENT_NMI),
		.name = raw->format->name,
	};

	event_identify(event, &seen);
	return seen;
}

static bool is_wakeup_of(const struct seen_event *event, int32_t tid)
{
	return (event->kind == EVENT_SCHED_WAKING || event->kind == EVENT_SCHED_WAKEUP ||
	        event->kind == EVENT_SCHED_WAKEUP_NEW) && event->id[0] == (uint32_t)tid;
}

static bool is_switch(const struct seen_event *event, int32_t tid, bool is_to)
{
	return event->kind == EVENT_SCHED_SWITCH && event->id[is_to] == (uint32_t)tid;
}

static void switch_say(const struct timeline *timeline, const struct evidence_stretch *stretch,
                       const struct seen_event *event, struct buffer *says)
{
	const char letter[2] = {event->letter, '\0'};
	bool sleeps = stretch->kind == SEGMENT_WAIT || stretch->kind == SEGMENT_STOPPED;

	if (event->id[1] == (uint32_t)stretch->tid)
		say(says, timeline, "{task} gets the CPU", TASK(stretch->track));
	else if (sleeps)
		say(says, timeline, "{task} goes to sleep[ ({text})]", TASK(stretch->track),
		    TEXT(letter));
	else
		say(says, timeline, "{task} leaves the CPU[ ({text})]", TASK(stretch->track),
		    TEXT(letter));
}

static void wakeup_say(const struct timeline *timeline, const struct evidence_stretch *stretch,
                       const struct seen_event *event, struct buffer *says)
{
	const struct cause *cause = &stretch->cause;
	bool has_waker = cause->has_waker && !event->is_interrupt;

	say(says, timeline, "[{task} wakes {task}|{if}an interrupt wakes {task}|{task} is woken]",
	    WHEN(has_waker, TASK_OF(&cause->waker)), TASK(stretch->track),
	    IF(event->is_interrupt), TASK(stretch->track), TASK(stretch->track));
}

/* What the originator of the cause did. */
static bool origin_fits(const struct timeline *timeline, const struct evidence_stretch *stretch,
                        const struct seen_event *event, struct buffer *says)
{
	static const struct {
		enum cause_kind cause;
		uint8_t kind;
		const char *says;
	} origins[] = {
		{CAUSE_DISK, EVENT_BLOCK_QUEUE, "submits the request"},
		{CAUSE_DISK, EVENT_BLOCK_INSERT, "submits the request"},
		{CAUSE_DISK, EVENT_BLOCK_ISSUE, "submits the request"},
		{CAUSE_TIMER, EVENT_HRTIMER_START, "sets the timer"},
		{CAUSE_TIMER, EVENT_TIMER_START, "sets the timer"},
		{CAUSE_WORK, EVENT_WORK_QUEUE, "queues the work item"},
		{CAUSE_RCU, EVENT_WORK_QUEUE, "queues the work item"},
		{CAUSE_NET, EVENT_NET_QUEUE, "sends the packet"},
		{CAUSE_NET, EVENT_SOCKET_SEND, "sends the packet"},
		{CAUSE_FROZEN, EVENT_CGROUP_FREEZE, "freezes it"},
	};
	const struct cause *cause = &stretch->cause;

	for (size_t i = 0; i < ARRAY_SIZE(origins); i++) {
		if (origins[i].cause != cause->kind || origins[i].kind != event->kind)
			continue;
		if (cause->kind == CAUSE_DISK && event->id[0] != cause->as.disk.dev)
			continue;
		say(says, timeline, "{task} {text}", TASK_OF(&cause->originator),
		    TEXT(origins[i].says));
		return true;
	}
	return false;
}

static bool cause_fits(const struct timeline *timeline, const struct evidence_stretch *stretch,
                       const struct seen_event *event, struct buffer *says)
{
	const struct cause *cause = &stretch->cause;

	if (cause->kind != CAUSE_DISK || event->kind != EVENT_BLOCK_COMPLETE ||
	    event->id[0] != cause->as.disk.dev || event->id[1] != cause->as.disk.sector)
		return false;
	say(says, timeline, "{device} completes the request", DEVICE(cause->as.disk.dev));
	return true;
}

/* A bio may be for another device than the request, and for a part of it. */
static bool request_fits(const struct timeline *timeline, const struct evidence_stretch *stretch,
                         enum evidence_moment moment, const struct seen_event *event,
                         struct buffer *says)
{
	const struct evidence_request *request = &stretch->request;
	bool is_end = moment == MOMENT_END;

	if (moment == MOMENT_ORIGIN) {
		if ((event->kind != EVENT_BLOCK_QUEUE && event->kind != EVENT_BLOCK_INSERT) ||
		    event->id[0] != request->dev)
			return false;
		say(says, timeline, "the request is [{if}submitted|queued]",
		    IF(event->kind == EVENT_BLOCK_QUEUE));
		return true;
	}
	if (event->kind != (is_end ? EVENT_BLOCK_COMPLETE : EVENT_BLOCK_ISSUE) ||
	    !request_is_of(request, event))
		return false;
	say(says, timeline, "{device} [{if}completes|gets] the request", DEVICE(request->dev),
	    IF(is_end));
	return true;
}

bool evidence_rule_fits(const struct timeline *timeline, const struct evidence_stretch *stretch,
                        enum evidence_moment moment, const struct seen_event *event,
                        struct buffer *says)
{
	bool runs = stretch->kind == SEGMENT_RUN, sleeps = stretch->kind == SEGMENT_WAIT ||
	                                                   stretch->kind == SEGMENT_STOPPED;
	bool is_end = moment == MOMENT_END;

	buffer_clear(says);
	if (stretch->request.dev)
		return request_fits(timeline, stretch, moment, event, says);
	if (moment == MOMENT_ORIGIN)
		return origin_fits(timeline, stretch, event, says);
	if (moment == MOMENT_CAUSE)
		return cause_fits(timeline, stretch, event, says);
	/* a task is switched to where it begins to run, and where it ends to be able to */
	if (is_switch(event, stretch->tid, sleeps ? false : is_end != runs)) {
		if (sleeps && is_end)
			return false;
		switch_say(timeline, stretch, event, says);
		return true;
	}
	if (stretch->kind == SEGMENT_RUNNABLE && !is_end && event->kind == EVENT_SCHED_MIGRATE &&
	    event->id[0] == (uint32_t)stretch->tid) {
		say(says, timeline, "{task} comes into another run queue", TASK(stretch->track));
		return true;
	}
	if (runs || (sleeps && !is_end) || (!sleeps && is_end) ||
	    !is_wakeup_of(event, stretch->tid))
		return false;
	wakeup_say(timeline, stretch, event, says);
	return true;
}

/* Whether what memory was needed for is known by where the task slept. */
static bool place_shows_memory(const struct sleep_place *place)
{
	return place->memory != MEMORY_NONE && place->memory != MEMORY_FAULT &&
	       place->memory != MEMORY_SWAP;
}

bool evidence_rule_stack(const struct timeline *timeline, const struct evidence_stretch *stretch,
                         bool *is_cause, struct buffer *says)
{
	const struct sleep_place *place = &stretch->place;

	*is_cause = stretch->cause.kind == CAUSE_MEMORY && place_shows_memory(place);
	if (!*is_cause && (!place->purpose || !stretch->cause.purpose))
		return false;
	buffer_clear(says);
	say(says, timeline, "{task} sleeps where [{if}memory is reclaimed|tasks wait for {text}]",
	    TASK(stretch->track), IF(*is_cause), TEXT(stretch->cause.purpose));
	return true;
}

/* Whether the purpose of the sleep is known from the system call that the task is in, and not from
   the stack of the sleep (syscall_tracker.c). */
static bool call_shows_purpose(const struct evidence_stretch *stretch)
{
	static const uint8_t purposes[] = {
		PURPOSE_NANOSLEEP,   PURPOSE_FUTEX,     PURPOSE_READ,           PURPOSE_WRITE,
		PURPOSE_ANSWER,      PURPOSE_EVENTFD,   PURPOSE_CHILD,          PURPOSE_SIGWAIT,
		PURPOSE_SYSV_SEM,    PURPOSE_SYSV_SEND, PURPOSE_SYSV_RECEIVE,
		PURPOSE_MQUEUE_SEND, PURPOSE_MQUEUE_RECEIVE,
	};

	return !stretch->place.purpose && stretch->cause.purpose &&
	       memchr(purposes, stretch->purpose, sizeof(purposes));
}

static bool rule_id_fits(const struct before_rule *rule, const struct evidence_stretch *stretch,
                         const struct last_events *last, const struct seen_event *event)
{
	const struct cause *cause = &stretch->cause;

	switch ((enum rule_id)rule->id) {
	case ID_ADDRESS:
		return event->id[0] && event->id[0] == cause->as.lock.address;
	case ID_RELEASED:
		return stretch->is_for_lock && event->id[0] == cause->as.lock.address;
	case ID_NUMBER:
		return (int32_t)event->id[0] == cause->as.irq.number;
	case ID_VECTOR:
		return (int32_t)event->id[0] == cause->as.softirq.vector;
	case ID_SIGNAL:
		return (int32_t)event->id[0] == cause->as.signal.number;
	case ID_END:
		return cause->name && strcmp(cause->name, "exit") == 0;
	case ID_BLOCKED:
		return event->id[0] == 1 && event->time >= last->of[EVENT_SCHED_SWITCH].time;
	case ID_LATER:
		return event->time >= last->of[EVENT_HRTIMER_ENTRY].time &&
		       event->time >= last->of[EVENT_TIMER_ENTRY].time;
	case ID_MEMORY:
		return !place_shows_memory(&stretch->place);
	case ID_CALL:
		return call_shows_purpose(stretch);
	case ID_ANY:
		break;
	}
	return true;
}

static bool rule_applies(const struct before_rule *rule, const struct evidence_stretch *stretch,
                         const struct last_events *last, const struct seen_event *event)
{
	const struct seen_event *before = &last->of[rule->kind];
	const struct seen_event *end =
		rule->end == EVENT_KIND_COUNT ? NULL : &last->of[rule->end];

	if (!(rule->causes & 1u << stretch->cause.kind) || !before->name ||
	    (end && end->name && end->time >= before->time))
		return false;
	if ((rule->by == BY_SLEEPER && before->tid != stretch->tid) ||
	    (rule->by == BY_WAKER && (before->tid != event->tid ||
	                              before->is_interrupt != event->is_interrupt)))
		return false;
	if (rule->by == BY_ANY && before->time < last->of[EVENT_SCHED_SWITCH].time)
		return false;
	return rule_id_fits(rule, stretch, last, before);
}

bool evidence_rule_before(const struct timeline *timeline, const struct evidence_stretch *stretch,
                          enum evidence_moment moment, const struct last_events *last,
                          const struct seen_event *event, struct evidence_use *use,
                          struct buffer *says)
{
	while (use->rule < ARRAY_SIZE(rules)) {
		const struct before_rule *of = &rules[use->rule++];

		if (of->moment != moment || !rule_applies(of, stretch, last, event))
			continue;
		use->event = &last->of[of->kind];
		use->is_cause = of->is_cause;
		buffer_clear(says);
		say(says, timeline, "[{task} |{task} ]{text}[, for {text}]",
		    WHEN(of->by == BY_SLEEPER, TASK(stretch->track)),
		    WHEN(of->by == BY_WAKER && stretch->cause.has_waker,
		         TASK_OF(&stretch->cause.waker)), TEXT(of->says),
		    WHEN(of->id == ID_CALL, TEXT(stretch->cause.purpose)));
		return true;
	}
	return false;
}
