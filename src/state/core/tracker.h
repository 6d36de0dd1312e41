/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a tracker is, and the machine as trackers see it. Private to src/state.
 *
 * A tracker is one struct tracker, in the file of its subject: which events it wants, how it
 * explains a wake-up, what data it keeps - of the machine, of a task, of a CPU - and which of that
 * is void when events were lost. The data are private: others use what trackers.h declares. To add
 * a tracker, write the file and add a row to TRACKERS, at its place in the order in which causes
 * are decided.
 *
 * It takes part from its first event on: a tracker whose events are not in the trace costs nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/id_table.h"
#include "base/data/map.h"
#include "base/data/object_pool.h"
#include "base/data/sparse_array.h"
#include "ftwait/event.h"
#include "machine_setup.h"
#include "shared_state.h"

/* All trackers, in the order in which the cause of a wake-up is decided. */
#define TRACKERS(ROW)                                                                         \
	ROW(TIMER, timer)                                                                     \
	ROW(SOFTIRQ_THREAD, softirq_thread)                                                   \
	ROW(BLOCK, block)                                                                     \
	ROW(NET, net)                                                                         \
	ROW(SOCKET, socket)                                                                   \
	ROW(IPI, ipi)                                                                         \
	ROW(IRQ, irq)                                                                         \
	ROW(SIGNAL, signal)                                                                   \
	ROW(WORK, work)                                                                       \
	ROW(LOCK, lock)                                                                       \
	ROW(SYSCALL, syscall)                                                                 \
	ROW(FREEZER, freezer)                                                                 \
	ROW(SUSPEND, suspend)                                                                 \
	ROW(MEMORY, memory)                                                                   \
	ROW(LABEL, label)                                                                     \
	ROW(SLEEP, sleep)                                                                     \
	ROW(PLACE, place)                                                                     \
	ROW(WAKER, waker)                                                                     \
	ROW(SAMPLE, sample)                                                                   \
	ROW(REQUEST, request)                                                                 \
	ROW(CONNECT, connect)                                                                 \
	ROW(SERVICE, service)                                                                 \
	ROW(ANSWER, answer)                                                                   \
	ROW(AGAIN, again)                                                                     \
	ROW(MARK, mark)                                                                       \
	ROW(FILE_LOCK, file_lock)                                                             \
	ROW(FILE, file)                                                                       \
	ROW(BINDER, binder)                                                                   \
	ROW(MMAP_LOCK, mmap_lock)                                                             \
	ROW(OPEN_WAIT, open_wait)                                                             \
	ROW(CHILD, child)                                                                     \
	ROW(PENDING_DISK, pending_disk)                                                       \
	ROW(IDLE, idle)                                                                       \
	ROW(EXPIRY, expiry)                                                                   \
	ROW(PRIORITY, priority)                                                               \
	ROW(GROUP, group)                                                                     \
	ROW(LIFE, life)                                                                       \
	ROW(TASK, task)                                                                       \
	ROW(QUEUE, queue)                                                                     \
	ROW(LIMIT, limit)                                                                     \
	ROW(QUOTA, quota)                                                                     \
	ROW(BUDGET, budget)                                                                   \
	ROW(CONTEXT, context)

enum tracker_id {
#define TRACKER_ID(id, name) TRACKER_##id,
	TRACKERS(TRACKER_ID)
#undef TRACKER_ID
	TRACKER_COUNT,
};

#define TRACKER_BIT(id) ((tracker_set)1 << TRACKER_##id)

_Static_assert(TRACKER_COUNT <= 64, "a set of trackers is a mask");

static inline tracker_set tracker_bit(enum tracker_id id)
{
	return (tracker_set)1 << id;
}

/* The trackers that come later in the table. */
static inline tracker_set trackers_after(enum tracker_id id)
{
	return ~(tracker_set)1 << id;
}

#define CPUS_MAX 32768
/* The most objects (timers, requests, work items) of a kind that are remembered at once. */
#define OBJECTS_MAX (1u << 18)

/* A wake-up to be explained. */
struct wake {
	const struct event *event; /* NULL, and cpu too: there is no known waker */
	struct cpu *cpu;
	uint32_t wakee; /* track; TRACK_NONE: no task is woken, a work item is queued */
	enum context_level level;
};

