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
 * the holder meanwhile is recorded separately, at its release. fcntl() locks parts of a file; only
 * who has the same part for writing, or any part of it that is asked for writing, is in the way.
 *
 * A task that does not wait in the kernel is refused, sleeps and tries again, until it gets what it
 * was refused. All of these sleeps link to one note of the lock, which names the task that had it
 * when it was refused last, or else released it before it was acquired.
 * retries.h says which sleeps these are. So does a task that waits until it can make a file or a
 * directory, which another task has made as a lock; its system calls show that.
 */
#include <string.h>

#include "base/assume.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "ftwait/aim.h"
#include "graph/timeline/open_wait.h"
#include "graph/timeline/timeline_tasks.h"
#include "state/core/tracker.h"
#include "state/net/retries.h"
#include "state/trackers.h"
#include "words/cause/purpose.h"

/* FILE_LOCK_DEFERRED of the kernel's include/linux/filelock.h */
#define RESULT_WAITS 1
#define RESULT_GIVEN_UP (-4) /* EINTR */
#define RESULT_REFUSED  (-11) /* EAGAIN; alpha has another number */

/* The most tasks that retry a lock, and locks released meanwhile; the oldest are forgotten. */
#define REFUSALS_MAX 4096

#define NAME_BYTES_MAX 8192

/* A database locks three parts of a file for one of its readers and writers. */
#define RANGES_MAX 8

/* What a task has or asks for: a part of the file, for reading or writing. flock() is about all of
   it. */
struct file_range {
	uint64_t begin, end; /* first and last byte; both 0 where the recording lacks them */
	bool is_write;       /* nobody else may have any of it */
	bool is_waited;      /* held: others wait for it or are refused, or waited when it was
	                        acquired */
	uint32_t holder;     /* held: the task that acquired it: track */
	int32_t owner;       /* held: the process that had it when the recording began, until its
	                        track is `holder`; 0 */
	nsec_t since;        /* held; 0: not known */
};

/* What a task asked for, and what the kernel decided. */
struct file_ask {
	uint64_t file; /* key of the lock: by device, inode and what */
	uint64_t inode;
	uint32_t dev;
	uint8_t what; /* enum lock_what */
	bool is_unlock;
	int64_t result;
	struct file_range range;
};

/* A task that waits for a lock. */
struct file_wait {
	struct file_ask ask; /* its last one */
	uint8_t confidence;  /* enum confidence, in the owner */
	bool is_woken;       /* since it asked last */
	bool is_released;    /* the waker, unknown as holder until then, has released it, unless it
	                        only interrupted the wait */
	nsec_t begin, turn;  /* turn: since when it has waited after its last request */
	nsec_t woken_at;
	uint32_t waker;      /* tracks; TRACK_NONE: not known */
	uint32_t holder;     /* when this turn began, or ended */
	nsec_t since;        /* since when that has held it; 0: not known */
	uint32_t owner;      /* holder in the last turn */
};

/* The parts of a file that are locked, by age; of too many the oldest are forgotten. */
struct file_lock {
	struct file_range range[RANGES_MAX];
	uint32_t count;
};

/* A task that retries a lock, or a process with children that do. */
struct refusal {
	struct retry retry;
	struct file_ask ask; /* what it was refused last */
	uint32_t holder;   /* who had it then: track; TRACK_NONE: not known */
	uint32_t tries;    /* after a pause */
	uint32_t path;     /* id in names; 0: not known */
};

/* The last release of a lock that others retry, of the part that was refused last. */
struct release {
	struct file_range asked;
	uint32_t track;
	nsec_t time; /* 0: not yet */
};

struct file_locks {
	struct object_pool held;     /* struct file_lock, by file_ask.file */
	struct object_pool refused;  /* struct refusal, by retry_key() */
	struct object_pool released; /* struct release, by file_ask.file */
	uint32_t noted;          /* locks whose owners have not been looked up as tracks yet */
	uint64_t read, unlock;   /* F_RDLCK and F_UNLCK of the recorded machine */
};

