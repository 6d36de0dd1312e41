/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The history: one track a task, on it segments that tile the task's life. A segment has no end of
 * its own; it ends where the next one begins, so a track cannot have gaps or overlaps.
 *
 *	track    RUN        WAIT              RUNNABLE  RUN ...
 *	         |----------|-----------------|---------|-----
 *	begin    10         20                35        40
 *	                    cause: why 35
 *
 * Cost: 16 bytes a segment (48 a wait) and 80 for a cause that is not the same as one before.
 * Without history (timeline_init() with keep_segments false) only the tracks and their names are
 * kept. With a limit, the caller that adds spans calls timeline_trim() once timeline_is_full():
 * that forgets the older half, and marks a track whose beginning is forgotten (`is_trimmed`).
 * Tracks are never removed. At most TRACKS_MAX tracks; see timeline_add_track().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assume.h"
#include "base/data/intern.h"
#include "base/data/map.h"
#include "cause_note.h"
#include "ftwait/cause.h"
#include "ftwait/host.h"
#include "ftwait/nsec.h"
#include "ftwait/task.h"
#include "graph/aims/sleep_series.h"
#include "graph/logs/descriptor_log.h"
#include "graph/logs/object_names.h"
#include "graph/logs/process_log.h"
#include "graph/logs/short_stacks.h"
#include "graph/logs/track_log.h"
#include "words/cause/futex_kind.h"
#include "words/cause/purpose.h"

#define TRACKS_MAX (1u << 22)

enum segment_kind {
	SEGMENT_RUN,      /* on `cpu` */
	SEGMENT_RUNNABLE, /* queued on `cpu` as far as known */
	SEGMENT_WAIT,
	SEGMENT_STOPPED,  /* T, t */
	SEGMENT_UNKNOWN,
	SEGMENT_DEAD,     /* after the end; has no duration */
	SEGMENT_NEW,      /* forked, not yet made runnable: in the machine only, never on a track */
};

/* Why a task is runnable. */
enum runnable_reason {
	RUNNABLE_WOKEN,
	RUNNABLE_PREEMPTED,   /* the kernel recorded that */
	RUNNABLE_YIELDED,     /* yielded on return to user space, or by sched_yield() */
	RUNNABLE_NEW,
	RUNNABLE_UNTHROTTLED, /* a CPU limit held it back until now */
	RUNNABLE_GAVE_AWAY,   /* yielded, and nothing seen made it leave: by sched_yield(), if the
	                         track has YIELDS_CERTAIN */
};

/* Whether a switch has taken it off its CPU, and it was able to run on. */
static inline bool runnable_by_switch(uint8_t reason)
{
	return reason == RUNNABLE_PREEMPTED || reason == RUNNABLE_YIELDED ||
	       reason == RUNNABLE_GAVE_AWAY;
}

enum io_wait {
	IO_WAIT_UNKNOWN,
	IO_WAIT_NO,
	IO_WAIT_YES,
};

/* What the sleeper's own functions, those next to the scheduler, show of the place. */
enum place_kind {
	PLACE_UNKNOWN, /* not recorded */
	PLACE_OTHER,   /* none of the kinds below */
	PLACE_LOCK,    /* it waits for a lock of the kernel */
	PLACE_PIPE,    /* it waits to read from a pipe, or for room to write into one */
};

/* Where in the kernel a task slept in a wait, and where the wait was ended; all 0: not recorded. */
struct sleep_place {
	uint32_t frames;  /* id in names: functions, innermost first, separated by ";"; 0: none */
	uint32_t user;    /* id in names: functions of the program that led there; 0: none */
	uint32_t waker;   /* id in names: functions of the waker; 0: none */
	uint8_t io_wait;  /* enum io_wait */
	uint8_t memory;   /* enum memory_what that the place stands for */
	uint8_t call;     /* enum sleep_call of the call that sleeps there */
	bool is_frozen;   /* the freezer stopped it there */
	bool is_for_work; /* a place where tasks sleep that have nothing to do */
	uint8_t kind;     /* enum place_kind */
	uint8_t purpose;  /* enum purpose of sleeps there */
};

/* The stacks of both ends of a wait: ids in names, 0: not recorded. */
struct wait_stacks {
	uint32_t frames, user, waker;
};

static inline struct wait_stacks place_stacks(const struct sleep_place *place)
{
	return place ? (struct wait_stacks){place->frames, place->user, place->waker}
	             : (struct wait_stacks){0};
}

static inline bool stacks_are_same(const struct wait_stacks *a, const struct wait_stacks *b)
{
	return a->frames == b->frames && a->user == b->user && a->waker == b->waker;
}