typedef void event_handler(struct machine *machine, struct cpu *cpu, const struct event *event);

struct handler_row {
	enum event_kind kind;
	event_handler *handle;
};

/* A tracker's handlers: rows of struct handler_row; one without a handler ends them. */
#define HANDLERS(...) ((const struct handler_row[]){__VA_ARGS__, {0}})
#define HANDLERS_EACH(tracker, row)                                                           \
	for ((row) = (tracker)->handlers; (row) && (row)->handle; (row)++)

/* A pool or a map in the tracker's own data. The machine makes it, empties it when events were
   lost, and frees it; at the end it reports what a pool of a `kind` has forgotten. */
struct store {
	enum store_kind {
		STORE_NONE,
		STORE_POOL,
		STORE_MAP,
	} kind;
	size_t at; /* in the own data */
	struct object_pool_setup pool;
};

#define STORES(...) ((const struct store[]){__VA_ARGS__, {0}})
#define POOL_AT(at, object, limit, kind, is_alive)                                            \
	{STORE_POOL, (at), {sizeof(object), (limit), (kind), (is_alive)}}
#define MAP_AT(at) {STORE_MAP, (at), {0}}

/* Of which tasks a hook is called; 0: of all. */
enum hook_flag {
	ONLY_MARKED = 1 << 0, /* the tracker's bit is in the CPU's `explainers`, or as ONLY_KEPT */
	/* the tracker keeps data of the task; conclude: or the wake-up ends a sleep for work */
	ONLY_KEPT = 1 << 1,
	AND_PLACED = 1 << 2, /* and tasks whose place of sleep is known */
	/* Refines also for a task with no known waker, or none yet: only the wakee of the wake is
	   set, the cause is CAUSE_UNKNOWN. */
	AND_UNWOKEN = 1 << 3,
	ONLY_SOFT = 1 << 4, /* in LEVEL_SOFT */
};

struct tracker {
	const struct handler_row *handlers; /* HANDLERS(); NULL: it has none */
	/* A tracker that takes part is asked to explain, refine and conclude, and notified of
	   wake-ups; all other hooks are called in any case. */
	bool is_always;     /* takes part without an event of its own */
	bool is_for_daemons; /* takes part unless the recording was made of a command alone */
	tracker_set also_with; /* takes part also from the first event of these trackers on */

	/* Bytes of its data, all 0 at first: of the machine, of a task for which it asks, of a CPU.
	   Data of a task are freed when it dies. */
	size_t own_bytes, task_bytes, cpu_bytes;
	const struct store *stores; /* STORES(); NULL: it has none */
	/* When events were lost, its stores stay as they are; its data of all tasks, and of the CPU
	   that lost them, are void. */
	bool keeps_stores, forgets_tasks, forgets_cpu;

	/*
	 * The explained wake-up may end no wait, or be superseded. So explain and refine change
	 * nothing that the tracker knows; they may intern names, and clear the tracker's bit in the
	 * CPU's `explainers`, which only saves asking again. Consequences for the tracker itself
	 * belong in conclude.
	 *
	 * True and *ret filled where this tracker knows the cause; asked in the order of the table.
	 */
	struct {
		bool (*call)(const struct machine *machine, const struct wake *wake,
		             struct cause_note *ret);
		unsigned levels; /* mask by enum context_level of the wake-ups it is asked about */
		unsigned flags;  /* ONLY_MARKED: in LEVEL_TASK */
	} explain;
	unsigned explains_roles; /* mask by enum kernel_thread of the wakees; 0: all */
	/* Adds what the sleeper was doing, or more about what woke it; may change the cause. */
	struct {
		void (*call)(const struct machine *machine, const struct wake *wake,
		             struct cause_note *cause);
		uint32_t causes; /* mask by enum cause_kind, as decided; 0: all */
		unsigned flags;  /* ONLY_KEPT, AND_PLACED, AND_UNWOKEN, ONLY_SOFT */
	} refine;
	/* The wake-up really ended the track's wait, which has not been emitted yet: notes what
	   follows from it, and corrects what was recorded of it before the sleep began. */
	struct {
		void (*call)(struct machine *machine, uint32_t track, struct cause_note *cause);
		uint32_t causes; /* mask by enum cause_kind */
		unsigned flags;  /* ONLY_KEPT: of CAUSE_TASK, by the waker */
	} conclude;