OWN_DATA(file_locks_of, struct file_locks, FILE_LOCK)
TASK_DATA(task_file_wait, struct file_wait, FILE_LOCK)

static uint64_t file_key(uint64_t inode, uint64_t dev, enum lock_what what)
{
	return hash_mix(hash_mix(inode, dev), what);
}

static struct file_ask ask_of(const struct machine *machine, const struct event *event)
{
	enum lock_what what = event->kind == EVENT_FLOCK ? LOCK_OF_FLOCK : LOCK_OF_POSIX;
	const struct file_lock_event *lock = &event->file_lock;
	const struct file_locks *locks = file_locks_of(machine);

	return (struct file_ask){
		.file = file_key(lock->inode, lock->dev, what),
		.inode = lock->inode,
		.dev = (uint32_t)lock->dev,
		.what = (uint8_t)what,
		.is_unlock = lock->type == locks->unlock,
		.result = lock->result,
		.range = {lock->begin, lock->end, .is_write = lock->type != locks->read},
	};
}

static bool range_overlaps(const struct file_range *a, const struct file_range *b)
{
	return a->begin <= b->end && b->begin <= a->end;
}

static bool range_is_within(const struct file_range *part, const struct file_range *whole)
{
	return part->begin >= whole->begin && part->end <= whole->end;
}

static bool range_is_of(const struct machine *machine, const struct file_range *held,
                        uint32_t track)
{
	ASSUME(held->holder != TRACK_NONE && !held->owner);
	return timeline_is_one_process(machine->timeline, held->holder, track);
}

static void range_forget(struct file_lock *lock, uint32_t at)
{
	ASSUME(at < lock->count && lock->count <= RANGES_MAX);
	lock->count--;
	memmove(&lock->range[at], &lock->range[at + 1],
	        (lock->count - at) * sizeof(*lock->range));
}

/* The recorder saw these locks when it began. Tasks that no event is about get a track only if
   their locks matter. */
static void locks_take_noted(struct machine *machine)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	struct file_locks *locks = file_locks_of(machine);

	for (size_t i = 0; i < notes->locks.count; i++) {
		const struct source_lock *noted = &notes->locks.item[i];
		enum lock_what what = noted->is_flock ? LOCK_OF_FLOCK : LOCK_OF_POSIX;
		struct file_lock *lock;

		/* who took it may have ended, and others have the open file */
		if (map_get(&machine->known_by_tid, (uint64_t)noted->owner) == MAP_NONE)
			continue;
		lock = object_pool_put(&locks->held,
		                       file_key(noted->inode, machine_device(machine, noted->dev),
		                                what));
		if (lock->count == RANGES_MAX)
			continue;
		lock->range[lock->count++] = (struct file_range){
			.begin = noted->begin,
			.end = noted->end,
			.is_write = noted->is_write,
			.holder = TRACK_NONE,
			.owner = noted->owner,
		};
		locks->noted++;
	}
}

static void lock_find_owners(struct machine *machine, struct cpu *cpu, uint64_t file)
{
	struct file_locks *locks = file_locks_of(machine);
	struct file_lock *lock = object_pool_find(&locks->held, file);

	for (uint32_t i = lock ? lock->count : 0; i-- > 0;) {
		struct file_range *held = &lock->range[i];

		if (!held->owner)
			continue;
		held->holder = machine_track(machine, cpu, held->owner);
		held->owner = 0;
		locks->noted--;
		if (held->holder == TRACK_NONE)
			range_forget(lock, i);
	}
}

/* What keeps the task from the part that it asks for: of several locks the latest; NULL: not
   known. */
static struct file_range *range_in_the_way(const struct machine *machine, uint32_t track,
                                           const struct file_ask *ask)
{
	struct file_lock *lock = object_pool_find(&file_locks_of(machine)->held, ask->file);

	for (uint32_t i = lock ? lock->count : 0; i-- > 0;) {
		struct file_range *held = &lock->range[i];

		if (range_overlaps(held, &ask->range) && (held->is_write || ask->range.is_write) &&
		    machine->task[held->holder].kind != SEGMENT_DEAD &&
		    !range_is_of(machine, held, track))
			return held;
	}
	return NULL;
}