struct segment {
	nsec_t begin;
	/* Index in causes, or CAUSE_NONE. WAIT, STOPPED: of what ended it, or of what is known of
	   an open one. RUNNABLE: of the limit that held it back all the time. UNKNOWN: of the
	   message that ended it. */
	uint32_t cause;
	union {
		struct { /* all but the kind are meaningful for WAIT only */
			uint8_t kind : 3;     /* enum segment_kind */
			uint8_t timeout : 3;  /* enum sleep_timeout */
			uint8_t is_quiet : 1; /* nothing was done since the wait before */
			uint8_t is_again : 1; /* it is where that wait was, with nothing done
			                         since */
		};
		uint8_t shape; /* all of them as one byte, to copy */
	};
	uint8_t detail; /* WAIT, STOPPED: the kernel's letter, | WAIT_FOR_WORK where nothing
	                   blocks the task but there is nothing to do; RUNNABLE: enum
	                   runnable_reason */
	union {
		struct {
			uint16_t cpu : 15;
			uint16_t is_doubtful : 1; /* low confidence: crosses or follows a loss */
		};
		uint16_t where; /* both of them, to set them at once */
	};
};

#define CAUSE_NONE    UINT32_MAX
#define WAIT_FOR_WORK 0x80

/* Whether the task chose that sleep: to have nothing to do, or for as long as it asked for. A pause
   in state D is not chosen: the kernel holds the task back. awaited.h also uses the sleeps around
   it. */
static inline bool wait_is_chosen(uint8_t detail, bool is_open, const struct cause_note *cause)
{
	return detail & WAIT_FOR_WORK ||
	       (cause && !is_open && cause_note_is_sleep(cause));
}

/* A segment in the form in which the machine emits it, once it has ended or the trace's end cuts
   it. */
struct span {
	uint32_t track;
	nsec_t begin, end;
	enum segment_kind kind;
	uint8_t detail;
	uint16_t cpu;
	bool is_open;     /* cut by the end of the trace */
	bool is_doubtful;
	union { /* as in struct segment */
		struct { uint8_t : 3, timeout : 3, is_quiet : 1, is_again : 1; };
		uint8_t shape;
	};
	/* as in struct segment; NULL: nothing is known */
	const struct cause_note *cause;
	const struct sleep_place *place; /* WAIT; NULL: not recorded */
};

/* A sum of spans, and the part of it in which it is known what the task did and, for a wait that
   ended, what ended it. */
struct explained_time {
	nsec_t all, explained;
};

static inline bool span_is_explained(const struct span *span)
{
	return span->kind != SEGMENT_UNKNOWN &&
	       (span->kind != SEGMENT_WAIT || span->is_open ||
	        (span->cause && span->cause->kind != CAUSE_UNKNOWN));
}

static inline void explained_time_add(struct explained_time *sum, const struct span *span)
{
	sum->all += span->end - span->begin;
	sum->explained += span_is_explained(span) ? span->end - span->begin : 0;
}

/* Id in names of the stack in which a wait was slept; 0: not recorded. */
static inline uint32_t span_frames(const struct span *span)
{
	return span->place ? span->place->frames : 0;
}

/* Most traces record no places, so they are kept beside the segments. */
struct segment_place {
	uint32_t segment; /* index in the track's segments */
	struct sleep_place place;
};

/* A wake-up that fold.h removed: the wait went on. */
struct spurious_wakeup {
	uint32_t segment; /* index of the wait in the track's segments */
	uint32_t cause;   /* index in causes */
	nsec_t time;
};

/* A priority that a task had for a while (ftwait/task.h). */
struct rank {
	nsec_t until;     /* NSEC_NEVER: still valid. First member: track_rank() searches by it */
	uint32_t lender;  /* track that lent it, as it waits for a lock of this task; TRACK_NONE:
	                     not lent, or lender not known */
	int16_t priority; /* with which it competes */
	int16_t own;      /* the priority without a loan */
};

static inline bool rank_is_lent(const struct rank *rank)
{
	return rank->priority < rank->own;
}

/* What a task was doing when the tick interrupted it; ids in names as for a wait. */
struct run_sample {
	nsec_t time;
	uint32_t frames; /* of the kernel; 0: it was in the program, or not recorded */
	uint32_t user;
};

struct name_change {
	nsec_t time;
	nsec_t active; /* time that the task had run and waited until then */
	uint32_t name; /* id in names */
};

enum death_kind {
	DEATH_UNKNOWN,
	DEATH_ASKED,  /* it was sent a signal that may end it; no more is known */
	DEATH_STATUS, /* it ended by itself, with that exit status */
	DEATH_SIGNAL,
};