	/* A sched_waking of that track is about to be explained; it may end no wait. */
	void (*wake)(struct machine *machine, const struct cpu *cpu, uint32_t track);
	bool wakes_kept; /* only of tasks that it keeps data of */
	/* A task that it keeps data of is about to change its state, at t. */
	void (*change)(struct machine *machine, uint32_t track, nsec_t t);
	/* A task has gone to sleep in the state of that letter ('R': the state is not known).
	   Called if this tracker keeps data of the task, or a tracker of sleeps_with does. */
	void (*sleep)(struct machine *machine, uint32_t track, uint8_t letter);
	tracker_set sleeps_with;
	/* The snapshots at both ends of the recording found the task asleep in these functions,
	   innermost first, separated by ";", and no event names it. NULL: of no interest. */
	void (*stay)(struct machine *machine, uint32_t track, const char *functions);
	/* The task still waits, and the recorder saw what for: when the trace ends, or before
	   (machine_see()), perhaps several times. NULL: of no interest. */
	void (*seen)(struct machine *machine, uint32_t track, const struct open_wait *wait);
	/* Whether the task's sleep, which has not ended, may be for something that it has asked
	   for, though tasks sleep in that place that have nothing to do. */
	bool (*asks)(const struct machine *machine, uint32_t track);
	/* True and *ret filled where it knows what stopped a task that is still stopped when the
	   trace ends; asked in the order of the table. */
	bool (*explain_stop)(const struct machine *machine, uint32_t track, struct cause_note *ret);
	/* An event of the buffer that has stacks of programs and a profile; see
	   machine_sample(). */
	void (*sample)(struct machine *machine, struct cpu *cpu, const struct event *event);
	/* Where intervals of any of these kinds are wanted (INTERVAL_MASK()s), the tracker keeps
	   follow_bytes more of a task, and gets each span of a task that it keeps data of, possibly
	   some time after the span's end. The last span is cut by the end of the trace. */
	uint32_t follows;
	size_t follow_bytes;
	void (*follow)(struct machine *machine, const struct span *span);
	/* A task that it kept data of has died; the data are gone. */
	void (*bury)(struct machine *machine, uint32_t track);
	/* A signal has ended the track's last wait, which is held back (held_wait.h): it was no
	   wait for the task that sent it. */
	void (*cut)(struct machine *machine, uint32_t track);
	/* Any task has been stopped. */
	void (*stop)(struct machine *machine, uint32_t track);

	void (*begin)(struct machine *machine);
	/* The CPU is seen for the first time, or events of it were lost: the tracker's data of it
	   are void. */
	void (*reset_cpu)(struct machine *machine, struct cpu *cpu);
	/* The trace ends there: emits what is open; tasks are as they are then. */
	void (*close)(struct machine *machine, nsec_t end);
	/* Events were lost: no events may be paired across the loss. */
	void (*forget)(struct machine *machine);
	void (*end)(struct machine *machine); /* frees what its data point to */
};

/* A cache of the names of functions: a trace has few functions, and each occurs often. Indexed by
   hash; a new entry replaces the old one. */
struct named_function {
	uint64_t address; /* 0: none */
	uint32_t name;
};

#define FUNCTIONS_NAMED 256u /* a power of 2 */

/* A cache of the names of words that events carry, such as the kind of a request, a device or an
   interrupt. */
struct named_word {
	uint64_t bytes[2]; /* padded with 0 */
	uint32_t length;   /* as the event has it; 0: none */
	uint32_t name;
};

#define WORDS_NAMED 64u /* a power of 2 */

/* Which trackers take part, and which of these have each hook: nobody else is called. */
struct tracker_hooks {
	tracker_set awake; /* trackers that take part */
	tracker_set explaining[LEVEL_COUNT], explaining_role[KERNEL_THREAD_COUNT];
	tracker_set explaining_marked;
	tracker_set refining[LEVEL_COUNT], refining_cause[CAUSE_KIND_COUNT];
	tracker_set refining_kept, refining_placed, refining_unwoken;
	tracker_set concluding[CAUSE_KIND_COUNT]; /* of those awake */
	tracker_set concluding_kept;
	tracker_set waking, waking_kept, changing, sleeping, stopping, following;
	tracker_set sleeping_with, sleeping_more; /* see tracker.sleeps_with */
};