static void wait_note_holder(const struct machine *machine, uint32_t track, struct file_wait *wait)
{
	const struct file_range *held = range_in_the_way(machine, track, &wait->ask);

	wait->holder = held ? held->holder : TRACK_NONE;
	wait->since = held ? held->since : 0;
}

/* Notes which task kept the waiter from the lock in the turn that ends, and how sure that is. */
static void wait_end_turn(const struct machine *machine, uint32_t track, struct file_wait *wait)
{
	bool is_seen;

	ASSUME(wait->turn <= machine->now);
	if (!wait->is_woken)
		wait_note_holder(machine, track, wait);
	is_seen = wait->waker != TRACK_NONE &&
	          timeline_is_one_process(machine->timeline, wait->waker, wait->holder);
	if (wait->waker == TRACK_NONE && wait->holder == TRACK_NONE)
		return;
	wait->owner = wait->waker == TRACK_NONE ? wait->holder : wait->waker;
	wait->confidence = is_seen                     ? CONFIDENCE_HIGH
	                   : wait->waker == TRACK_NONE ? CONFIDENCE_LOW
	                                               : CONFIDENCE_MEDIUM;
}

/* What the track did with the lock that it asked for; without confidence in the owner. */
static struct interval ask_interval(const struct machine *machine, enum interval_kind kind,
                                    const struct file_ask *ask, uint32_t track, nsec_t begin,
                                    nsec_t end)
{
	struct interval interval =
		interval_of(kind, machine->task[track].cpu, track, begin, end);

	interval.lock = (struct lock_interval){
		.address = ask->inode,
		.dev = ask->dev,
		.what = ask->what,
		.has_slept = kind == INTERVAL_LOCK,
	};
	return interval;
}

/* Emits that the track has held the lock since then, while other tasks waited for it. */
static void tenure_emit(struct machine *machine, const struct file_ask *ask, uint32_t track,
                        nsec_t since, nsec_t end, enum confidence confidence)
{
	struct interval interval =
		ask_interval(machine, INTERVAL_TENURE, ask, track, since, end);

	ASSUME(since <= end && end <= machine->now);
	interval.lock.owner_confidence = (uint8_t)confidence;
	machine_emit_interval(machine, &interval);
}

/* The path of the file that the task waits to lock: id in names; 0: not known. */
static uint32_t wait_path(const struct machine *machine, const struct file_wait *wait)
{
	return file_names_find(&machine->timeline->files, wait->ask.dev, wait->ask.inode);
}

static void wait_become_cause(const struct machine *machine, const struct file_wait *wait,
                              struct cause_note *cause)
{
	file_lock_become_cause(machine->timeline,
	                       wait->ask.what == LOCK_OF_FLOCK ? OPEN_WAIT_FLOCK : OPEN_WAIT_POSIX,
	                       wait->ask.inode, wait_path(machine, wait), cause);
}

/* Who has the lock that the task still waits for, or kept it from the task that waited. */
static void wait_note_aim(struct machine *machine, uint32_t track, const struct file_wait *wait,
                          nsec_t end, int64_t result)
{
	bool is_open = result == RESULT_WAITS && !wait->is_woken;
	uint32_t holder = is_open ? wait->holder : wait->owner;
	struct cause_note cause;

	ASSUME(wait->begin <= end);
	if (!machine->timeline->keep_segments)
		return;
	cause_note_init(&cause, CAUSE_LOCK, (enum confidence)wait->confidence);
	wait_become_cause(machine, wait, &cause);
	if (holder != track)
		cause_note_name_holder(&cause, holder);
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){wait->begin, end, CAUSE_NONE, AIM_LOCK,
	                                    result == RESULT_WAITS ? AIM_OPEN
	                                    : result == 0          ? AIM_HAD
	                                                           : AIM_SIGNAL},
	                 &cause);
}

