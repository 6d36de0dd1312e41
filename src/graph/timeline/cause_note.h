/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a wait ended, as it is stored. Members that are not known, or that a kind does not use, are 0
 * in all bytes, so that equal causes are equal bytes. Tasks are tracks of the timeline
 * (timeline.h), strings ids in its names.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "ftwait/cause.h"
#include "ftwait/nsec.h"

#define TRACK_NONE UINT32_MAX /* no track */

struct cause_note {
	nsec_t origin;       /* when the originator began; NSEC_NEVER: not known */
	uint32_t waker;      /* track; TRACK_NONE: none */
	uint32_t originator; /* track; TRACK_NONE: none */
	uint32_t name;       /* id in names; 0: none. rcu: of the work item, not reported */
	uint8_t kind;        /* enum cause_kind; cause_note_become() changes it */
	uint8_t confidence;  /* enum confidence */
	uint8_t memory : 6;  /* enum memory_what that the wait was part of */
	bool is_sync : 1;    /* `file` was synced; false: it was read */
	bool is_walked : 1;  /* the waker's own track explains further: the walk goes there */
	uint8_t purpose;     /* enum purpose of the wait, if no other member shows it */
	/* A late soft interrupt: how many ns before the wake-up it was raised and entered; 0: not
	   late, or not known. */
	struct {
		uint32_t raised_before, entered_before;
		uint32_t name; /* id in names: of the interrupt's vector */
	} delay;
	int16_t delay_vector; /* of the late soft interrupt */
	uint16_t file; /* number in the timeline's files of the file that the wait was for; 0: none,
	                  or not known */
	union cause_members as;
};

/* Whether a timer of the sleeper's own ended the wait. */
static inline bool cause_note_is_own_timer(const struct cause_note *note)
{
	return note->kind == CAUSE_TIMER && note->as.timer.is_own;
}

/* Whether the sleeper chose the length of the sleep. If not, the kernel did, or it is the time
   until a poller noticed what it polled for. */
static inline bool cause_note_is_chosen(const struct cause_note *note)
{
	return cause_note_is_own_timer(note) && !sleep_call_is_held(note->as.timer.call) &&
	       !note->as.timer.is_late;
}

/* Whether the sleeper's own timer ended the sleep, and no limit of the call that it slept in, as
   far as is known. */
static inline bool cause_note_is_alarm(const struct cause_note *note)
{
	return cause_note_is_own_timer(note) && note->as.timer.call == CALL_NONE;
}

/* Whether the sleeper chose the length of the sleep for its own sake, as far as is known: the call,
   or the place that it slept in, shows no object that it wanted until a limit was over. */
bool cause_note_is_sleep(const struct cause_note *note);
/* Whether a task that slept for this had nothing to do: others asked it for something. */
static inline bool cause_note_is_work(const struct cause_note *note)
{
	return note->kind == CAUSE_NET && note->as.net.is_request &&
	       note->as.net.end == NET_END_PASSIVE;
}

/* Whether the sleeper's own time limit for this sleep was over. */
static inline bool cause_note_is_timeout(const struct cause_note *note)
{
	return cause_note_is_chosen(note) && note->as.timer.is_limit;
}

/* The length that a sleep was to have: it is over after `length`, and a timer that ended it may
   have been late. */
static inline nsec_t sleep_asked_length(const struct cause_note *end, nsec_t length)
{
	return end->kind == CAUSE_TIMER ? length - nsec_min(length, end->as.timer.late) : length;
}

/* Whether it is known which work item the waker was executing. */
static inline bool cause_note_has_work(const struct cause_note *note)
{
	return note->kind == CAUSE_WORK || (note->kind == CAUSE_RCU && note->as.work.begun);
}

/* Whether the note only shows the place of a wait that has not ended. */
static inline bool cause_note_is_open(const struct cause_note *note)
{
	return note->kind == CAUSE_UNKNOWN && note->as.unknown.is_open;
}

/* Changes the cause to that kind, with nothing known of it yet; members that all kinds share
   stay. */
static inline void cause_note_become(struct cause_note *note, enum cause_kind kind)
{
	note->kind = (uint8_t)kind;
	memset(&note->as, 0, sizeof(note->as));
	if (kind == CAUSE_DISK) {
		note->as.disk.queue_time = TIME_UNKNOWN;
		note->as.disk.device_time = TIME_UNKNOWN;
		note->as.disk.wake_time = TIME_UNKNOWN;
	} else if (kind == CAUSE_WORK) {
		note->as.work.queue_time = TIME_UNKNOWN;
	}
}

/*
 * A note of that kind with nothing else known. Notes are built where they are used: copying one
 * right after it was written field by field stalls the CPU.
 */
static inline void cause_note_init(struct cause_note *note, enum cause_kind kind,
                                   enum confidence confidence)
{
	/* all bytes, padding too: notes are compared as bytes */
	memset(note, 0, sizeof(*note));
	note->origin = NSEC_NEVER;
	note->waker = TRACK_NONE;
	note->originator = TRACK_NONE;
	note->confidence = (uint8_t)confidence;
	cause_note_become(note, kind);
}

/* What distinguishes a cause from others of its kind. */
struct cause_identity {
	uint32_t name; /* id in names; 0: none, or not distinctive */
	union cause_members as; /* only the distinctive members */
};

struct cause_identity cause_note_identity(const struct cause_note *note);
/* Whether both causes are of one kind and have the same identity. */
bool cause_note_is_alike(const struct cause_note *a, const struct cause_note *b);
bool cause_identity_is_same(const struct cause_identity *a, const struct cause_identity *b);
uint64_t cause_identity_hash(const struct cause_identity *identity, uint64_t hash);
