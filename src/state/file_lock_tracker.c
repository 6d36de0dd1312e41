/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks of files: flock() and fcntl(). The kernel records each request when it has decided on it:
 * acquired, unlocked, refused, or to wait. A task that has to wait sleeps and asks again once it
 * was woken, so its wait lasts until it acquires the lock, however many turns that takes. No event
 * records that a signal ended a flock(): the task gave up if an interrupt woke it, or if it sleeps
 * again, or ends, without having asked. Only a task that asks again shows that its waker had
 * released the lock.
 *
 *	flock_lock_inode ret=1   [ sched_waking   flock_lock_inode ret=1 ]...   ret=0
 *	'- begin                   '- by the task that released it               '- end
 *
 * The waker of a sleeper has released the lock: for certain if it was seen to acquire it. The event
 * of the release comes after the wake-up. Of several waiters each sleeps behind the one before it.
 * It is woken when that waiter releases the lock, or has to wait again without having had it. So
 * the holder of a flock() meanwhile is recorded separately, at its release.
 *
 * A task that does not wait in the kernel is refused, sleeps and tries again. All of these sleeps
 * link to one note of the lock, which names the task that released it last before it was acquired.
 * retries.h says which sleeps these are.
 */
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "ftwait/aim.h"
#include "graph/open_wait_cause.h"
#include "graph/timeline_aims.h"
#include "state/net/retries.h"
#include "state/core/tracker.h"
#include "words/cause/purpose.h"

/* FILE_LOCK_DEFERRED of the kernel's include/linux/filelock.h */
#define RESULT_WAITS 1
#define RESULT_GIVEN_UP (-4) /* EINTR */
#define RESULT_REFUSED  (-11) /* EAGAIN; alpha has another number */

/* The most tasks that retry a lock, and locks released meanwhile; the oldest are forgotten. */
#define REFUSALS_MAX 4096

#define NAME_BYTES_MAX 8192

/* A task that waits for a lock. */
struct file_wait {
	uint64_t inode;
	uint32_t dev;
	uint8_t what;        /* enum lock_what */
	uint8_t confidence;  /* enum confidence, in the owner */
	bool is_woken;       /* since it asked last */
	bool is_released;    /* the waker, unknown as holder until then, has released it, unless it
	                        only interrupted the wait */
	nsec_t begin, turn;  /* turn: since when it has waited after its last request */
	nsec_t woken_at;
	uint32_t waker;      /* tracks; TRACK_NONE: not known */
	uint32_t holder;     /* when this turn began; for flock() when it ended */
	nsec_t since;        /* since when that has held it; 0: not known */
	uint32_t owner;      /* holder in the longest turn so far; for flock() in the last turn */
	nsec_t owner_time;
};

/* A lock that is held. */
struct file_lock {
	uint32_t holder; /* last task that acquired it: track */
	bool is_waited;  /* others wait for it or are refused, or waited when it was acquired */
	nsec_t since;
};

/* A task that retries a lock, or a process with children that do. */
struct refusal {
	struct retry retry;
	uint64_t file;     /* file_lock_key() */
	uint64_t inode;
	uint32_t dev;
	uint32_t tries;    /* after a pause */
	uint8_t what;      /* enum lock_what */
	uint32_t path;     /* id in names; 0: not known */
	bool is_flock;
	bool is_refused;   /* its last attempt was refused; unlocking does not count */
	bool has_slept;    /* since its last attempt */
};

/* The last release of a lock that others retry. */
struct release {
	uint32_t track;
	nsec_t time;
};

struct file_locks {
	struct object_pool held; /* struct file_lock, by device, inode and what */
	struct object_pool refused;  /* struct refusal, by retry_key() */
	struct object_pool released; /* struct release, by device, inode and what */
	uint64_t unlock;         /* F_UNLCK of the recorded machine */
};

static struct file_locks *file_locks_of(const struct machine *machine)
{
	return machine->own[TRACKER_FILE_LOCK];
}

static uint64_t file_lock_key(uint64_t inode, uint64_t dev, enum lock_what what)
{
	return hash_mix(hash_mix(inode, dev), what);
}

/* The lock that the task waits for; NULL: no holder is known. */
static struct file_lock *wait_lock(const struct machine *machine, const struct file_wait *wait)
{
	struct file_lock *held = object_pool_find(
		&file_locks_of(machine)->held,
		file_lock_key(wait->inode, wait->dev, (enum lock_what)wait->what));