static void wait_emit(struct machine *machine, uint32_t track, struct file_wait *wait,
                      nsec_t end, int64_t result)
{
	struct interval interval =
		ask_interval(machine, INTERVAL_LOCK, &wait->ask, track, wait->begin, end);

	ASSUME(wait->begin <= wait->turn && wait->turn <= end);
	interval.is_open = result == RESULT_WAITS;
	interval.lock.result = result == RESULT_WAITS ? 0 : result;
	wait_end_turn(machine, track, wait);
	interval.other = wait->owner;
	interval.lock.since = wait->owner == wait->holder ? wait->since : 0;
	interval.lock.owner_confidence = wait->confidence;
	wait_note_aim(machine, track, wait, end, result);
	machine_emit_interval(machine, &interval);
}

/* The task has not asked again. What ended the sleep is not the holder of the lock. */
static void wait_give_up(struct machine *machine, uint32_t track, struct file_wait *wait,
                         nsec_t end)
{
	ASSUME(wait == task_file_wait(machine, track));
	wait->waker = TRACK_NONE;
	wait_emit(machine, track, wait, end, RESULT_GIVEN_UP);
	tracker_drop_task(machine, TRACKER_FILE_LOCK, track);
}

static void file_lock_wait(struct machine *machine, uint32_t track, const struct file_ask *ask)
{
	struct file_range *held = range_in_the_way(machine, track, ask);
	struct file_wait *wait = task_file_wait(machine, track);

	ASSUME(ask->result == RESULT_WAITS);
	if (wait) {
		wait_end_turn(machine, track, wait);
	} else {
		wait = tracker_keep_task(machine, TRACKER_FILE_LOCK, track);
		*wait = (struct file_wait){.begin = machine->now, .owner = TRACK_NONE};
	}
	wait->ask = *ask;
	wait->turn = machine->now;
	wait->is_woken = wait->is_released = false;
	wait->waker = TRACK_NONE;
	wait->holder = held ? held->holder : TRACK_NONE;
	if (held)
		held->is_waited = true;
}

/* Part `at` of the file is released, or another task has acquired it. */
static void range_end(struct machine *machine, struct file_lock *lock, uint32_t at,
                      const struct file_ask *ask)
{
	const struct file_range *held = &lock->range[at];

	ASSUME(at < lock->count && held->since <= machine->now);
	if (held->is_waited)
		tenure_emit(machine, ask, held->holder, nsec_max(held->since, machine->begin),
		            machine->now, CONFIDENCE_HIGH);
	range_forget(lock, at);
}

/* The track acquired a part, with or without having waited. Who had it, too, for writing, has
   released it unseen. */
static void file_lock_get(struct machine *machine, uint32_t track, const struct file_ask *ask,
                          bool is_waited)
{
	struct file_range got = ask->range;
	struct file_lock *lock = object_pool_put(&file_locks_of(machine)->held, ask->file);

	ASSUME(ask->result == 0 && !ask->is_unlock);
	got.holder = track;
	got.since = machine->now;
	got.is_waited = is_waited;
	for (uint32_t i = lock->count; i-- > 0;) {
		const struct file_range *held = &lock->range[i];
		bool is_own = range_is_of(machine, held, track);

		if (is_own ? !range_is_within(held, &got)
		           : !range_overlaps(held, &got) || !(held->is_write || got.is_write))
			continue;
		got.is_waited |= held->is_waited;
		if (is_own) {
			got.since = held->since;
			range_forget(lock, i);
		} else {
			range_end(machine, lock, i, ask);
		}
	}
	if (lock->count == RANGES_MAX)
		range_forget(lock, 0);
	lock->range[lock->count++] = got;
}