/* How a process ended, or is about to, as far as recorded; on the track of its first thread. */
struct track_death {
	nsec_t at;      /* when the signal was sent; status: when it was recorded */
	uint32_t by;    /* signal: track of the sender; OOM: of the task that requested memory;
	                   TRACK_NONE: not known, or an interrupt sent it */
	uint32_t name;  /* of the signal, id in names; 0: it has none */
	int32_t number; /* of the signal; exit status */
	uint8_t kind;   /* enum death_kind */
	bool is_oom;    /* by the OOM killer */
	bool is_over;   /* all its threads have ended, and the cause is not known */
	bool is_found;  /* a thread of it has found the SIGKILL that ends it */
};

/* See timeline_tasks.h. All TRACK_NONE: no thread executed a program. */
struct succession {
	uint32_t heir;    /* the thread that took this track's place */
	uint32_t former;  /* the leader before this track */
	uint32_t creator; /* if `former`: the track that created this one as a thread */
	nsec_t created;   /* and when; NSEC_NEVER: before the trace */
};

/* The first time that its parent asked a process to end, by a signal that programs may handle; on
   the track of its first thread. */
struct track_ask {
	nsec_t at;
	uint32_t by; /* track of the thread that did; TRACK_NONE: none */
};

struct track {
	/* What walks read at each step, close together: where thousands of tasks wake each other,
	   hardly any track is still in the cache. */
	struct segment *segment;
	size_t segment_count;
	size_t hint;           /* where the last search ended; see timeline_find() */
	nsec_t end;            /* of its last segment; 0 while there is none */
	uint32_t last_name;    /* id in names; 0: it has none */
	uint32_t main_name;    /* id in names, of task_names.h; 0: the last name */
	uint32_t walk_frame;   /* of the present walk: its innermost frame on this track */
	struct series_log *series; /* SERIES_KINDS logs; NULL: it has no series of sleeps */

	int32_t tid, tgid;     /* tgid -1: not known */
	int16_t priority;      /* with which it competes, as last seen; PRIORITY_UNKNOWN */
	uint32_t generation;   /* counts the tasks that had this tid before */
	uint32_t parent;       /* track that forked it; TRACK_NONE: not seen */
	uint32_t thread;       /* the only thread of its process that it has begun; TRACK_NONE:
	                          none; itself: several */
	uint32_t old_parent;   /* of a process that is older than the trace, as the recorder saw;
	                          TRACK_NONE: not known */
	nsec_t born;           /* when it was forked; NSEC_NEVER: before the trace */
	struct succession succession; /* of leaders of a process */
	nsec_t begin;          /* of its first segment; NSEC_NEVER while there is none */
	nsec_t active;         /* time that it ran and waited until `end` */
	nsec_t ran;            /* time that it ran until `end` */
	nsec_t unexplained;    /* time of its spans, forgotten ones included, that is not
	                          explained; see track_time() */
	uint8_t host;          /* number of its machine in the timeline's hosts; 0 where there is
	                          one machine */
	uint8_t yields;        /* how often it certainly gave its CPU away, up to YIELDS_CERTAIN */
	bool is_idle;          /* tid 0 of one CPU */
	bool is_kernel;        /* kernel thread, where that is known */
	bool is_command;       /* COMMAND of the recording itself */
	bool is_target;        /* a target of the recording: COMMAND or -p, and children */
	bool is_limited;       /* it has run or queued under a noted CPU limit */
	bool is_recorder;      /* a thread of the recorder of the trace */
	bool is_program_seen;  /* its program was executed within the trace */
	bool accepts;          /* it, or the task that forked it, accepts connections that others
	                          open */
	bool listens;          /* it, or the task that forked it, has made a listening socket */
	bool has_asked;        /* of a process, with its first thread: it has sent a request, or
	                          forked a child, for which it may wait */
	bool is_killed;        /* it found the SIGKILL that ends its process */
	bool is_open;          /* lives at the end of the trace */
	bool ends_with_another; /* another thread ended it, and one of its waits */
	bool is_trimmed;       /* segments before its first one are forgotten */
	bool is_shown_open;    /* timeline_hide_open() removes its last segment */
	bool was_stopped;      /* by a signal or a tracer */
	bool has_own_timers;   /* a timer of its own has ended a wait of it */
	bool has_sleepers;     /* children that may sleep for it (poll.h) */
	bool has_children;     /* processes, as far as known (last_child.h) */
	nsec_t exits_since;    /* begin of its first wait that the end of another task may have
	                          ended; NSEC_NEVER: none */
	/* Tracks as of the last timeline_find_awaited(), TRACK_NONE: none. The latest child, and of
	   a child the one before it of that parent; see track_known_parent(). */
	uint32_t last_child, child_before;
	size_t segment_capacity;
	size_t segments_gone;  /* number of forgotten segments before the first one */
	struct segment_place *place; /* in order of the segments, for those that have one */
	uint32_t place_count, place_capacity;
	struct spurious_wakeup *spurious_wakeup; /* in order of the segments */
	uint32_t spurious_wakeup_count, spurious_wakeup_capacity;
	struct run_sample *sample; /* in order of time */
	uint32_t sample_count, sample_capacity;
	struct track_death death;
	struct track_ask ask;
	struct memory_log *memory; /* NULL: it never reclaimed memory */
	struct aim_log *aims;  /* NULL: nothing was noted of what it wanted */
	struct name_change *name;
	uint32_t name_count, name_capacity;
	struct rank *rank;     /* in order of time; NULL: it only ever had `priority` */
	uint32_t rank_count, rank_capacity;
};