	return held && machine->task[held->holder].kind != SEGMENT_DEAD ? held : NULL;
}

/* The task that has the lock now, as far as known. For fcntl() that is the one that had it when the
   turn began: the last task to lock a part of a file need not be the one that is waited for. */
static uint32_t wait_holder(const struct machine *machine, const struct file_wait *wait)
{
	const struct file_lock *held = wait_lock(machine, wait);

	return held && wait->what == LOCK_OF_FLOCK ? held->holder : wait->holder;
}

static void wait_note_holder(const struct machine *machine, struct file_wait *wait)
{
	const struct file_lock *held = wait_lock(machine, wait);

	wait->holder = wait_holder(machine, wait);
	wait->since = held && held->holder == wait->holder ? held->since : 0;
}

/* Notes which task kept the waiter from the lock in the turn that ends at `end`, and how sure that
   is. */
static void wait_end_turn(const struct machine *machine, struct file_wait *wait, nsec_t end)
{
	nsec_t time = end - wait->turn;
	bool is_seen;

	if (!wait->is_woken)
		wait_note_holder(machine, wait);
	is_seen = wait->waker != TRACK_NONE &&
	          timeline_is_one_process(machine->timeline, wait->waker, wait->holder);
	if ((wait->what == LOCK_OF_POSIX && time < wait->owner_time) ||
	    (wait->waker == TRACK_NONE && wait->holder == TRACK_NONE))
		return;
	wait->owner_time = time;
	wait->owner = wait->waker == TRACK_NONE ? wait->holder : wait->waker;
	wait->confidence = is_seen                     ? CONFIDENCE_HIGH
	                   : wait->waker == TRACK_NONE ? CONFIDENCE_LOW
	                                               : CONFIDENCE_MEDIUM;
}

static void wait_begin_turn(const struct machine *machine, struct file_wait *wait)
{
	struct file_lock *held = wait_lock(machine, wait);

	wait->turn = machine->now;
	wait->is_woken = wait->is_released = false;
	wait->waker = TRACK_NONE;
	wait->holder = TRACK_NONE;
	if (!held)
		return;
	wait->holder = held->holder;
	held->is_waited = true;
}

/* Emits that the track has held a flock() since then, while other tasks waited for it. */
static void tenure_emit(struct machine *machine, uint64_t inode, uint32_t dev, uint32_t track,
                        nsec_t since, nsec_t end, enum confidence confidence)
{
	struct interval interval = {
		.kind = INTERVAL_TENURE,
		.cpu = machine->task[track].cpu,
		.begin = since,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = track,
		.other = TRACK_NONE,
		.lock = {
			.address = inode,
			.dev = dev,
			.what = LOCK_OF_FLOCK,
			.owner_confidence = (uint8_t)confidence,
		},
	};

	if (machine_wants(machine, INTERVAL_TENURE))
		machine_emit_interval(machine, &interval);
}

static enum aim_end aim_end_of_result(int64_t result)
{
	if (result == RESULT_WAITS)
		return AIM_OPEN;
	/* what it was that ended the last wait, is seen in that */
	return result == 0 ? AIM_HAD : AIM_SIGNAL;
}

static void note_name_holder(struct cause_note *note, uint32_t track, nsec_t released)
{
	note->waker = note->originator = track;
	note->is_walked = track != TRACK_NONE;
	note->as.file_lock.released = released;
}

static void wait_note_aim(struct machine *machine, uint32_t track, const struct file_wait *wait,
                          nsec_t end, int64_t result)
{
	struct timeline *timeline = machine->timeline;
	struct cause_note cause;

	if (!timeline->keep_segments)
		return;
	cause_note_init(&cause, CAUSE_LOCK, (enum confidence)wait->confidence);
	file_lock_become_cause(timeline,
	                       wait->what == LOCK_OF_FLOCK ? OPEN_WAIT_FLOCK : OPEN_WAIT_POSIX,
	                       wait->inode,
	                       file_names_find(&timeline->files, wait->dev, wait->inode), &cause);
	if (wait->owner != track)
		note_name_holder(&cause, wait->owner, 0);
	timeline_add_aim(timeline, track,
	                 &(struct aim_note){
				 .begin = wait->begin,
				 .end = end,
				 .kind = AIM_LOCK,
				 .how = (uint8_t)aim_end_of_result(result),
			 },
	                 &cause);
}