/* A task that closes a file is recorded as unlocking it, whether it held the lock or not. */
static void file_lock_unlock(struct machine *machine, uint32_t track, const struct file_ask *ask)
{
	struct object_pool *pool = &file_locks_of(machine)->held;
	struct file_lock *lock = object_pool_find(pool, ask->file);

	ASSUME(ask->result == 0 && ask->is_unlock);
	for (uint32_t i = lock ? lock->count : 0; i-- > 0;) {
		struct file_range *held = &lock->range[i];

		if (!range_overlaps(held, &ask->range) ||
		    (!range_is_of(machine, held, track) &&
		     machine->task[held->holder].kind != SEGMENT_DEAD))
			continue;
		if (range_is_within(held, &ask->range))
			range_end(machine, lock, i, ask);
		else if (ask->range.begin <= held->begin)
			held->begin = ask->range.end + 1;
		else /* if it lies in the middle, only the piece before it is kept as held */
			held->end = ask->range.begin - 1;
	}
	if (lock && lock->count == 0)
		(void)object_pool_take(pool, ask->file);
}

/* The task has got what it was refused: all that time it waited for it, with pauses. A parent waits
   for its children meanwhile. */
static void refusal_end(struct machine *machine, uint32_t of, uint32_t track,
                        struct refusal *refusal)
{
	struct cause_note *note = timeline_amend_linked(machine->timeline, refusal->retry.note);
	const struct release *release =
		object_pool_find(&file_locks_of(machine)->released, refusal->ask.file);
	struct interval interval = ask_interval(machine, INTERVAL_LOCK, &refusal->ask, of,
	                                        refusal->retry.begin, machine->now);

	ASSUME(refusal->retry.begin <= machine->now);
	/* the last release since it has asked; by that task the lock was held until then */
	if (release && release->time >= refusal->retry.begin) {
		interval.lock.released = release->time;
		refusal->holder = release->track;
	}
	if (note) {
		cause_note_name_holder(note, refusal->holder);
		note->as.file_lock.released = interval.lock.released;
	}
	interval.other = refusal->holder;
	interval.lock.owner_confidence =
		refusal->holder == TRACK_NONE ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM;
	/* the history with the note need not be kept */
	if (refusal->tries && refusal->ask.what != LOCK_OF_NAME)
		machine_emit_interval(machine, &interval);
	if (note && of == track)
		timeline_add_aim(machine->timeline, track,
		                 &(struct aim_note){refusal->retry.begin, machine->now,
		                                    timeline_linked_index(machine->timeline,
		                                                          refusal->retry.note),
		                                    AIM_LOCK, AIM_HAD},
		                 /* cause= */ NULL);
	refusal->tries = 0;
}

/* The task tries again to lock what it was refused, or another part of the file: if it gets that,
   it still waits for the first one. */
static void refusal_try(struct machine *machine, uint32_t of, uint32_t track,
                        struct refusal *refusal, const struct file_ask *ask)
{
	struct cause_note *note = timeline_amend_linked(machine->timeline, refusal->retry.note);
	bool is_got = ask->result == 0;

	ASSUME(refusal->ask.file == ask->file);
	if (is_got && (!range_is_within(&refusal->ask.range, &ask->range) ||
	               refusal->ask.range.is_write > ask->range.is_write))
		return;
	if (note)
		note->as.file_lock.tries += refusal->retry.has_paused;
	refusal->tries += refusal->retry.has_paused;
	if (is_got)
		refusal_end(machine, of, track, refusal);
	else if (refusal->retry.is_over) /* it had the lock meanwhile */
		refusal->retry.begin = machine->now;
	refusal->retry.last = machine->now;
	refusal->retry.by = track;
	refusal->retry.is_over = is_got; /* unlocking does not count */
	refusal->retry.has_paused = false;
}