/* Whether walks follow what a task waits for by sleeping on its own timer; see awaited.h. */
enum through_polls {
	POLLS_IF_CERTAIN,
	POLLS_ALL,
	POLLS_NEVER,
};

#define CAUSES_RECENT 256 /* a power of 2 */

struct timeline {
	bool keep_segments;
	bool ends_here;    /* what is shown open is shown as at the end of the trace: views take it,
	                      too */
	bool shows_groups; /* results name the control groups of tasks */
	bool ignores_submitters; /* walks do not follow the submitters of requests */
	enum through_polls through_polls; /* see awaited.h */
	size_t bytes_max; /* the most `bytes` of history; 0: no limit; see timeline_limit() */
	size_t bytes_half; /* half of that; SIZE_MAX: no limit, or `half` is known */
	size_t bytes;     /* of segments, places, causes, reclaim stretches */
	nsec_t half;      /* when `bytes` first reached bytes_half since the last trim;
	                     NSEC_NEVER */
	uint32_t half_cause; /* index in causes of the next cause at that time */
	size_t place_count, sample_count; /* over all tracks */
	struct track *track;
	size_t track_count, track_capacity;
	struct cause_note *cause; /* see timeline_cause_at() */
	size_t cause_count, cause_capacity;
	uint32_t causes_gone; /* number of forgotten causes */
	uint32_t *old_link; /* the first old_count causes are older than the kept history: their
	                       links, in order */
	size_t old_count;
	struct map cause_by_hash;
	uint32_t recent_cause[CAUSES_RECENT]; /* a cache: index in causes + 1; 0: none */
	struct cause_note **side; /* causes that walks add; their addresses do not change */
	size_t side_count, side_capacity;
	const struct cause_note *plain[CAUSE_KIND_COUNT]; /* causes that consist of nothing but
	                                                     their kind */
	struct intern names;
	struct device_names devices;
	struct file_names files;
	struct group_log groups; /* see timeline_group_at() */
	struct program_log programs; /* see timeline_program_at() */
	struct descriptor_log descriptors;
	struct user_variables variables; /* at which tasks slept */
	struct map futex_signs; /* object_names.h */
	struct short_stacks short_stacks;
	struct hosts hosts;
	nsec_t begin, end; /* of the trace */
};

void timeline_init(struct timeline *timeline, bool keep_segments);
void timeline_release(struct timeline *timeline);
/* Keeps at most so many bytes of history from now on; 0: all of it. */
void timeline_limit(struct timeline *timeline, size_t bytes_max);
/* Adds a track without segments. TRACK_NONE beyond TRACKS_MAX: the caller counts and ignores it. */
uint32_t timeline_add_track(struct timeline *timeline, int32_t tid);
/*
 * The task has that name from `time` on. Only a name different from the last one is kept; a name
 * that was given for a later time is replaced.
 */
void timeline_add_name(struct timeline *timeline, uint32_t track, nsec_t time, const char *name,
                       size_t length);
/* From `time` on the task has that rank, whose `until` is ignored. */
void timeline_set_rank(struct timeline *timeline, uint32_t track, nsec_t time,
                       const struct rank *rank);
/* The rank at that time, or the first one. Cost: O(log n). */
struct rank track_rank(const struct track *track, nsec_t t);
/* So many certain yields make a task one that yields; others were seen to have at most 2. */
#define YIELDS_CERTAIN 4

/* When it was forked, or else first seen. */
static inline nsec_t track_birth(const struct track *track)
{
	return track->born == NSEC_NEVER ? track->begin : track->born;
}