static void wait_emit(struct machine *machine, uint32_t track, struct file_wait *wait,
                      nsec_t end, int64_t result)
{
	struct interval interval = {
		.kind = INTERVAL_LOCK,
		.cpu = machine->task[track].cpu,
		.begin = wait->begin,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.is_open = result == RESULT_WAITS,
		.task = track,
		.lock = {
			.address = wait->inode,
			.dev = wait->dev,
			.what = wait->what,
			.result = result == RESULT_WAITS ? 0 : result,
			.has_slept = true,
		},
	};

	wait_end_turn(machine, wait, end);
	interval.other = wait->owner;
	interval.lock.since = wait->owner == wait->holder ? wait->since : 0;
	interval.lock.owner_confidence = wait->confidence;
	wait_note_aim(machine, track, wait, end, result);
	if (machine_wants(machine, INTERVAL_LOCK))
		machine_emit_interval(machine, &interval);
}

/* The task has not asked again. What ended the sleep is not the holder of the lock. */
static void wait_give_up(struct machine *machine, uint32_t track, struct file_wait *wait,
                         nsec_t end)
{
	wait->waker = TRACK_NONE;
	wait_emit(machine, track, wait, end, RESULT_GIVEN_UP);
	tracker_drop_task(machine, TRACKER_FILE_LOCK, track);
}

static void file_lock_wait(struct machine *machine, uint32_t track, enum lock_what what,
                           const struct file_lock_event *event)
{
	struct file_wait *wait = tracker_task(machine, TRACKER_FILE_LOCK, track);

	if (wait) {
		wait_end_turn(machine, wait, wait->is_woken ? wait->woken_at : machine->now);
	} else {
		wait = tracker_keep_task(machine, TRACKER_FILE_LOCK, track);
		*wait = (struct file_wait){
			.inode = event->inode,
			.dev = (uint32_t)event->dev,
			.what = (uint8_t)what,
			.begin = machine->now,
			.owner = TRACK_NONE,
		};
	}
	wait_begin_turn(machine, wait);
}

/* The lock is released, or another task has acquired it. */
static void file_lock_end(struct machine *machine, const struct file_lock *held,
                          const struct file_lock_event *event, enum lock_what what)
{
	if (what == LOCK_OF_FLOCK && held->is_waited)
		tenure_emit(machine, event->inode, (uint32_t)event->dev, held->holder,
		            held->since, machine->now, CONFIDENCE_HIGH);
}

static bool file_lock_is_of(const struct machine *machine, const struct file_lock *held,
                            uint32_t track)
{
	return timeline_is_one_process(machine->timeline, held->holder, track);
}

/* The track acquired it, with or without having waited. */
static void file_lock_get(struct machine *machine, uint32_t track, enum lock_what what,
                          const struct file_lock_event *event, bool is_waited)
{
	struct object_pool *pool = &file_locks_of(machine)->held;
	uint64_t key = file_lock_key(event->inode, event->dev, what);
	struct file_lock *held = object_pool_find(pool, key);
	nsec_t since = machine->now;

	if (held && file_lock_is_of(machine, held, track))
		since = held->since;
	else if (held)
		file_lock_end(machine, held, event, what);
	is_waited |= held && held->is_waited;
	held = object_pool_put(pool, key);
	*held = (struct file_lock){track, is_waited, since};
}

/* A task that closes a file is recorded as unlocking it, whether it held the lock or not. */
static void file_lock_unlock(struct machine *machine, uint32_t track, enum lock_what what,
                             const struct file_lock_event *event)
{
	struct object_pool *pool = &file_locks_of(machine)->held;
	uint64_t key = file_lock_key(event->inode, event->dev, what);
	struct file_lock *held = object_pool_find(pool, key);

	if (!held || (!file_lock_is_of(machine, held, track) &&
	              machine->task[held->holder].kind != SEGMENT_DEAD))
		return;
	file_lock_end(machine, held, event, what);
	(void)object_pool_take(pool, key);
}

/* A task acquired the lock, or released it. Other holders, of parts of the file or for reading, are
   not followed: then less is known of the task that is waited for. */