/* What the trace has shown so far about itself and its kernel. */
struct machine_findings {
	bool has_snapshot; /* the states of tasks were recorded when recording began */
	bool has_waking;   /* a sched_waking was seen */
	bool preempts_softirqs; /* a soft interrupt was switched out with its task: PREEMPT_RT */
	bool has_migrate;  /* a sched_migrate_task was seen */
	bool has_ticks;    /* the timer of the tick was seen to expire */
	bool has_quota;    /* the recorder noted a limit that has held a task back */
};

struct machine {
	struct machine_setup setup;
	struct timeline *timeline;
	struct health *health;
	const struct signal_names *signals; /* of the recorded machine */

	event_handler *handler[EVENT_KIND_COUNT];
	struct tracker_hooks hooks;

	bool has_begun;
	bool has_ended;    /* there is no current event any more */
	struct machine_findings found;
	nsec_t begin, now;
	nsec_t gap_end; /* latest end of a loss on any CPU; 0: none */
	/* since when the rest of any CPU's data is missing; NSEC_NEVER: of none */
	nsec_t over_since;

	uint32_t interval_kinds; /* kinds that any sink wants, INTERVAL_MASK()s */
	unsigned span_kinds;     /* kinds that any sink needs: mask by enum segment_kind */

	struct cpu **cpu; /* by number; NULL: nothing was recorded there so far */
	uint64_t *unseen_cpus; /* a bit by number: see queue_tracker.h; NULL: none so far */
	uint32_t cpu_count; /* one more than the highest number seen */
	struct task_state *task; /* by track; those of other machines' tracks are all 0 */
	size_t task_capacity;
	uint32_t track_end; /* one more than the highest of its tracks */
	struct id_table track_by_tid;
	struct map is_target;    /* processes and tasks that the recording was made for, with their
	                            descendants at its begin */
	struct map known_by_tid; /* index in setup.source->known_tasks */
	/* processes that had several threads then, by tgid: the first one with a track, +
	   1; 0: none has one yet */
	struct map first_thread;

	struct named_function function[FUNCTIONS_NAMED];
	struct named_word word[WORDS_NAMED];
	struct held_wait *held_free; /* unused ones */
	/* data of trackers */
	void *own[TRACKER_COUNT];
	struct sparse_array of_tasks[TRACKER_COUNT]; /* by track */
	uint32_t cpu_offset[TRACKER_COUNT]; /* words */
	size_t cpu_words;
};

/* Whether the track is of this machine, and not of another one of the timeline. */
static inline bool machine_owns(const struct machine *machine, uint32_t track)
{
	return machine->timeline->track[track].host == machine->setup.host;
}

/* Loops over the machine's tracks. */
#define MACHINE_TRACK_EACH(machine, track)                                                    \
	for (uint32_t track = 0; track < (machine)->track_end; track++)                       \
		if (machine_owns((machine), track))

/* Loops over the CPUs of which anything was recorded so far, as `each`; not to be left by break. */
#define MACHINE_CPU_EACH(machine, each)                                                       \
	for (uint32_t number_ = 0; number_ < (machine)->cpu_count; number_++)                 \
		for (struct cpu *each = (machine)->cpu[number_]; each; each = NULL)

/* The number of the CPU on the machine itself. */
static inline uint32_t machine_own_cpu(const struct machine *machine, const struct cpu *cpu)
{
	return hosts_own_cpu(&machine->timeline->hosts, cpu->number);
}

/* The timeline's number of the machine's CPU 0. */
static inline uint32_t machine_first_cpu(const struct machine *machine)
{
	const struct hosts *hosts = &machine->timeline->hosts;

	return hosts->count ? hosts->host[machine->setup.host].cpu_first : 0;
}

/* A process or thread as a key of the timeline's logs. */
static inline int32_t machine_process_id(const struct machine *machine, int32_t id)
{
	return hosts_process_id(machine->setup.host, id);
}

/* By how much what is known of another machine's packets may be wrong in time, at least 1 ns; 0: it
   is this machine. */
