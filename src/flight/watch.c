/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "watch.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "decode/event_format.h"
#include "sentences/say.h"
#include "wait_match.h"

#define NO_ID         UINT32_MAX
#define SECOND        UINT64_C(1000000000)

/* What is remembered of a condition. */
struct watched {
	uint32_t id;           /* event: the record's type; NO_ID: it is not in the trace */
	uint32_t tid_offset;   /* event: of common_pid in the record */
	uint32_t flags_offset; /* event: of common_flags */
	nsec_t *sent;          /* retransmit: a ring of `rate` + 1 times */
	size_t sent_count;     /* since the last hit */
};

/* A task in run queues, without running in between: a piece for each CPU is a span of its own. */
struct delay {
	uint64_t tid;
	uint32_t track;
	bool has_begun; /* else the task is in no run queue */
	nsec_t since, until;
	bool is_doubtful, has_cause;
	bool is_carried;         /* seen by an earlier generation of the run only */
	struct cause_note cause; /* of the last piece */
};

struct watch {
	struct watch_setup setup;
	struct live_run *run;
	bool is_swapped; /* the records' byte order is not ours */
	bool has_waits, has_delays, has_records; /* a condition is about these */
	nsec_t floor; /* the last look: what ended before has been seen */
	struct watched watched[WATCH_CONDITIONS_MAX];
	struct tally delays; /* of struct delay, by tid */
	struct tally fired;  /* of struct fired_wait */
	struct hit_queue hits;
};

struct watch *watch_new(const struct watch_setup *setup)
{
	struct watch *watch = xcalloc(1, sizeof(*watch));

	assert(setup->condition_count <= WATCH_CONDITIONS_MAX);
	watch->setup = *setup;
	tally_init(&watch->delays, sizeof(struct delay), sizeof(uint64_t), TALLY_NO_LIMIT);
	tally_init(&watch->fired, sizeof(struct fired_wait), sizeof(uint64_t), TALLY_NO_LIMIT);
	for (size_t i = 0; i < setup->condition_count; i++) {
		const struct condition *condition = &setup->condition[i];
		bool is_of_record = condition->head == CONDITION_MARK ||
		                    condition->head == CONDITION_RETRANSMIT ||
		                    condition->head == CONDITION_EXIT ||
		                    condition->head == CONDITION_EVENT;

		watch->has_records |= is_of_record;
		watch->has_delays |= condition->head == CONDITION_DELAY;
		watch->has_waits |= !is_of_record && condition->head != CONDITION_DELAY;
		watch->watched[i].id = NO_ID;
		if (condition->head == CONDITION_RETRANSMIT)
			watch->watched[i].sent = xcalloc((size_t)condition->rate + 1,
			                                 sizeof(nsec_t));
	}
	return watch;
}

struct watch *watch_free(struct watch *watch)
{
	if (!watch)
		return NULL;
	for (size_t i = 0; i < watch->setup.condition_count; i++)
		free(watch->watched[i].sent);
	tally_release(&watch->delays);
	tally_release(&watch->fired);
	free(watch);
	return NULL;
}

/* Whether the format is of that event, "SYSTEM:NAME". */
static bool format_is_of(const struct format_text *format, struct text name, const char *event)
{
	size_t system = strlen(format->system);

	return strncmp(event, format->system, system) == 0 && event[system] == ':' &&
	       text_is(name, event + system + 1);
}

/* Sets where the fields are that all events have. */
static void watched_resolve(struct watched *watched, const struct format_text *text)
{
	const struct event_field *tid, *flags;
	struct event_format format;

	if (event_format_parse(text->text, text->length, &format) < 0)
		return;
	tid = event_format_find(&format, "common_pid");
	flags = event_format_find(&format, "common_flags");
	if (!tid || tid->size != 4 || !flags || flags->size != 1)
		return;
	watched->id = format.id;
	watched->tid_offset = tid->offset;
	watched->flags_offset = flags->offset;
}