static void file_lock_change(struct machine *machine, uint32_t track, enum lock_what what,
                             const struct file_lock_event *event, bool is_waited)
{
	if (event->type == file_locks_of(machine)->unlock)
		file_lock_unlock(machine, track, what, event);
	else
		file_lock_get(machine, track, what, event, is_waited);
}

/* Whether the task itself is refused that lock: then it unlocks only a part of the file. */
static bool track_is_refused(const struct machine *machine, uint32_t track, uint64_t file)
{
	const struct refusal *refusal =
		object_pool_find(&file_locks_of(machine)->refused, retry_key(track, false));

	return refusal && refusal->file == file;
}

/* The task has got the lock that it retried: all that time it waited for it, with pauses. The
   history with the note need not be kept. */
static void refusal_emit(struct machine *machine, uint32_t track, const struct refusal *refusal,
                         const struct release *release)
{
	bool is_released = release && release->time >= refusal->retry.begin;
	struct interval interval = {
		.kind = INTERVAL_LOCK,
		.cpu = machine->task[track].cpu,
		.begin = refusal->retry.begin,
		.end = machine->now,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = track,
		.other = is_released ? release->track : TRACK_NONE,
		.lock = {
			.address = refusal->inode,
			.dev = refusal->dev,
			.what = refusal->what,
			.released = is_released ? release->time : 0,
			.has_slept = true,
			.owner_confidence = is_released ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW,
		},
	};

	if (machine_wants(machine, INTERVAL_LOCK))
		machine_emit_interval(machine, &interval);
}

/* The task retries the lock that it was refused. If it acquires the lock, or a part of it, the
   holder was the task that released it last. If it is refused again, that task was not the
   holder. */
static void refusal_try(struct machine *machine, uint32_t of, uint32_t track,
                        struct refusal *refusal, bool is_got)
{
	struct cause_note *note = timeline_amend_linked(machine->timeline, refusal->retry.note);
	const struct release *release =
		object_pool_find(&file_locks_of(machine)->released, refusal->file);

	if (note && refusal->has_slept) {
		note->as.file_lock.tries++;
		if (is_got && release && release->time >= refusal->retry.begin)
			note_name_holder(note, release->track, release->time);
	}
	if (note && !is_got && note->as.file_lock.released)
		note_name_holder(note, TRACK_NONE, 0);
	refusal->tries += refusal->has_slept;
	if (is_got && refusal->tries)
		refusal_emit(machine, of, refusal, release);
	if (is_got)
		refusal->tries = 0;
	else if (!refusal->is_refused) /* it had the lock, or a part of it, meanwhile */
		refusal->retry.begin = machine->now;
	/* a parent waits for its children meanwhile */
	if (note && is_got && of == track)
		timeline_add_aim(machine->timeline, track,
		                 &(struct aim_note){
					 .begin = refusal->retry.begin,
					 .end = machine->now,
					 .cause = timeline_linked_index(machine->timeline,
				                                        refusal->retry.note),
					 .kind = AIM_LOCK,
					 .how = AIM_HAD,
				 },
		                 /* cause= */ NULL);
	refusal->retry.last = machine->now;
	refusal->retry.by = track;
	refusal->is_refused = !is_got;
	refusal->has_slept = false;
}

/* "of a file", "of /var/lib/x/lock": what follows the word lock. */
static uint32_t refused_name(struct timeline *timeline, uint32_t path)
{
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_init(&name, NAME_BYTES_MAX);
	buffer_puts(&name, "of ");
	buffer_puts(&name, path ? intern_text(&timeline->names, path) : "a file");
	return intern_add(&timeline->names, name.text, name.length);
}

/* The note that all sleeps share. Until a release is seen, the holder is the last to acquire it. */
static uint32_t refusal_link(struct machine *machine, uint32_t track, const struct refusal *refusal)
{
	const struct file_lock *held =
		object_pool_find(&file_locks_of(machine)->held, refusal->file);
	struct cause_note note;

	if (timeline_linked_cause(machine->timeline, refusal->retry.note))
		return refusal->retry.note;
	cause_note_init(&note, CAUSE_LOCK, CONFIDENCE_MEDIUM);
	note.name = refused_name(machine->timeline, refusal->path);
	note.as.file_lock.file = refusal->path;
	note.as.file_lock.is_flock = refusal->path && refusal->is_flock;
	note.origin = refusal->retry.begin;
	if (held && machine->task[held->holder].kind != SEGMENT_DEAD &&
	    !timeline_is_one_process(machine->timeline, held->holder, track))
		note_name_holder(&note, held->holder, 0);
	return timeline_note_cause(machine->timeline, &note) + 1;
}