/* What the task was refused just now, and by which task. */
static void refusal_note(struct machine *machine, uint32_t track, struct refusal *refusal,
                         const struct file_ask *ask)
{
	struct file_locks *locks = file_locks_of(machine);
	struct file_range *held = range_in_the_way(machine, track, ask);
	struct cause_note *note = timeline_amend_linked(machine->timeline, refusal->retry.note);
	struct release *release = object_pool_find(&locks->released, ask->file);

	ASSUME(ask->result != 0 && refusal->retry.begin <= machine->now);
	refusal->ask = *ask;
	refusal->holder = held ? held->holder : TRACK_NONE;
	if (held)
		held->is_waited = true;
	if (note) {
		cause_note_name_holder(note, refusal->holder);
		note->as.file_lock.released = 0;
	}
	if (!release)
		release = object_pool_put(&locks->released, ask->file);
	release->asked = ask->range;
}

/* The note that all sleeps share. Its name follows the word lock: "of a file", "of
   /var/lib/x/lock". */
static void refusal_describe(struct machine *machine, const struct refusal *refusal,
                             struct cause_note *ret)
{
	struct intern *names = &machine->timeline->names;
	_cleanup_(buffer_release) struct buffer name = buffer_of(NAME_BYTES_MAX);

	buffer_puts(&name, "of ");
	buffer_puts(&name, refusal->path                       ? intern_text(names, refusal->path)
	                   : refusal->ask.what == LOCK_OF_NAME ? "a file that exists"
	                                                       : "a file");
	cause_note_init(ret, CAUSE_LOCK, CONFIDENCE_MEDIUM);
	ret->name = intern_add(names, name.text, name.length);
	ret->as.file_lock.file = refusal->path;
	ret->as.file_lock.is_flock = refusal->path && refusal->ask.what == LOCK_OF_FLOCK;
	ret->origin = refusal->retry.begin;
	cause_note_name_holder(ret, refusal->holder);
}

/* `of`: the track itself, or the process that has `track` as a child. */
static void refusals_take(struct machine *machine, uint32_t of, uint32_t track,
                          const struct file_ask *ask)
{
	struct object_pool *refused = &file_locks_of(machine)->refused;
	uint64_t key = retry_key(of, /* of_children= */ of != track);
	struct refusal *refusal = object_pool_find(refused, key);

	ASSUME(ask->result == 0 || ask->result == RESULT_REFUSED);
	if (refusal && refusal->ask.file == ask->file) {
		refusal_try(machine, of, track, refusal, ask);
	} else if (ask->result != 0) {
		refusal = object_pool_put(refused, key);
		*refusal = (struct refusal){
			.retry = {.begin = machine->now, .last = machine->now, .by = track},
			.path = file_names_find(&machine->timeline->files, ask->dev, ask->inode),
		};
	}
	if (ask->result != 0)
		refusal_note(machine, track, refusal, ask);
}

/* Updates the tasks that retry locks by the outcome of this attempt. */
static void file_lock_note_try(struct machine *machine, uint32_t track, const struct file_ask *ask)
{
	struct file_locks *locks = file_locks_of(machine);
	const struct refusal *own;
	struct release *release;
	uint32_t parent;

	if (object_pool_count(&locks->refused) == 0 && ask->result != RESULT_REFUSED)
		return; /* as in most traces */
	if (ask->result == 0 && ask->is_unlock) {
		release = object_pool_find(&locks->released, ask->file);
		own = object_pool_find(&locks->refused,
		                       retry_key(track, /* of_children= */ false));
		/* a task that is refused that lock itself unlocks only a part of the file */
		if (release && range_overlaps(&release->asked, &ask->range) &&
		    !(own && own->ask.file == ask->file)) {
			release->track = track;
			release->time = machine->now;
		}
		return;
	}
	if (ask->result != 0 && ask->result != RESULT_REFUSED)
		return;
	parent = retry_parent(machine, track);
	refusals_take(machine, track, track, ask);
	if (parent != TRACK_NONE)
		refusals_take(machine, parent, track, ask);
}