/* The time of all its spans, forgotten ones included, without what is only shown open. */
static inline struct explained_time track_time(const struct track *track)
{
	nsec_t end = track->is_shown_open ? track->segment[track->segment_count - 1].begin
	                                  : track->end;
	nsec_t all = track->begin == NSEC_NEVER ? 0 : end - track->begin;

	return (struct explained_time){all, all - track->unexplained};
}

/* The number by which logs know the task's process. */
static inline int32_t track_process_id(const struct track *track)
{
	return hosts_process_id(track->host, track->tgid > 0 ? track->tgid : track->tid);
}

/* The task's tid as a key that no task of another machine has. */
static inline int32_t track_id(const struct track *track)
{
	return hosts_process_id(track->host, track->tid);
}

/* Id in names of the variable at an address of the track's process; 0: not known. */
static inline uint32_t timeline_variable(const struct timeline *timeline, uint32_t track,
                                         uint64_t address)
{
	const struct user_variable *known = user_variables_find(
		&timeline->variables, track_process_id(&timeline->track[track]), address);

	ASSUME(track < timeline->track_count);
	return known ? known->name : 0;
}

/* The signs of a sleep at a futex, enum futex_sign, with those of all calls at that address of the
   track's process. TRACK_NONE: these are not known. */
static inline uint32_t timeline_futex_signs(const struct timeline *timeline, uint32_t track,
                                            uint64_t address, uint32_t signs)
{
	if (!(signs & FUTEX_CONDITIONAL) || track == TRACK_NONE)
		return signs;
	return signs | futex_signs_find(&timeline->futex_signs,
	                                (uint32_t)track_process_id(&timeline->track[track]),
	                                address);
}

/* The text of an id in names; NULL for 0. */
static inline const char *timeline_text(const struct timeline *timeline, uint32_t id)
{
	return id ? intern_text(&timeline->names, id) : NULL;
}

/* Whether the two tracks are one, or threads of one process as far as known. TRACK_NONE belongs to
   no process. */
static inline bool timeline_is_one_process(const struct timeline *timeline, uint32_t a,
                                           uint32_t b)
{
	ASSUME(a == TRACK_NONE || a < timeline->track_count);
	ASSUME(b == TRACK_NONE || b < timeline->track_count);
	return a == b || (a != TRACK_NONE && b != TRACK_NONE && timeline->track[a].tgid > 0 &&
	                  timeline->track[a].tgid == timeline->track[b].tgid &&
	                  timeline->track[a].host == timeline->track[b].host);
}

/* Whether the process of `of`, or a descendant of it, forked the track. A thread of the same
   process counts only for the thread that created it. At most 64 generations are examined. */
bool timeline_descends(const struct timeline *timeline, uint32_t track, uint32_t of);

/* Whether the older half is to be forgotten before much more is added. */
static inline bool timeline_is_full(const struct timeline *timeline)
{
	return timeline->bytes_max && timeline->bytes > timeline->bytes_max;
}

/*
 * Forgets the segments that had ended when half of the room was used, and what belongs to them.
 * Invalidates pointers to segments, places and causes. Cost: O(tracks + segments).
 */
void timeline_trim(struct timeline *timeline);
/*
 * The task has been in that state since the span's begin, where the track's last segment ended, and
 * still is at its end. Shows the track as if the trace ended there, until timeline_hide_open();
 * without the place of a sleep.
 */
void timeline_show_open(struct timeline *timeline, const struct span *span);
void timeline_hide_open(struct timeline *timeline, uint32_t track);
/* A kept cause, by the index that segments and links have. */
static inline const struct cause_note *timeline_cause_at(const struct timeline *timeline,
                                                         uint32_t index)
{
	ASSUME(index >= timeline->causes_gone &&
	       index - timeline->causes_gone < timeline->cause_count);
	return &timeline->cause[index - timeline->causes_gone];
}

/* What a segment's cause says; NULL: nothing is known. */
static inline const struct cause_note *segment_cause(const struct timeline *timeline,
                                                     const struct segment *segment)
{
	return segment->cause == CAUSE_NONE ? NULL : timeline_cause_at(timeline, segment->cause);
}

/* Keeps the note; returns its index in causes, CAUSE_NONE if no history is kept. */
uint32_t timeline_note_cause(struct timeline *timeline, const struct cause_note *note);
/* Half of the room is free again: timeline_add_span() is to note when it is used up. */
void timeline_begin_half(struct timeline *timeline);
/* From here to timeline_add_place(): parts of timeline_add_span(). Half of the room is used: */
void timeline_mark_half(struct timeline *timeline, nsec_t time);
/* Makes room for one more segment. */
void timeline_grow_track(struct track *track);
/* The slow path of timeline_add_cause(). */
uint32_t timeline_add_new_cause(struct timeline *timeline, const struct cause_note *note);