/* `of`: the track itself, or the process that has `track` as a child. */
static void refusals_note(struct machine *machine, uint32_t of, uint32_t track, enum lock_what what,
                          const struct file_lock_event *event)
{
	struct object_pool *refused = &file_locks_of(machine)->refused;
	uint64_t file = file_lock_key(event->inode, event->dev, what);
	uint64_t key = retry_key(of, /* of_children= */ of != track);
	struct refusal *refusal = object_pool_find(refused, key);

	if (refusal && refusal->file == file) {
		refusal_try(machine, of, track, refusal, event->result == 0);
	} else if (event->result != 0) {
		refusal = object_pool_put(refused, key);
		*refusal = (struct refusal){
			.retry = {.begin = machine->now, .last = machine->now, .by = track},
			.file = file,
			.inode = event->inode,
			.dev = (uint32_t)event->dev,
			.what = (uint8_t)what,
			.path = file_names_find(&machine->timeline->files, (uint32_t)event->dev,
			                        event->inode),
			.is_flock = what == LOCK_OF_FLOCK,
			.is_refused = true,
		};
	}
}

/* Updates the tasks that retry locks by the outcome of this attempt. */
static void file_lock_note_try(struct machine *machine, uint32_t track, enum lock_what what,
                               const struct file_lock_event *event)
{
	struct file_locks *locks = file_locks_of(machine);
	uint64_t file = file_lock_key(event->inode, event->dev, what);
	uint32_t parent = retry_parent(machine, track);
	struct release *release;
	struct file_lock *held;

	if (event->result == 0 && event->type == locks->unlock) {
		if (object_pool_count(&locks->refused) && !track_is_refused(machine, track, file)) {
			release = object_pool_put(&locks->released, file);
			*release = (struct release){track, machine->now};
		}
		return;
	}
	if (event->result != 0 && event->result != RESULT_REFUSED)
		return;
	held = object_pool_find(&locks->held, file);
	if (held && event->result != 0)
		held->is_waited = true;
	refusals_note(machine, track, track, what, event);
	if (parent != TRACK_NONE)
		refusals_note(machine, parent, track, what, event);
}

/* A sleep after a refusal, ended by the task's own timer, counts as a pause before the next
   attempt. If two such sleeps follow each other without an attempt, neither counts. */
static void file_lock_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	struct object_pool *refused = &file_locks_of(machine)->refused;
	struct refusal *refusal;
	uint64_t key;

	if (object_pool_count(refused) == 0 || cause->as.timer.request ||
	    !cause_note_is_timeout(cause))
		return;
	refusal = retry_of_sleep(machine, refused, track, machine->task[track].since, &key);
	if (!refusal)
		return;
	if (!refusal->is_refused || refusal->has_slept) {
		(void)object_pool_take(refused, key);
		return;
	}
	refusal->retry.note = refusal_link(machine, track, refusal);
	cause->as.timer.request = refusal->retry.note;
	refusal->has_slept = true;
}

static bool wait_is_for(const struct file_wait *wait, const struct file_lock_event *event,
                        enum lock_what what)
{
	return wait->inode == event->inode && wait->dev == event->dev && wait->what == what;
}

static void file_lock_decide(struct machine *machine, const struct cpu *cpu,
                             const struct event *event, enum lock_what what)
{
	const struct file_lock_event *file_lock = &event->file_lock;
	bool is_unlock = file_lock->type == file_locks_of(machine)->unlock;
	uint32_t track = cpu->current;
	struct file_wait *wait;
	bool is_waited;

	if (!cpu_is_in_task(cpu))
		return;
	file_lock_note_try(machine, track, what, file_lock);
	wait = tracker_task(machine, TRACKER_FILE_LOCK, track);
	if (wait && (is_unlock || !wait_is_for(wait, file_lock, what))) {
		wait_give_up(machine, track, wait, machine->now);
		wait = NULL;
	}
	if (wait && wait->is_released)
		tenure_emit(machine, wait->inode, wait->dev, wait->waker, wait->turn,
		            wait->woken_at, CONFIDENCE_MEDIUM);
	if (file_lock->result == RESULT_WAITS) {
		file_lock_wait(machine, track, what, file_lock);
		return;
	}
	is_waited = wait != NULL;
	if (is_waited) {
		wait_emit(machine, track, wait, machine->now, file_lock->result);
		tracker_drop_task(machine, TRACKER_FILE_LOCK, track);
	}
	if (file_lock->result == 0)
		file_lock_change(machine, track, what, file_lock, is_waited);
}