void watch_attach(struct watch *watch, struct live_run *run, const struct source *source)
{
	watch->run = run;
	watch->is_swapped = source->is_big_endian != byte_order_is_big();
	for (size_t i = 0; i < source->format_count; i++) {
		struct text name;
		uint32_t id;

		if (event_format_parse_head(source->formats[i].text, source->formats[i].length,
		                            &name, &id) < 0)
			continue;
		for (size_t at = 0; at < watch->setup.condition_count; at++)
			if (watch->setup.condition[at].head == CONDITION_EVENT &&
			    format_is_of(&source->formats[i], name,
			                 watch->setup.condition[at].text))
				watched_resolve(&watch->watched[at], &source->formats[i]);
	}
}

static bool number_is_own(const struct watch *watch, int32_t number)
{
	for (size_t i = 0; i < watch->setup.own_count; i++)
		if (watch->setup.own[i] == number)
			return true;
	return false;
}

static bool track_is_own(const struct watch *watch, const struct track *track)
{
	return track->is_recorder || number_is_own(watch, track->tid) ||
	       number_is_own(watch, track->tgid);
}

static void comm_set(struct hit *hit, const char *comm)
{
	size_t length = strnlen(comm, HIT_COMM_BYTES - 1);

	memcpy(hit->comm, comm, length);
	hit->comm[length] = '\0';
}

/* Copies printable UTF-8, and cuts it between two characters. */
static void text_set(struct hit *hit, const struct buffer *text)
{
	static const char mark[] = "...";
	size_t length = text->length;

	if (length >= HIT_TEXT_BYTES) {
		length = HIT_TEXT_BYTES - sizeof(mark);
		while (((unsigned char)text->text[length] & 0xc0) == 0x80)
			length--;
		memcpy(hit->text + length, mark, sizeof(mark));
	} else {
		hit->text[length] = '\0';
	}
	memcpy(hit->text, text->text, length);
}

static void watch_fire(struct watch *watch, size_t condition, struct hit *hit,
                       const struct buffer *text)
{
	hit->condition = &watch->setup.condition[condition];
	text_set(hit, text);
	(void)hit_queue_add(&watch->hits, hit);
}

static void aim_set(struct hit *hit, const struct brief_aim *aim)
{
	_cleanup_(buffer_release) struct buffer name = {0};

	hit->aim = (uint8_t)aim->kind;
	if (!aim->name || !*aim->name)
		return;
	buffer_puts_clean(&name, aim->name, strlen(aim->name));
	if (name.length < sizeof(hit->aim_name))
		memcpy(hit->aim_name, name.text, name.length + 1);
}

static struct hit hit_of_track(const struct timeline *timeline, uint32_t index, nsec_t since,
                               nsec_t at)
{
	const struct track *track = &timeline->track[index];
	struct hit hit = {.at = at, .since = since, .tid = track->tid, .pid = track->tgid};

	comm_set(&hit, intern_text(&timeline->names, track->last_name));
	return hit;
}

/* The wait, or delay, matches; it fires unless it has fired already. */
static void wait_fire(struct watch *watch, size_t condition, const struct seen_wait *wait)
{
	struct hit hit = hit_of_track(wait->timeline, wait->track, wait->since, wait->until);
	_cleanup_(buffer_release) struct buffer text = {0};

	if (!fired_waits_add(&watch->fired, condition, hit.tid, wait->since, wait->until))
		return;
	aim_set(&hit, &wait->aim);
	if (watch->setup.condition[condition].head == CONDITION_DELAY)
		delay_hit_append(&text, wait);
	else
		wait_hit_append(&text, wait);
	watch_fire(watch, condition, &hit, &text);
}

static void watch_try_wait(struct watch *watch, const struct seen_wait *wait)
{
	for (size_t i = 0; i < watch->setup.condition_count; i++)
		if (condition_fits_wait(&watch->setup.condition[i], wait))
			wait_fire(watch, i, wait);
}

/*
 * What is known of the wait's cause. An earlier generation may know more: it saw that the task
 * asked for a contended lock, and this one only who ended the wait. `merged` is room for both.
 */
static const struct cause_note *wait_cause(const struct live_wait *known, const struct span *span,
                                           struct cause_note *merged)
{
	const struct cause_note *cause = span->cause;

	if (!known->cause || known->cause->kind == CAUSE_UNKNOWN)
		return cause ? cause : known->cause;
	if (!cause || cause->kind == CAUSE_UNKNOWN)
		return known->cause;
	if (known->cause->kind != CAUSE_LOCK || cause->kind != CAUSE_TASK)
		return cause;
	*merged = *known->cause;
	merged->waker = cause->waker;
	if (merged->originator == TRACK_NONE)
		merged->originator = cause->waker;
	return merged;
}