/* The place in recent_cause for notes that are much like this one. */
static inline uint32_t cause_slot(const struct cause_note *note)
{
	return (note->waker + 31 * note->name + 7 * note->kind) & (CAUSES_RECENT - 1);
}

static inline bool cause_is_same(const struct cause_note *a, const struct cause_note *b)
{
	/* NOLINTNEXTLINE: all bytes were set, see cause_note_init(); unlike gaps cost a copy */
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* Index in causes of this note, or of an equal kept one. Most notes equal one that was added
   shortly before, which needs no hash of all of it. */
static inline uint32_t timeline_add_cause(struct timeline *timeline, const struct cause_note *note)
{
	uint32_t recent = timeline->recent_cause[cause_slot(note)];

	return recent && cause_is_same(timeline_cause_at(timeline, recent - 1), note)
	               ? recent - 1 : timeline_add_new_cause(timeline, note);
}

/* The place of the segment that is added next. */
void timeline_add_place(struct timeline *timeline, struct track *track,
                        const struct sleep_place *place);

/* From here to timeline_add_span(): parts of it. The track goes on to the span's end. */
static inline __attribute__((always_inline)) void track_reach(struct track *track,
                                                              const struct span *span)
{
	ASSUME(track->begin == NSEC_NEVER || span->begin == track->end);
	ASSUME(!track->is_open && !track->is_shown_open);
	if (track->begin == NSEC_NEVER)
		track->begin = span->begin;
	track->end = span->end;
	track->is_open = span->is_open;
	if (span->kind == SEGMENT_STOPPED)
		track->was_stopped = true;
}

/* Appends its segment. */
static inline __attribute__((always_inline)) void timeline_put_segment(struct timeline *timeline,
                                                                       struct track *track,
                                                                       const struct span *span)
{
	uint32_t cause = span->cause ? timeline_add_cause(timeline, span->cause) : CAUSE_NONE;
	struct segment *segment;

	ASSUME(!(struct segment){.shape = span->shape}.kind);
	if (track->segment_count == track->segment_capacity)
		timeline_grow_track(track);
	/* in place: assembling it whole in a register is more work */
	segment = &track->segment[track->segment_count++];
	segment->begin = span->begin;
	segment->cause = cause;
	segment->shape = (uint8_t)(span->shape |
	                           (struct segment){.kind = (unsigned)span->kind & 0x7u}.shape);
	segment->detail = span->detail;
	segment->where = (struct segment){
		.cpu = (unsigned)span->cpu & 0x7fffu,
		.is_doubtful = span->is_doubtful,
	}.where;
}

/* Appends the span, which must begin where the track's last one ended. Inline: a span that no other
   sink gets is then never put together in memory. */
static inline __attribute__((always_inline)) void timeline_add_span(struct timeline *timeline,
                                                                    const struct span *span)
{
	struct track *track = &timeline->track[span->track];

	ASSUME(span->begin <= span->end);
	ASSUME(span->track < timeline->track_count && span->kind < SEGMENT_NEW);
	track_reach(track, span);
	if (span->kind == SEGMENT_RUN || span->kind == SEGMENT_WAIT)
		track->active += span->end - span->begin;
	if (span->kind == SEGMENT_RUN)
		track->ran += span->end - span->begin;
	if (!timeline->keep_segments)
		return;
	timeline->bytes += sizeof(struct segment);
	if (timeline->bytes > timeline->bytes_half)
		timeline_mark_half(timeline, span->end);
	if (span->place && (span->place->frames || span->place->user || span->place->waker ||
	                    span->place->io_wait))
		timeline_add_place(timeline, track, span->place);
	if (span->cause)
		track->has_own_timers |= cause_note_is_own_timer(span->cause);
	timeline_put_segment(timeline, track, span);
}
/* Adds to the track's memory_log: its totals, and its stretches if history is kept. */
void timeline_add_memory(struct timeline *timeline, uint32_t track,
                         const struct memory_stretch *stretch);
/* The part of the track's outer stretches of reclaim and compaction that lies in [begin, end):
   needs the history. All 0 if the track has none. */
void track_memory_within(struct track *track, nsec_t begin, nsec_t end, struct memory_total *ret);
/* Adds a sample of the running task at that time, which the caller fills in before the next one is
   added. NULL if no history is kept, or time went back. */
struct run_sample *timeline_add_sample(struct timeline *timeline, uint32_t track, nsec_t time);
/* The track's samples in [begin, end). */
const struct run_sample *timeline_samples(const struct track *track, nsec_t begin, nsec_t end,
                                          size_t *ret_count);
/* End of a segment: begin of the next one, or end of the track. Inline: for each segment of a
   walk. */
static inline nsec_t timeline_segment_end(const struct track *track, size_t segment)
{
	ASSUME(segment < track->segment_count);
	return segment + 1 < track->segment_count ? track->segment[segment + 1].begin : track->end;
}
/*
 * The last segment that begins before t, so that t is in it or at its end; SIZE_MAX if the track
 * begins at t or later. O(1) near the place of the last search, else O(log n).
 */
size_t timeline_find(struct track *track, nsec_t t);
/* The track's last segment, which the end of the trace cuts. */
static inline bool timeline_is_open(const struct track *track, size_t segment)
{
	return track->is_open && segment + 1 == track->segment_count;
}
/* Whether the task waits once more after that segment. */
static inline bool track_waits_after(const struct track *track, size_t at)
{
	while (++at < track->segment_count)
		if (track->segment[at].kind == SEGMENT_WAIT)
			return true;
	return false;
}
/* The wait that the end of the trace cuts; NULL: the track is in none. */
static inline const struct segment *track_open_wait(const struct track *track)
{
	const struct segment *last =
		track->segment_count ? &track->segment[track->segment_count - 1] : NULL;

	return last && track->is_open && last->kind == SEGMENT_WAIT ? last : NULL;
}
/* What is known of that wait; NULL: nothing, or there is none. */
static inline const struct cause_note *track_open_note(const struct timeline *timeline,
                                                       uint32_t index)
{
	const struct segment *wait = track_open_wait(&timeline->track[index]);

	return wait ? segment_cause(timeline, wait) : NULL;
}
/* The place of the segment's sleep; NULL: not recorded. O(log n). */
const struct sleep_place *timeline_place(const struct track *track, size_t segment);

/* The segment as a span again, as it was added; the cause is the timeline's own. O(log n). Inline,
   as most callers need a few of the members. */
static inline struct span timeline_span(const struct timeline *timeline, uint32_t index,
                                        size_t at)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	bool has_slept = segment->kind == SEGMENT_WAIT || segment->kind == SEGMENT_STOPPED;

	ASSUME(index < timeline->track_count && at < track->segment_count);
	return (struct span){
		.track = index,
		.begin = segment->begin,
		.end = timeline_segment_end(track, at),
		.kind = (enum segment_kind)segment->kind,
		.detail = segment->detail,
		.cpu = segment->cpu,
		.is_open = timeline_is_open(track, at),
		.is_doubtful = segment->is_doubtful,
		.shape = segment->shape,
		.cause = segment_cause(timeline, segment),
		.place = has_slept && track->place_count ? timeline_place(track, at) : NULL,
	};
}