static void on_flock(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	file_lock_decide(machine, cpu, event, LOCK_OF_FLOCK);
}

static void on_posix_lock(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	file_lock_decide(machine, cpu, event, LOCK_OF_POSIX);
}

/* A task that still waits when the call returns has given up: it would have stopped waiting when it
   acquired the lock. */
static void on_posix_lock_end(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct file_wait *wait = cpu_is_in_task(cpu) ? tracker_task(machine, TRACKER_FILE_LOCK,
	                                                            cpu->current)
	                                             : NULL;

	if (wait && wait_is_for(wait, &event->file_lock, LOCK_OF_POSIX))
		wait_give_up(machine, cpu->current, wait, machine->now);
}

/* Whether both tasks wait for the same lock, so that neither has acquired it. */
static bool waits_are_for_one(const struct file_wait *a, const struct file_wait *b)
{
	return a->inode == b->inode && a->dev == b->dev && a->what == b->what;
}

/* A task wakes the sleeper. A waker that waits for the lock itself has not released it: it has only
   found that another task holds it. */
static void wait_be_woken(struct machine *machine, uint32_t waker, struct file_wait *wait)
{
	const struct file_wait *other = tracker_task(machine, TRACKER_FILE_LOCK, waker);
	bool is_flock = wait->what == LOCK_OF_FLOCK;

	wait->is_woken = true;
	wait->woken_at = machine->now;
	wait->waker = waker;
	wait_note_holder(machine, wait);
	if (other && waits_are_for_one(wait, other))
		wait->waker = is_flock ? wait->holder : TRACK_NONE;
	else
		wait->is_released = is_flock && wait->holder == TRACK_NONE;
}

static void file_lock_wake(struct machine *machine, const struct cpu *cpu, uint32_t track)
{
	struct file_wait *wait = tracker_task(machine, TRACKER_FILE_LOCK, track);

	if (!wait || machine->task[track].kind != SEGMENT_WAIT)
		return;
	if (cpu_doer(cpu) == TRACK_NONE) {
		wait_give_up(machine, track, wait, machine->now);
		return;
	}
	wait_be_woken(machine, cpu->current, wait);
}

/* A sleeper that nothing has woken so far waits for the holder of the lock. A task that converts a
   flock() it holds has released it, without an event. */
static void file_wait_explain(const struct machine *machine, uint32_t track,
                              const struct file_wait *wait, uint32_t path,
                              struct cause_note *cause)
{
	uint32_t holder = wait_holder(machine, wait);

	file_lock_become_cause(machine->timeline,
	                       wait->what == LOCK_OF_FLOCK ? OPEN_WAIT_FLOCK : OPEN_WAIT_POSIX,
	                       wait->inode, path, cause);
	if (holder == TRACK_NONE || holder == track)
		return;
	note_name_holder(cause, holder, 0);
	cause->confidence = wait->what == LOCK_OF_FLOCK ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
}

/* Adds which file the sleeper waits to lock: its path, or that it is a file. */
static void file_lock_refine(const struct machine *machine, const struct wake *wake,
                             struct cause_note *cause)
{
	const struct file_wait *wait = tracker_task(machine, TRACKER_FILE_LOCK, wake->wakee);
	uint32_t path;

	if (!wait || machine->task[wake->wakee].detail != 'S')
		return;
	path = file_names_find(&machine->timeline->files, wait->dev, wait->inode);
	if (cause->kind == CAUSE_UNKNOWN) {
		if (!wake->event && !wait->is_woken)
			file_wait_explain(machine, wake->wakee, wait, path, cause);
	} else if (path) {
		cause->as.lock.file = path;
		cause->as.lock.is_flock = wait->what == LOCK_OF_FLOCK;
	} else {
		cause->purpose = wait->what == LOCK_OF_FLOCK ? PURPOSE_FLOCK : PURPOSE_POSIX_LOCK;
	}
}