static inline uint32_t machine_clock_bound(const struct machine *machine, uint32_t host)
{
	nsec_t bound = hosts_bound(&machine->timeline->hosts, host, machine->setup.host);

	if (host == machine->setup.host)
		return 0;
	return bound == 0 ? 1 : bound < TIME_UNKNOWN ? (uint32_t)bound : TIME_UNKNOWN - 1;
}

/* A device of the machine, as the timeline numbers it. */
static inline uint32_t machine_device(const struct machine *machine, uint32_t dev)
{
	return device_names_number(&machine->timeline->devices, machine->setup.host, dev);
}

/* The tracker's data of the CPU. */
static inline void *tracker_cpu(const struct machine *machine, const struct cpu *cpu,
                                enum tracker_id id)
{
	ASSUME(machine->cpu[cpu->number] == cpu);
	return (void *)(uintptr_t)&cpu->own[machine->cpu_offset[id]];
}

/* The tracker's data of the task; NULL: none. The address stays valid until they are dropped. */
static inline void *tracker_task(const struct machine *machine, enum tracker_id id, uint32_t track)
{
	ASSUME(track < machine->track_end);
	return machine->task[track].has & tracker_bit(id)
	               ? sparse_array_at(&machine->of_tasks[id], track)
	               : NULL;
}

/* The tracker's data of the task; adds them, all 0, if there are none yet. */
static inline void *tracker_keep_task(struct machine *machine, enum tracker_id id, uint32_t track)
{
	void *known = tracker_task(machine, id, track);

	ASSUME(machine_owns(machine, track));
	if (known)
		return known;
	machine->task[track].has |= tracker_bit(id);
	return sparse_array_get(&machine->of_tasks[id], track);
}

static inline void tracker_drop_task(struct machine *machine, enum tracker_id id, uint32_t track)
{
	ASSUME(track < machine->track_end);
	machine->task[track].has &= ~tracker_bit(id);
	sparse_array_drop(&machine->of_tasks[id], track);
}

/* Each defines a function that returns the data of the tracker `id` as what they are: its own,
   those of a task (NULL: none), those of a CPU. */