/* The name at a time: the last one given by then, else the first one; "" if there is none.
   NSEC_NEVER: track_name(). */
uint32_t timeline_name_at(const struct track *track, nsec_t time);
/* The name of the track as a whole: the last one, unless timeline_settle_names() of
   task_names.h has found a better one; 0: it has none. */
static inline uint32_t track_name(const struct track *track)
{
	return track->main_name ? track->main_name : track->last_name;
}

/*
 * Links from one kept cause to another: a timer's to the request that the sleeper waited for, a
 * work item's to what the interrupt served that queued it, a disk request's to the work item that
 * submitted it. A link is the index in the timeline's causes + 1; 0: there is none. State keeps
 * links, too: a link stays valid when the older half of the history is forgotten, as long as a
 * cause that is kept has it.
 */

/* The most links that are kept in a row: a chain of work and requests may have no end. */
#define CAUSE_LINK_DEPTH 4

/* The cause of a link that is older than the kept history; NULL: it is forgotten. */
struct cause_note *timeline_old_cause(const struct timeline *timeline, uint32_t link);

/* The cause of a link, to be corrected if more is known of it now. Only for a cause that happened
   at a time of its own (its origin is known): others may be shared. NULL: there is none, or it is
   forgotten. */
static inline struct cause_note *timeline_amend_linked(const struct timeline *timeline,
                                                       uint32_t link)
{
	if (link && link <= timeline->causes_gone + timeline->old_count)
		return timeline_old_cause(timeline, link);
	ASSUME(!link || link - 1 - timeline->causes_gone < timeline->cause_count);
	return link ? &timeline->cause[link - 1 - timeline->causes_gone] : NULL;
}