static void watch_take_wait(struct watch *watch, const struct span *span)
{
	struct live_wait known = live_run_wait(watch->run, span);
	struct cause_note merged;
	const struct cause_note *cause = wait_cause(&known, span, &merged);

	watch_try_wait(watch, &(struct seen_wait){
		.timeline = live_run_timeline(watch->run),
		.track = span->track,
		.since = nsec_min(known.since, span->end),
		.until = span->end,
		.is_open = span->is_open,
		.is_older = known.is_older,
		.is_doubtful = span->is_doubtful,
		.letter = known.detail,
		.timeout = known.timeout,
		.cause = cause,
		.aim = live_run_aim(watch->run, span, cause),
	});
}

static void watch_try_delay(struct watch *watch, const struct delay *delay, bool is_open)
{
	const struct seen_wait wait = {
		.timeline = live_run_timeline(watch->run),
		.track = delay->track,
		.since = delay->since,
		.until = delay->until,
		.is_open = is_open,
		.is_older = delay->since == live_run_timeline(watch->run)->begin,
		.is_doubtful = delay->is_doubtful,
		.cause = delay->has_cause ? &delay->cause : NULL,
	};

	for (size_t i = 0; i < watch->setup.condition_count; i++) {
		const struct condition *condition = &watch->setup.condition[i];

		if (condition->head == CONDITION_DELAY &&
		    delay->until - delay->since > condition->time &&
		    condition_fits_track(condition, wait.timeline, wait.track))
			wait_fire(watch, i, &wait);
	}
}

/* The key of the task's delay. */
static uint64_t delay_key(const struct watch *watch, const struct span *span)
{
	return (uint32_t)live_run_timeline(watch->run)->track[span->track].tid;
}

/* A piece of a delay: it continues the last one if that was not over when it begins. */
static struct delay *watch_take_piece(struct watch *watch, const struct span *span)
{
	struct delay *delay = tally_of(&watch->delays, delay_key(watch, span));

	if (delay->has_begun && span->begin > delay->until) {
		watch_try_delay(watch, delay, false);
		delay->has_begun = false;
	}
	if (!delay->has_begun)
		*delay = (struct delay){
			.tid = delay->tid, .has_begun = true, .since = span->begin};
	delay->track = span->track;
	delay->until = nsec_max(delay->until, span->end);
	delay->is_doubtful |= span->is_doubtful;
	delay->is_carried &= span->kind == SEGMENT_UNKNOWN;
	delay->has_cause = span->cause != NULL;
	if (span->cause)
		delay->cause = *span->cause;
	return delay;
}

static bool watch_ignores(const struct watch *watch, uint32_t track)
{
	const struct track *of = &live_run_timeline(watch->run)->track[track];

	return of->is_idle || track_is_own(watch, of);
}

/* Whether the span is a piece of a delay. A new generation does not know that a task is in a queue,
   but the one before it does. */
static bool span_is_piece(const struct watch *watch, const struct span *span)
{
	const struct delay *delay;

	if (!watch->has_delays || span->kind != SEGMENT_UNKNOWN)
		return watch->has_delays && span->kind == SEGMENT_RUNNABLE;
	delay = tally_get(&watch->delays, delay_key(watch, span));
	return delay && delay->is_carried && span->begin <= delay->until;
}

void watch_take_span(void *state, const struct span *span)
{
	struct watch *watch = state;
	bool is_wait;

	/* the next generation may have spans that this one passed on */
	if (!watch->run || span->end < watch->floor)
		return;
	is_wait = span->kind == SEGMENT_WAIT && watch->has_waits;
	if ((!is_wait && !span_is_piece(watch, span)) || watch_ignores(watch, span->track))
		return;
	if (is_wait)
		watch_take_wait(watch, span);
	else
		(void)watch_take_piece(watch, span);
}

/* What a task does that was in a queue was not recorded: so it is not known how long it was. */
static void watch_drop_delay(struct watch *watch, const struct span *span)
{
	struct delay *delay = tally_get(&watch->delays, delay_key(watch, span));

	if (delay && span->begin <= delay->until)
		delay->has_begun = false;
}