/* A woken task that sleeps again without asking has given up, also if it ends (state I). In state D
   it may only sleep on its way to ask again. */
static void file_lock_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct file_wait *wait = tracker_task(machine, TRACKER_FILE_LOCK, track);

	if (wait && wait->is_woken && (letter == 'S' || letter == 'I'))
		wait_give_up(machine, track, wait, machine->now);
}

/* A task that ends while it waits was killed. */
static void file_lock_bury(struct machine *machine, uint32_t track, nsec_t t)
{
	struct file_wait *wait = tracker_task(machine, TRACKER_FILE_LOCK, track);

	(void)t;
	if (wait && machine->task[track].is_exiting)
		wait_give_up(machine, track, wait,
		             wait->is_woken ? wait->woken_at : machine->now);
}

static void file_locks_close(struct machine *machine, nsec_t end)
{
	struct file_wait *wait;
	uint32_t place, track;

	TRACKER_TASK_EACH(machine, TRACKER_FILE_LOCK, place, track, wait)
		wait_emit(machine, track, wait, end, RESULT_WAITS);
}

/* Which tasks acquired or gave up locks among the lost events is not known. */
static void file_locks_forget(struct machine *machine)
{
	object_pool_clear(&file_locks_of(machine)->held);
	object_pool_clear(&file_locks_of(machine)->refused);
	object_pool_clear(&file_locks_of(machine)->released);
	tracker_drop_tasks(machine, TRACKER_FILE_LOCK);
}

/* F_UNLCK of include/uapi/asm-generic/fcntl.h; three architectures have other values. */
static uint64_t unlock_of(const char *arch)
{
	static const struct {
		const char *prefix;
		uint64_t unlock;
	} rows[] = {{"alpha", 8}, {"parisc", 3}, {"sparc", 3}};

	for (size_t i = 0; arch && i < ARRAY_SIZE(rows); i++)
		if (strncmp(arch, rows[i].prefix, strlen(rows[i].prefix)) == 0)
			return rows[i].unlock;
	return 2;
}

static const struct object_pool_setup held_pool = {
	.object_bytes = sizeof(struct file_lock),
	.limit = OBJECTS_MAX,
	.kind = "file locks",
};

static void file_locks_begin(struct machine *machine)
{
	static const struct object_pool_setup refused = {
		.object_bytes = sizeof(struct refusal),
		.limit = REFUSALS_MAX,
	};
	static const struct object_pool_setup released = {
		.object_bytes = sizeof(struct release),
		.limit = REFUSALS_MAX,
	};

	object_pool_init(&file_locks_of(machine)->refused, &refused);
	object_pool_init(&file_locks_of(machine)->released, &released);
	machine_begin_pool(machine, &file_locks_of(machine)->held, &held_pool);
	file_locks_of(machine)->unlock = unlock_of(machine->setup.source->arch);
}

static void file_locks_end(struct machine *machine)
{
	object_pool_release(&file_locks_of(machine)->held);
	object_pool_release(&file_locks_of(machine)->refused);
	object_pool_release(&file_locks_of(machine)->released);
}

static const struct handler_row file_lock_handlers[] = {
	{EVENT_FLOCK, on_flock},
	{EVENT_POSIX_LOCK, on_posix_lock},
	{EVENT_POSIX_LOCK_END, on_posix_lock_end},
};

const struct tracker file_lock_tracker = {
	.name = "file_lock",
	.handlers = file_lock_handlers,
	.handler_count = ARRAY_SIZE(file_lock_handlers),
	.own_bytes = sizeof(struct file_locks),
	.task_bytes = sizeof(struct file_wait),
	.wake = file_lock_wake,
	.sleep = file_lock_sleep,
	.change = file_lock_bury,
	.refine = file_lock_refine,
	.refines_causes = 1u << CAUSE_TASK | 1u << CAUSE_UNKNOWN,
	.refines_kept = true,
	.refines_unwoken = true,
	.conclude = file_lock_conclude,
	.concludes = 1u << CAUSE_TIMER,
	.begin = file_locks_begin,
	.close = file_locks_close,
	.forget = file_locks_forget,
	.end = file_locks_end,
};