#define OWN_DATA(name, type, id)                                                              \
	static inline type *name(const struct machine *machine)                               \
	{                                                                                     \
		return machine->own[TRACKER_##id];                                            \
	}
#define TASK_DATA(name, type, id)                                                             \
	static inline type *name(const struct machine *machine, uint32_t track)               \
	{                                                                                     \
		return tracker_task(machine, TRACKER_##id, track);                            \
	}
#define CPU_DATA(name, type, id)                                                              \
	static inline type *name(const struct machine *machine, const struct cpu *cpu)        \
	{                                                                                     \
		return tracker_cpu(machine, cpu, TRACKER_##id);                               \
	}

/* Loops over the tasks that the tracker keeps data of, in no order: `track`, with its `object`, a
   pointer to that type. */
#define TRACKER_TASK_EACH(machine, id, track, type, object)                                   \
	for (uint32_t place_ = 0, track = 0, left_ = 1; left_; left_ = 0)                     \
		for (type *object;                                                            \
		     ((object) = sparse_array_next(&(machine)->of_tasks[id], &place_, &track));)

/* The tracker takes part from now on, although no event of its own was seen. */
void machine_wake_tracker(struct machine *machine, enum tracker_id id);

/* Adds a track for that tid, which has none yet. */
uint32_t machine_new_track(struct machine *machine, struct cpu *cpu, int64_t tid);

/* The track of a tid if there is one; tid 0 is the idle task of that CPU. */
static inline uint32_t machine_find_track(const struct machine *machine, const struct cpu *cpu,
                                          int64_t tid)
{
	_Static_assert(ID_TABLE_NONE == TRACK_NONE, "a tid that is not there has no track");
	return tid == 0 ? cpu->idle : id_table_get(&machine->track_by_tid, (uint64_t)tid);
}

/* The track of a tid; adds it if there is none. TRACK_NONE: the limit is reached. */
static inline uint32_t machine_track(struct machine *machine, struct cpu *cpu, int64_t tid)
{
	uint32_t track = machine_find_track(machine, cpu, tid);

	return track == TRACK_NONE ? machine_new_track(machine, cpu, tid) : track;
}

/* The first thread of the track's process if known; else the track itself. */
static inline uint32_t machine_leader(const struct machine *machine, uint32_t track)
{
	const struct track *tracks = machine->timeline->track;
	int32_t tgid = tracks[track].tgid;
	uint32_t leader;

	ASSUME(machine_owns(machine, track));
	if (tgid <= 0 || tgid == tracks[track].tid)
		return track;
	leader = id_table_get(&machine->track_by_tid, (uint64_t)tgid);
	if (leader != TRACK_NONE && tracks[leader].tgid == tgid)
		return leader;
	/* no event has named the first thread yet */
	leader = map_get(&machine->first_thread, (uint32_t)tgid);
	if (leader == MAP_NONE || leader == 0)
		return track;
	return machine->task[leader - 1].kind == SEGMENT_DEAD ? track : leader - 1;
}

/* The tgid of the track. If it is not known, the task is most often its process's first thread. */
static inline int32_t track_process(const struct machine *machine, uint32_t track)
{
	const struct track *of = &machine->timeline->track[track];

	return of->tgid > 0 ? of->tgid : of->tid;
}

/* A new task takes over the tid of the old one; TRACK_NONE: there is none. */
uint32_t machine_new_generation(struct machine *machine, uint32_t old, int64_t tid);
/* The task of tid `from` takes over tid `to`. `leader`, the task that had `to`, gets `from`;
   TRACK_NONE: none had it. */
void machine_move_track(struct machine *machine, struct cpu *cpu, int64_t from, uint32_t leader,
                        int64_t to);
/*
 * The leader is dead, but an event names its tid on a CPU that was idle, without a switch: one of
 * its threads executes a program and takes over the tid. Returns the thread that is able to run, if
 * there is only one; TRACK_NONE: the tid belongs to a new task.
 */
uint32_t machine_find_heir(const struct machine *machine, uint32_t leader);
/* The task has that name from now on. */
void machine_rename(struct machine *machine, uint32_t track, struct text comm);

/* The task's name as an event has it: nearly always the same as before. */
static inline void machine_name(struct machine *machine, uint32_t track, struct text comm)
{
	uint64_t known[2], seen[2];

	if (comm.length == sizeof(known)) {
		memcpy(known, machine->task[track].comm, sizeof(known));
		memcpy(seen, comm.at, sizeof(seen));
		if (known[0] == seen[0] && known[1] == seen[1])
			return;
	}
	machine_rename(machine, track, comm);
}

/* Finds the processes and tasks that the recording was made for. Call once, at the begin. */
void machine_find_targets(struct machine *machine);
/* Whether the recording was made for this task. */
bool machine_is_target(const struct machine *machine, const struct track *track);
/* Name id of a text that events repeat often; 0: it is empty. */
uint32_t machine_word(struct machine *machine, struct text text);
/* Name id of the function at the address; 0 where it has no name. */
uint32_t machine_function(struct machine *machine, uint64_t address);
/* Name of the function that the address lies in; NULL where it has none. */
const char *machine_function_within(const struct machine *machine, uint64_t address);

/* The cause of this wake-up, by the first tracker that knows it, else by the waker. */
void machine_explain(const struct machine *machine, const struct wake *wake,
                     struct cause_note *ret);
/* What the task sleeps for, as far as known without a wake-up. */
void machine_explain_unwoken(const struct machine *machine, uint32_t track,
                             struct cause_note *ret);
/* What an interrupt that queues a work item serves; never attributed to a task. */
void machine_explain_queueing(const struct machine *machine, struct cpu *cpu,
                              const struct event *event, struct cause_note *ret);
/* Calls the trackers of the set; if they change the cause's kind, calls also the later trackers
   that conclude causes of the new kind. */
void machine_ask_concluders(struct machine *machine, tracker_set set, uint32_t track,
                            struct cause_note *cause);

/* If the task waits, its wait ends now, finally, by that cause, which may be corrected. Inline: for
   most waits that tasks end no tracker is asked. */
static inline void machine_conclude(struct machine *machine, uint32_t track,
                                    struct cause_note *cause)
{
	tracker_set set = machine->hooks.concluding[cause->kind];

	ASSUME(cause->kind < CAUSE_KIND_COUNT);
	if (cause->kind == CAUSE_TASK && !(machine->task[track].detail & WAIT_FOR_WORK))
		set &= ~machine->hooks.concluding_kept |
		       (cause->waker == TRACK_NONE ? 0 : machine->task[cause->waker].has);
	if (set && machine->task[track].kind == SEGMENT_WAIT)
		machine_ask_concluders(machine, set, track, cause);
}

/* A note that this task ends, or is to end, a wait: it explains further. */
static inline void cause_note_by_task(struct cause_note *note, enum confidence confidence,
                                      uint32_t waker)
{
	ASSUME(waker != TRACK_NONE);
	cause_note_init(note, CAUSE_TASK, confidence);
	note->waker = waker;
	note->is_walked = true;
}

/* That task has the lock that the note is about; TRACK_NONE: it is not known who has it. */
static inline void cause_note_name_holder(struct cause_note *note, uint32_t holder)
{
	note->waker = note->originator = holder;
	note->is_walked = holder != TRACK_NONE;
}

/* The task has another priority now: priority_tracker.c. */
void task_change_priority(struct machine *machine, uint32_t track, int16_t priority);

/* group_tracker.c: the task has just been born, and its parent and process are known as far as they
   will be. */
void group_be_born(struct machine *machine, uint32_t track);

/* The priority with which the task competes on run queues now, including a lent one, on the
   kernel's scale; PRIORITY_UNKNOWN where the recording does not contain it. */
static inline void task_set_priority(struct machine *machine, uint32_t track, int64_t priority)
{
	ASSUME(machine_owns(machine, track));
	if (machine->task[track].priority != (int16_t)priority)
		task_change_priority(machine, track, (int16_t)priority);
}

/*
 * Intervals: a tracker asks machine_wants() before it makes one. It sets `begin` only if no phase
 * is known: else `begin` is the first phase. It sets `end` and is_open; the machine sets
 * is_doubtful.
 */
static inline bool machine_wants(const struct machine *machine, enum interval_kind kind)
{
	return machine->interval_kinds & INTERVAL_MASK(kind);
}

/* One of which no phase is known, and no other task. */
static inline struct interval interval_of(enum interval_kind kind, uint32_t cpu, uint32_t task,
                                          nsec_t begin, nsec_t end)
{
	ASSUME(begin <= end);
	return (struct interval){
		.kind = kind,
		.cpu = cpu,
		.begin = begin,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = task,
		.other = TRACK_NONE,
	};
}

void machine_emit_interval(struct machine *machine, struct interval *interval);

/* The time between two instants, at most TIME_UNKNOWN - 1; TIME_UNKNOWN: one of them was not seen,
   or they are not in order. */
static inline uint32_t time_between(nsec_t from, nsec_t to)
{
	if (from == NSEC_NEVER || to == NSEC_NEVER || from > to)
		return TIME_UNKNOWN;
	return to - from < TIME_UNKNOWN ? (uint32_t)(to - from) : TIME_UNKNOWN - 1;
}

/* All trackers by enum tracker_id. Only core/ calls their hooks. */
extern const struct tracker *const trackers[TRACKER_COUNT];
extern const char *const tracker_names[TRACKER_COUNT]; /* for debugging causes */

/* Loops over a set of trackers, in the order of the table. */
#define TRACKERS_EACH(set, id)                                                                \
	for (tracker_set left_ = (set);                                                          \
	     left_ && ((id) = (enum tracker_id)__builtin_ctzll(left_), true); left_ &= left_ - 1)

/* Calls a hook of all trackers that have it. */
#define TRACKERS_CALL(hook, ...)                                                              \
	do {                                                                                  \
		for (size_t id_ = 0; id_ < TRACKER_COUNT; id_++)                              \
			if (trackers[id_]->hook)                                              \
				trackers[id_]->hook(__VA_ARGS__);                             \
	} while (0)

/* Whether a hook of any tracker returns true: they are called in the order of the table, up to that
   one. */
#define TRACKERS_ANY(hook, ...)                                                               \
	__extension__({                                                                       \
		bool is_any_ = false;                                                         \
		for (size_t id_ = 0; id_ < TRACKER_COUNT && !is_any_; id_++)                  \
			is_any_ = trackers[id_]->hook && trackers[id_]->hook(__VA_ARGS__);    \
		is_any_;                                                                      \
	})