static void watch_look_track(struct watch *watch, uint32_t track)
{
	struct cause_note note;
	struct span span;

	if (watch_ignores(watch, track) ||
	    !machine_look(live_run_machine(watch->run), track, &span, &note))
		return;
	span.is_open = true;
	if (span.kind == SEGMENT_WAIT && watch->has_waits)
		watch_take_wait(watch, &span);
	else if (span_is_piece(watch, &span))
		watch_try_delay(watch, watch_take_piece(watch, &span), true);
	else if (span.kind == SEGMENT_UNKNOWN)
		watch_drop_delay(watch, &span);
}

/* A delay that has ended fires; one that is open stays. */
static bool delay_is_open(void *row, void *state)
{
	struct watch *watch = state;
	struct delay *delay = row;

	if (!delay->has_begun || delay->until >= watch->floor)
		return delay->has_begun;
	watch_try_delay(watch, delay, false);
	return false;
}

void watch_look(struct watch *watch, nsec_t reached)
{
	const struct timeline *timeline = live_run_timeline(watch->run);

	if (watch->has_waits || watch->has_delays)
		for (uint32_t track = 0; track < timeline->track_count; track++)
			watch_look_track(watch, track);
	watch->floor = reached;
	tally_keep(&watch->delays, delay_is_open, watch);
	fired_waits_forget(&watch->fired, reached);
}

static bool delay_goes_on(void *row, void *state)
{
	struct watch *watch = state;
	struct delay *delay = row;

	delay->track = machine_task_of(live_run_machine(watch->run), (int32_t)delay->tid);
	delay->has_cause = false;
	delay->is_carried = true;
	return delay->track != TRACK_NONE;
}

/* All delays are open: the last look saw that. */
void watch_turn(struct watch *watch)
{
	tally_keep(&watch->delays, delay_goes_on, watch);
}

/* The task that a record is of, where that is known. */
struct actor {
	uint32_t track; /* TRACK_NONE: only what follows is known */
	struct task task;
};

static struct actor actor_of(const struct watch *watch, int64_t tid, const char *comm)
{
	struct actor actor = {.track = machine_task_of(live_run_machine(watch->run), tid)};

	if (actor.track != TRACK_NONE)
		actor.task = timeline_task(live_run_timeline(watch->run), actor.track, NSEC_NEVER);
	else
		actor.task = (struct task){.tid = (int32_t)tid, .tgid = -1, .comm = comm};
	return actor;
}

static bool actor_fits(const struct watch *watch, const struct condition *condition,
                       const struct actor *actor)
{
	if (actor->track == TRACK_NONE)
		return !number_is_own(watch, actor->task.tid) &&
		       condition_fits_tid(condition, actor->task.tid, actor->task.comm);
	return !watch_ignores(watch, actor->track) &&
	       condition_fits_track(condition, live_run_timeline(watch->run), actor->track);
}

/* `task` NULL: it is of no task. */
static void record_fire(struct watch *watch, size_t condition, nsec_t since, nsec_t at,
                        const struct task *task, const struct buffer *text)
{
	struct hit hit = {
		.at = at,
		.since = since,
		.tid = task ? task->tid : -1,
		.pid = task ? task->tgid : -1,
	};

	if (task)
		comm_set(&hit, task->comm);
	watch_fire(watch, condition, &hit, text);
}

static bool text_contains(struct text text, const char *part)
{
	size_t length = strnlen(text.at, text.length);

	return memmem(text.at, length, part, strlen(part)) != NULL;
}

static void watch_try_mark(struct watch *watch, size_t at, const struct event *event)
{
	const struct condition *condition = &watch->setup.condition[at];
	_cleanup_(buffer_release) struct buffer text = {0};
	struct actor actor;

	if (event->kind != EVENT_MARK || !text_contains(event->mark.text, condition->text))
		return;
	actor = actor_of(watch, event->tid, "");
	if (!actor_fits(watch, condition, &actor))
		return;
	mark_hit_append(&text, event->mark.text, &actor.task);
	record_fire(watch, at, event->time, event->time, &actor.task, &text);
}