void file_lock_note_name(struct machine *machine, uint32_t track, uint64_t key, uint32_t path,
                         bool exists)
{
	const struct file_ask try = {
		.file = file_key(hash_mix(key, path), 0, LOCK_OF_NAME),
		.inode = hash_mix(key, path),
		.what = LOCK_OF_NAME,
		.result = exists ? RESULT_REFUSED : 0,
		.range.is_write = true,
	};
	struct refusal *refusal;

	if (exists)
		machine_wake_tracker(machine, TRACKER_FILE_LOCK);
	if (machine->hooks.awake & TRACKER_BIT(FILE_LOCK))
		file_lock_note_try(machine, track, &try);
	refusal = exists ? object_pool_find(&file_locks_of(machine)->refused,
	                                    retry_key(track, /* of_children= */ false))
	                 : NULL;
	if (refusal && path)
		refusal->path = path;
}

static void file_lock_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	struct refusal *refusal =
		retry_pause(machine, &file_locks_of(machine)->refused, track, cause);
	struct cause_note note;

	ASSUME(cause->kind == CAUSE_TIMER);
	if (!refusal)
		return;
	ASSUME(refusal->tries == 0 || refusal->retry.begin <= refusal->retry.last);
	refusal_describe(machine, refusal, &note);
	cause->as.timer.request = link_share(machine, &refusal->retry.note, &note);
}

static void on_decision(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct file_ask ask = ask_of(machine, event);
	uint32_t track = cpu->current;
	struct file_wait *wait;
	bool is_waited;

	if (!cpu_is_in_task(cpu))
		return;
	if (file_locks_of(machine)->noted)
		lock_find_owners(machine, cpu, ask.file);
	file_lock_note_try(machine, track, &ask);
	wait = task_file_wait(machine, track);
	if (wait && (ask.is_unlock || wait->ask.file != ask.file)) {
		wait_give_up(machine, track, wait, machine->now);
		wait = NULL;
	}
	if (wait && wait->is_released)
		tenure_emit(machine, &ask, wait->waker, wait->turn, wait->woken_at,
		            CONFIDENCE_MEDIUM);
	if (ask.result == RESULT_WAITS) {
		file_lock_wait(machine, track, &ask);
		return;
	}
	is_waited = wait != NULL;
	if (is_waited) {
		wait_emit(machine, track, wait, machine->now, ask.result);
		tracker_drop_task(machine, TRACKER_FILE_LOCK, track);
	}
	if (ask.result == 0 && ask.is_unlock)
		file_lock_unlock(machine, track, &ask);
	else if (ask.result == 0)
		file_lock_get(machine, track, &ask, is_waited);
}

/* A task that still waits when the call returns has given up: it would have stopped waiting when it
   acquired the lock. */
static void on_posix_lock_end(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct file_wait *wait =
		cpu_is_in_task(cpu) ? task_file_wait(machine, cpu->current) : NULL;

	if (wait && wait->ask.file == ask_of(machine, event).file)
		wait_give_up(machine, cpu->current, wait, machine->now);
}

/* A waker that waits for the lock itself has not released it: it has only found that another task
   holds it. */
static void file_lock_wake(struct machine *machine, const struct cpu *cpu, uint32_t track)
{
	struct file_wait *wait = task_file_wait(machine, track);
	const struct file_wait *other;

	if (!wait || machine->task[track].kind != SEGMENT_WAIT)
		return;
	ASSUME(wait->ask.result == RESULT_WAITS);
	if (cpu_doer(cpu) == TRACK_NONE) {
		wait_give_up(machine, track, wait, machine->now);
		return;
	}
	other = task_file_wait(machine, cpu->current);
	wait->is_woken = true;
	wait->woken_at = machine->now;
	wait->waker = cpu->current;
	wait_note_holder(machine, track, wait);
	if (other && other->ask.file == wait->ask.file) /* so neither has acquired it */
		wait->waker = wait->holder;
	else
		wait->is_released = wait->holder == TRACK_NONE;
}

/* Adds which file the sleeper waits to lock: its path, or that it is a file. */
static void file_lock_refine(const struct machine *machine, const struct wake *wake,
                             struct cause_note *cause)
{
	const struct file_wait *wait = task_file_wait(machine, wake->wakee);
	const struct file_range *held;
	uint32_t path;