/* The cause of a link; NULL: there is none, or it is forgotten. */
static inline const struct cause_note *timeline_linked_cause(const struct timeline *timeline,
                                                             uint32_t link)
{
	return timeline_amend_linked(timeline, link);
}

/* The same cause by its index, as segments have it; CAUSE_NONE: there is none, or it is
   forgotten. */
static inline uint32_t timeline_linked_index(const struct timeline *timeline, uint32_t link)
{
	const struct cause_note *note = timeline_linked_cause(timeline, link);

	return note ? timeline->causes_gone + (uint32_t)(note - timeline->cause) : CAUSE_NONE;
}

/* The work item in which that disk request was submitted; NULL: none, or not known. */
static inline const struct cause_note *timeline_submitting_work(const struct timeline *timeline,
                                                                const struct cause_note *note)
{
	return timeline_linked_cause(timeline, note->kind == CAUSE_DISK ? note->as.disk.work : 0);
}

/* Whether a task ended the wait, and the label says how: "exit" or "vfork", the waiter's child that
   executed a program (state/tasks/label_tracker.c). */
static inline bool cause_note_is_labelled(const struct timeline *timeline,
                                          const struct cause_note *note, const char *label)
{
	return note->kind == CAUSE_TASK && note->name &&
	       strcmp(intern_text(&timeline->names, note->name), label) == 0;
}
/* A task that has sent this often, and waited, without an answer makes no request: resolvers give
   up after two to five tries. */
#define REQUEST_TRIES_MAX 6
/* Whether the task has waited for that request: not one that only sends, at its own pace, nor a
   process that answered itself, as it slept for a timer of its handler. */
static inline bool request_is_one(const struct cause_note *request)
{
	return !request->as.net.is_by_own &&
	       !(request->as.net.is_request &&
	         request->as.net.retransmits > REQUEST_TRIES_MAX);
}
/* The slow path of timeline_request(), for a timer that has one. */
const struct cause_note *timeline_request_of(const struct timeline *timeline,
                                             const struct cause_note *timer);
/* What the task slept for when this timer woke it: the request without an answer yet, or the file
   lock or the connection that it retries. NULL: none of them. */
static inline const struct cause_note *timeline_request(const struct timeline *timeline,
                                                        const struct cause_note *note)
{
	return note && note->kind == CAUSE_TIMER && note->as.timer.request
	               ? timeline_request_of(timeline, note) : NULL;
}

/* Whether such a request is one that the task tries again after each sleep: to get a lock, to reap
   a child, to connect. */
static inline bool request_is_retried(const struct cause_note *request)
{
	return request->kind != CAUSE_NET || request->as.net.is_retried;
}

/* The track's parent, and from when on that had it as a child, 0: from the begin of the trace;
   TRACK_NONE and NSEC_NEVER: not known. */
static inline uint32_t track_known_parent(const struct track *track)
{
	return track->parent != TRACK_NONE ? track->parent : track->old_parent;
}

/* The children of the track `parent`, the latest one first. */
#define TRACK_EACH_CHILD(timeline, parent, child)                                             \
	for (uint32_t child = (timeline)->track[parent].last_child; (child) != TRACK_NONE;    \
	     child = (timeline)->track[child].child_before)

static inline nsec_t track_known_born(const struct track *track)
{
	return track->born == NSEC_NEVER && track->old_parent != TRACK_NONE ? 0 : track->born;
}

struct task timeline_task(const struct timeline *timeline, uint32_t track, nsec_t time);
/* The cause as results have it, with tasks named as of `time`. NULL: unknown. */
struct cause timeline_cause(const struct timeline *timeline, const struct cause_note *note,
                            nsec_t time);
/* Sets what the cause's members stand for: the name of its disk, the path of its file. */
void timeline_name_members(const struct timeline *timeline, struct cause *cause);
/*
 * The cause of a part that has no wait of its own, with nothing else known: one note for each kind
 * and name, valid as long as the timeline.
 */
const struct cause_note *timeline_named_cause(struct timeline *timeline, enum cause_kind kind,
                                              uint32_t name);
static inline const struct cause_note *timeline_side_cause(struct timeline *timeline,
                                                           enum cause_kind kind)
{
	if (!timeline->plain[kind])
		timeline->plain[kind] = timeline_named_cause(timeline, kind, 0);
	return timeline->plain[kind];
}
/* The timeline's own copy of any other such note. */
const struct cause_note *timeline_side_note(struct timeline *timeline,
                                            const struct cause_note *wanted);
/* A side cause for a wait that is over for those who waited behind it, though it goes on: what
   `open` says that it is for, NULL: nothing. */
const struct cause_note *timeline_side_unknown(struct timeline *timeline,
                                               const struct cause_note *open);