static void watch_try_exit(struct watch *watch, size_t at, const struct event *event)
{
	const struct condition *condition = &watch->setup.condition[at];
	_cleanup_(buffer_release) struct buffer text = {0};
	char comm[HIT_COMM_BYTES] = "";
	struct actor actor;

	if (event->kind != EVENT_PROCESS_EXIT)
		return;
	if (event->process.comm.length)
		(void)snprintf(comm, sizeof(comm), "%.*s", (int)event->process.comm.length,
		               event->process.comm.at);
	actor = actor_of(watch, event->process.tid, comm);
	if (fnmatch(condition->text, *comm ? comm : actor.task.comm, 0) != 0 ||
	    !actor_fits(watch, condition, &actor))
		return;
	say(&text, NULL, "{task} exited", TASK_OF(&actor.task));
	record_fire(watch, at, event->time, event->time, &actor.task, &text);
}

/* Fires when the last `rate` + 1 are within a second; what was counted then does not count
   again. */
static void watch_try_retransmit(struct watch *watch, size_t at, const struct event *event)
{
	struct watched *watched = &watch->watched[at];
	size_t size = (size_t)watch->setup.condition[at].rate + 1;
	_cleanup_(buffer_release) struct buffer text = {0};
	nsec_t first;

	if (event->kind != EVENT_SOCKET_RETRANSMIT)
		return;
	watched->sent[watched->sent_count++ % size] = event->time;
	first = watched->sent[watched->sent_count % size];
	if (watched->sent_count < size || event->time > first + SECOND)
		return;
	watched->sent_count = 0;
	say(&text, NULL, "{number} TCP retransmission{|s} in {time}", NUMBER(size),
	    TIME(event->time - nsec_min(first, event->time)));
	record_fire(watch, at, nsec_min(first, event->time), event->time, NULL, &text);
}

/* An interrupt is not caused by the task that it interrupts. */
static void watch_try_event(struct watch *watch, size_t at, const struct live_record *live)
{
	const struct condition *condition = &watch->setup.condition[at];
	const struct watched *watched = &watch->watched[at];
	const struct record *record = live->record;
	_cleanup_(buffer_release) struct buffer text = {0};
	struct actor actor = {.track = TRACK_NONE};
	bool is_of_task;

	if (watched->id == NO_ID || record->length < watched->tid_offset + sizeof(uint32_t) ||
	    record->length <= watched->flags_offset ||
	    load_u16(record->payload, watch->is_swapped) != watched->id)
		return;
	is_of_task = !(record->payload[watched->flags_offset] &
	               (EVENT_HARDIRQ | EVENT_SOFTIRQ | EVENT_NMI));
	if (is_of_task) {
		actor = actor_of(watch, (int32_t)load_u32(record->payload + watched->tid_offset,
		                                          watch->is_swapped), "");
		if (actor.task.tid == 0)
			actor.task.comm = "swapper";
		if (!actor_fits(watch, condition, &actor))
			return;
	} else if (condition->filters) {
		return;
	}
	say(&text, NULL, "event {text} [by {task}|in an interrupt on CPU {number}]",
	    TEXT(condition->text), WHEN(is_of_task, TASK_OF(&actor.task)), NUMBER(live->cpu));
	record_fire(watch, at, record->time, record->time, is_of_task ? &actor.task : NULL, &text);
}

void watch_take_record(void *state, const struct live_record *record)
{
	struct watch *watch = state;

	if (!watch->run || !watch->has_records)
		return;
	for (size_t i = 0; i < watch->setup.condition_count; i++) {
		enum condition_head head = watch->setup.condition[i].head;

		if (head == CONDITION_EVENT)
			watch_try_event(watch, i, record);
		else if (!record->event)
			continue;
		else if (head == CONDITION_MARK)
			watch_try_mark(watch, i, record->event);
		else if (head == CONDITION_EXIT)
			watch_try_exit(watch, i, record->event);
		else if (head == CONDITION_RETRANSMIT)
			watch_try_retransmit(watch, i, record->event);
	}
}

bool watch_next(struct watch *watch, struct hit *ret)
{
	return hit_queue_take(&watch->hits, ret);
}

uint64_t watch_hits_lost(const struct watch *watch)
{
	return watch->hits.lost;
}