	if (!wait || machine->task[wake->wakee].detail != 'S')
		return;
	ASSUME(wait->turn <= machine->now);
	path = wait_path(machine, wait);
	if (cause->kind == CAUSE_UNKNOWN) {
		if (wake->event || wait->is_woken)
			return;
		/* it waits for the holder of the lock; a task that converts a flock() it holds has
		   released it, without an event */
		wait_become_cause(machine, wait, cause);
		held = range_in_the_way(machine, wake->wakee, &wait->ask);
		if (!held)
			return;
		cause_note_name_holder(cause, held->holder);
		cause->confidence = CONFIDENCE_HIGH;
	} else if (path) {
		cause->as.lock.file = path;
		cause->as.lock.is_flock = wait->ask.what == LOCK_OF_FLOCK;
	} else {
		cause->purpose =
			wait->ask.what == LOCK_OF_FLOCK ? PURPOSE_FLOCK : PURPOSE_POSIX_LOCK;
	}
}

/* A woken task that sleeps again without asking has given up, also if it ends (state I). In state D
   it may only sleep on its way to ask again. */
static void file_lock_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct file_wait *wait = task_file_wait(machine, track);

	if (wait && wait->is_woken && (letter == 'S' || letter == 'I'))
		wait_give_up(machine, track, wait, machine->now);
}

/* A task that ends while it waits was killed. */
static void file_lock_bury(struct machine *machine, uint32_t track, nsec_t t)
{
	struct file_wait *wait = task_file_wait(machine, track);

	(void)t;
	if (wait && machine->task[track].is_exiting)
		wait_give_up(machine, track, wait,
		             wait->is_woken ? wait->woken_at : machine->now);
}

static void file_locks_close(struct machine *machine, nsec_t end)
{
	TRACKER_TASK_EACH(machine, TRACKER_FILE_LOCK, track, struct file_wait, wait)
		wait_emit(machine, track, wait, end, RESULT_WAITS);
}

/* F_RDLCK and F_UNLCK of include/uapi/asm-generic/fcntl.h; three architectures have others. */
static void file_locks_begin(struct machine *machine)
{
	static const struct {
		const char *prefix;
		uint64_t unlock;
	} rows[] = {{"alpha", 8}, {"parisc", 3}, {"sparc", 3}};
	struct file_locks *locks = file_locks_of(machine);
	const char *arch = machine->setup.source->arch;

	locks->unlock = 2;
	for (size_t i = 0; arch && i < ARRAY_SIZE(rows); i++)
		if (strncmp(arch, rows[i].prefix, strlen(rows[i].prefix)) == 0)
			locks->unlock = rows[i].unlock;
	locks->read = locks->unlock == 2 ? 0 : 1;
	locks_take_noted(machine);
}

const struct tracker file_lock_tracker = {
	.handlers = HANDLERS(
		{EVENT_FLOCK, on_decision},
		{EVENT_POSIX_LOCK, on_decision},
		{EVENT_POSIX_LOCK_END, on_posix_lock_end}),
	.own_bytes = sizeof(struct file_locks),
	.stores = STORES(
		POOL_AT(offsetof(struct file_locks, held),
		        struct file_lock, OBJECTS_MAX, "file locks", NULL),
		POOL_AT(offsetof(struct file_locks, refused),
		        struct refusal, REFUSALS_MAX, NULL, NULL),
		POOL_AT(offsetof(struct file_locks, released),
		        struct release, REFUSALS_MAX, NULL, NULL)),
	.task_bytes = sizeof(struct file_wait),
	.wake = file_lock_wake,
	.wakes_kept = true,
	.sleep = file_lock_sleep,
	.change = file_lock_bury,
	.refine = {file_lock_refine, 1u << CAUSE_TASK | 1u << CAUSE_UNKNOWN,
	           ONLY_KEPT | AND_UNWOKEN},
	.conclude = {file_lock_conclude, 1u << CAUSE_TIMER, 0},
	.begin = file_locks_begin,
	.close = file_locks_close,
	.forgets_tasks = true,
};
