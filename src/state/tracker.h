/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the trackers share: the machine, the CPUs, the states of tasks. Private to src/state.
 *
 * A tracker is one file with one struct tracker: which events it wants, how it explains a wake-up,
 * what it forgets when events were lost. To add one: write the file, add it to the table in
 * machine.c, at its place in the order in which causes are decided.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/map.h"
#include "base/object_pool.h"
#include "ftwait/event.h"
#include "machine.h"

/* Deeper nesting than hard in soft interrupt with a timer and a call in each does not occur. */
#define CONTEXT_DEPTH_MAX 16
/* Requests that complete in one interrupt and are remembered. */
#define COMPLETED_MAX 8
#define CPUS_MAX      32768
#define VECTORS_MAX   16
#define TRACKERS_MAX  32
/* Locks that one task can contend for at once: a sleeping one and spinning ones inside it. */
#define LOCKS_MAX     4
#define MEMORY_DEPTH_MAX 4
/* Objects (timers, requests, work items) of a kind that are remembered at once. */
#define OBJECTS_MAX (1u << 18)

struct machine;

/* Where an event was recorded, by its flags. */
enum context_level {
	LEVEL_TASK,
	LEVEL_SOFT,
	LEVEL_HARD, /* and NMI */
};

enum frame_kind {
	FRAME_IRQ,
	FRAME_SOFTIRQ,
	FRAME_IPI,
	FRAME_TIMER,
};

/* Something that has been entered on a CPU and not left. */
struct frame {
	enum frame_kind kind;
	enum context_level level;
	int32_t number;      /* irq, softirq vector */
	uint32_t name;       /* irq: name; timer: function */
	nsec_t raised;       /* softirq: when, 0: not seen */
	nsec_t entered;
	uint32_t task;       /* line that was current then; LINE_NONE: not known */
	uint32_t raiser;     /* softirq: line of the task that raised it here; LINE_NONE */
	/* timer: who armed it, when */
	uint32_t armer;
	nsec_t armed;
	bool may_have_armer; /* timer: armed by one who was forgotten, if by anyone */
};

/* One object seen in one activation of an interrupt: it counts only while that lasts. */
struct sighting {
	struct cause_note note;
	nsec_t time; /* block requests: of the completion */
	enum context_level level;
	uint64_t activation;
	uint32_t task; /* in LEVEL_TASK: the line that was current */
};

struct cpu {
	uint32_t number;
	uint32_t run_queue;   /* line put there last; LINE_NONE: none is known of */
	int64_t current_tid;  /* as common_pid has it; valid while current is a line */
	uint32_t current;     /* line; LINE_NONE: not known */
	uint32_t idle;        /* line of this CPU's idle task; LINE_NONE: not seen */
	nsec_t last;          /* time of the last event here */
	bool is_after_gap;    /* what runs here is known only since a loss */
	uint64_t event_count;

	/* its last stretch of idleness; NSEC_NEVER: none was seen, it is not over */
	nsec_t idle_begin, idle_end;
	/* when a task under that limit (of limits.limit, 0: none did) left it last */
	uint32_t limit;
	nsec_t limited_off;

	/* contexts */
	enum context_level level;      /* of the last event */
	enum context_level base_level; /* of the last event that was not in a hard interrupt */
	uint64_t activation[LEVEL_HARD + 1]; /* counts the entries into each level */
	struct frame frame[CONTEXT_DEPTH_MAX];
	unsigned depth;

	/* the hard interrupt that was left last: its thread is woken after that */
	int32_t left_irq;
	uint32_t left_name;
	uint64_t left_activation; /* of LEVEL_HARD */

	/* for softirq_entry: who raised each vector here; LINE_NONE: an interrupt, or not seen */
	uint32_t raiser[VECTORS_MAX];
	nsec_t raised[VECTORS_MAX]; /* when first, since the vector was last entered; 0: not */

	struct sighting completed[COMPLETED_MAX]; /* block requests, a ring */
	unsigned completed_next;
	struct sighting packet;
	uint32_t unclaimed; /* packets of this activation that no connection has taken in yet */
	struct sighting socket; /* whose the packet is, once that is known */

	/* signal_generate and sched_waking, which are seen directly after one another */
	int32_t signal_number;
	int64_t signal_tid;
	uint64_t signal_at; /* event_count then */
	uint32_t woken;     /* line of the last sched_waking */
	uint64_t woken_at;
	/* an item queued in the idle task's context, and the wake-up of its worker */
	uint32_t queued;    /* name of its function */
	uint64_t queued_at; /* event_count then; 0: none */
	/* sched_switch and the stack of the task that it took off */
	uint32_t left;      /* line; LINE_NONE: none */
	uint64_t left_at;
};

/* A wake-up that may end a wait later: the sleeper was still on its CPU. */
struct pending_wake {
	bool is_set;
	/* The sleeper is known to have gone on running after it, so it is believed only if
	   nothing better comes. */
	bool is_used_up;
	nsec_t time;
	struct cause_note *cause; /* NULL until there was one */
};

/* A wait that has ended and is not told of yet. */
struct held_wait {
	struct span span;
	struct cause_note cause;
	struct span runnable; /* what followed it; where has_runnable: the task runs already */
	bool has_runnable;
	struct held_wait *next; /* while it is not in use */
};

/* The work item that a worker executes. */
struct current_work {
	struct cause_note item;   /* kind CAUSE_UNKNOWN: none */
	/* what the interrupt served that queued the item; CAUSE_UNKNOWN: a task queued it */
	struct cause_note reason;
	uint32_t noted; /* see work_note_current(); 0: not yet */
	/* as struct interval has it */
	uint64_t address, function;
	nsec_t queued, started;
	uint32_t queuer;
};

struct contended_lock {
	uint64_t address;
	uint32_t flags;
	nsec_t begin;     /* of its first turn */
	uint32_t owner;   /* as struct interval has it */
	bool has_slept;   /* in an earlier turn */
	uint8_t letter;   /* of the state in which the task slept for it; 0: it has not yet */
	bool is_doubtful; /* its last sleep may be for something else */
};

/* Reclaims and compactions that a task is in, one inside the other. */
struct memory_use {
	uint8_t depth;
	nsec_t followed; /* up to here the states of the task are counted in them */
	struct memory_stretch stretch[MEMORY_DEPTH_MAX]; /* outermost first; ends not set */
};

/* A task that was able to run while its CPU idled: queue_tracker.c. */
struct held_back {
	bool is_so;      /* in its present span */
	/* its CPU idled before already: it may only be slow to wake up */
	bool is_queued_while_idle;
	nsec_t since;    /* not able to run since then, if a limit holds it back */
	nsec_t idle;     /* when its CPU is seen to idle first */
	uint32_t limit;  /* that held it back last, of limits.limit; 0: none did */
	nsec_t used;     /* of the limit's time in its period, when the task was queued */
	/* the only limit in use, in whose last periods it stood in the queue when they ended, for
	   far longer than at any other time: how many, when the last ended, how long else */
	uint64_t regular_timer;
	uint32_t regular_count;
	nsec_t regular_end, regular_else;
};

/* Kernel threads whose wake-ups mean something special, told by their names. */
enum thread_role {
	ROLE_NONE,
	ROLE_RCU,
	ROLE_NAPI,
	ROLE_KSOFTIRQD,
	ROLE_KTIMERS, /* PREEMPT_RT: serves soft interrupts too, those of timers */
	ROLE_STOPPER, /* migration/N: wakes what is queued for its CPU before it moves a task */
};

/* Where a task sleeps, as far as it tells a sleep from another one; all 0: nothing is known. */
struct sleep_spot {
	uint64_t lock, futex; /* addresses */
	uint64_t calls;       /* system calls entered and left so far */
	uint32_t frames;      /* stack, id in names */
};

/*
 * One for each line, of which there may be millions: what few tasks ever have is allocated when
 * they have it.
 */
struct task_state {
	enum segment_kind kind;
	uint8_t detail;
	uint16_t cpu;
	nsec_t since;
	struct sleep_place place; /* WAIT: where it sleeps */
	bool is_doubtful;
	/* WAIT that was woken before it began, unless a real wake-up still comes */
	bool is_tentative;
	uint8_t role;  /* enum thread_role */
	int16_t priority; /* as the line has it: that one is far away */
	char comm[16]; /* bytes as last seen, to spare comparing names */
	struct pending_wake pending;
	/* its last wait: what comes right after the wake-up may say more of it; NULL: none */
	struct held_wait *held;
	struct current_work *work; /* NULL: it has never executed one */
	/* kernel locks that it contends for, innermost last; LOCKS_MAX, NULL until it did */
	struct contended_lock *lock;
	uint8_t lock_count;
	bool is_queued; /* runnable: a sched_wakeup has put it on its CPU's queue */
	bool is_listed; /* in the run queue of queue_cpu, since queued_at */
	uint16_t queue_cpu;
	uint32_t queue_next, queue_prev; /* LINE_NONE: none */
	nsec_t queued_at;
	struct held_back *held_back; /* NULL until it was */
	uint64_t released; /* lock that it let go of last while others contended; 0: none */
	nsec_t released_at;
	struct memory_use *memory; /* NULL: it has never had to make room */
	bool is_throttled; /* its next sleep is a penalty */
	bool is_in_series; /* it has frozen a cgroup or let it go, and not slept since */
	bool is_exiting;
	bool is_vforked; /* its parent waits in D until it executes a program or ends */
	bool has_unfreed_former; /* the next free of its tid is that of the task before */
	bool is_in_futex;
	/* spurious wakeups: where it slept last, and what happened since */
	struct sleep_spot spot;
	bool has_acted;    /* since it slept last: woke another task, did I/O, sent a packet */
	bool may_be_again; /* its sleep began without its having acted */
	bool is_again;     /* its sleep is where the last one was */
	uint64_t calls;
	bool waits_for_work; /* in a call that waits for something to do */
	uint8_t call;     /* enum sleep_call that it is in */
	uint64_t futex;   /* address; while is_in_futex */
};

/* Whether it takes pages away or moves them, which happens inside faults, never the reverse. */
static inline bool memory_makes_room(uint8_t what)
{
	return what == MEMORY_RECLAIM || what == MEMORY_MEMCG_RECLAIM || what == MEMORY_COMPACTION;
}

/* What a sleep in that function is, so many frames from the scheduler; CALL_NONE: not known. */
enum sleep_call sleep_call_of_function(const char *function, size_t depth);

/* What the task sleeps in. Where a stack tells where it is, that alone counts. */
static inline uint8_t task_call(const struct task_state *task)
{
	if (task->place.frames || task->call)
		return task->place.frames ? task->place.call : task->call;
	return task->is_in_futex ? CALL_FUTEX : CALL_NONE;
}

/* A wake-up to be explained. */
struct wake {
	const struct event *event;
	struct cpu *cpu;
	uint32_t wakee; /* line; LINE_NONE: nobody is woken, a work item is queued */
	enum context_level level;
};

struct tracker;

struct handler_row {
	enum event_kind kind;
	void (*handle)(struct machine *machine, struct cpu *cpu, const struct event *event);
};

struct tracker {
	const char *name;
	const struct handler_row *handlers; /* handler_count of them */
	size_t handler_count;
	/*
	 * explain and refine are pure but for names and causes that they have kept: a wake-up may
	 * be explained that ends nothing, or that another one makes void. What it means for the
	 * tracker itself is for conclude.
	 *
	 * True and *ret filled where this tracker knows why; asked in the order of the table.
	 */
	bool (*explain)(const struct machine *machine, const struct wake *wake,
	                struct cause_note *ret);
	unsigned explains; /* mask by enum context_level of the wake-ups it is asked about */
	/* Says what the sleeper was doing, or more of what woke it: may change the cause;
	   NULL: no */
	void (*refine)(const struct machine *machine, const struct wake *wake,
	               struct cause_note *cause);
	/* The same for one whom nobody is known to have woken, or not yet: only the wakee of the
	   wake is set, the cause is CAUSE_UNKNOWN. */
	bool refines_unwoken;
	/* That wake-up really ended the line's wait, of which nothing has been told yet: what
	   follows from it is noted, and what was said of it before the sleep began is put right.
	   NULL: nothing. */
	void (*conclude)(struct machine *machine, uint32_t line, struct cause_note *cause);
	uint32_t concludes; /* mask by enum cause_kind of the causes it is asked about */
	void (*begin)(struct machine *machine); /* allocate */
	/* The trace ends there: intervals that are open are told. NULL: it has none. */
	void (*close)(struct machine *machine, nsec_t end);
	/* Events were lost: nothing may be paired across. */
	void (*forget)(struct machine *machine);
	void (*end)(struct machine *machine); /* free */
};

extern const struct tracker task_tracker, timer_tracker, block_tracker, net_tracker,
	socket_tracker, irq_tracker, signal_tracker, work_tracker, lock_tracker, memory_tracker,
	connect_tracker, label_tracker, syscall_tracker, place_tracker, softirq_thread_tracker,
	life_tracker, freezer_tracker, queue_tracker, limit_tracker;

#define IN_TASK (1u << LEVEL_TASK)
#define IN_IRQ  (1u << LEVEL_SOFT | 1u << LEVEL_HARD)

struct timers;
struct requests;
struct works;
struct locks;
struct flights;
struct places;
struct sockets;
struct openings;
struct syscalls;
struct freezers;
struct signal_names;
struct stops;
struct limits;

struct machine {
	struct machine_setup setup;
	struct timeline *timeline;
	struct health *health;
	void (*handler[EVENT_KIND_COUNT])(struct machine *, struct cpu *, const struct event *);

	/* those that explain wake-ups of each level, in the order of the table; NULL-ended */
	const struct tracker *explainer[LEVEL_HARD + 1][TRACKERS_MAX + 1];
	const struct tracker *refiner[TRACKERS_MAX + 1];
	const struct tracker *unwoken_refiner[TRACKERS_MAX + 1];
	const struct tracker *concluder[TRACKERS_MAX + 1];
	uint32_t concluded_kinds; /* mask by enum cause_kind: some tracker wants to know */

	bool has_begun;
	nsec_t begin, now;
	nsec_t gap_end; /* latest end of a loss on any CPU; 0: none */
	bool has_snapshot; /* the states of tasks were told when recording began */
	bool has_waking; /* a sched_waking was seen */
	bool has_freezing; /* a cgroup was frozen or let go */
	bool has_migrate; /* a sched_migrate_task was seen */
	bool has_signal_after_wake; /* this kernel tells of a signal after its wake-up */

	uint32_t interval_kinds; /* that anybody wants to be told of, INTERVAL_MASK()s */

	struct cpu **cpu; /* by number; NULL: nothing was recorded there, so far */
	uint32_t cpu_count; /* one more than the highest number seen */
	struct task_state *task; /* by line */
	size_t task_capacity;
	struct held_wait *free_held;
	struct map line_by_tid;
	struct map known_by_tid; /* index in setup.source->known_tasks */

	/* see machine_begin_pool() */
	const struct object_pool *pool[TRACKERS_MAX];
	size_t pool_count;
	/* what trackers remember, each its own */
	struct timers *timers;
	struct requests *requests;
	struct works *works;
	struct locks *locks;
	struct flights *flights;
	struct places *places;
	struct sockets *sockets;
	struct openings *openings;
	struct syscalls *syscalls;
	struct freezers *freezers;
	struct limits *limits;
	const struct signal_names *signals;
	struct stops *stops;
};

/* The line of a tid, made where there is none; LINE_NONE beyond the limit. */
uint32_t machine_line(struct machine *machine, struct cpu *cpu, int64_t tid);
/* The line of a tid if there is one. */
uint32_t machine_find_line(const struct machine *machine, const struct cpu *cpu, int64_t tid);
/* A new task takes over the tid. */
uint32_t machine_new_generation(struct machine *machine, int64_t tid);
/* The task of one tid takes over another; that one's task, if it has not ended, takes the first. */
void machine_move_line(struct machine *machine, struct cpu *cpu, int64_t from, int64_t to);
/* The task is called so from now on. */
void machine_rename(struct machine *machine, uint32_t line, struct text comm);

/* The task's name as an event has it: nearly always the one it had before. */
static inline void machine_name(struct machine *machine, uint32_t line, struct text comm)
{
	const char *known = machine->task[line].comm;

	if (comm.length != sizeof(machine->task[line].comm) ||
	    memcmp(known, comm.at, sizeof(machine->task[line].comm)) != 0)
		machine_rename(machine, line, comm);
}

/* Whether the recording was made for this task. */
bool machine_is_target(const struct machine *machine, const struct line *line);
/* At the end: lines for those who slept from the first to the last event, as far as that is of
   interest; they appear in none. */
void machine_add_sleepers(struct machine *machine);
/* The place that the text names: functions, innermost first, ";" between. */
struct sleep_place machine_place(struct machine *machine, const char *functions);
/* What is still open of objects ends with the trace, for those who asked for intervals. */
void machine_close_objects(struct machine *machine, nsec_t end);
/* Name id of the function at the address; 0 where it has no name. */
uint32_t machine_function(const struct machine *machine, uint64_t address);
/* Name of the function that the address lies in; NULL where it has none. */
const char *machine_function_within(const struct machine *machine, uint64_t address);
/* Name id of a soft interrupt's vector; 0 where it has none. */
uint32_t softirq_name(const struct machine *machine, int32_t vector);
/* Why this wake-up happens, by the first tracker that knows, else by the waker. */
void machine_explain(const struct machine *machine, const struct wake *wake,
                     struct cause_note *ret);
/* What the task sleeps for as far as that is known without a wake-up. */
void machine_explain_unwoken(const struct machine *machine, uint32_t line,
                             struct cause_note *ret);
/* What is being served in the interrupt in which a work item is queued; never a task's doing. */
void machine_explain_queueing(const struct machine *machine, struct cpu *cpu,
                              const struct event *event, struct cause_note *ret);
/* Ends the task's span at t and begins one of that kind. `cause` as in struct span. */
void task_become(struct machine *machine, uint32_t line, nsec_t t, enum segment_kind kind,
                 uint8_t detail, const struct cause_note *cause);
/* The task's present span, cut at t, is told of to the reclaims that it is in. */
void memory_follow(struct task_state *task, nsec_t t);
/* The wake-up may be one of those by which a cgroup is frozen or let go. */
void freezer_follow(struct machine *machine, const struct cpu *cpu, uint32_t wakee);
/* The trace ends in the reclaims that the task is in. */
void memory_close(struct machine *machine, uint32_t line, nsec_t end);
/* Whether the present span is of low confidence: off the CPU while events were lost. */
bool task_is_doubtful(const struct machine *machine, const struct task_state *task);
/* The task has just been stopped. */
void signal_note_stop(struct machine *machine, uint32_t line);
/* The signal that stopped a task that is stopped; false where it is not known. */
bool signal_explain_stop(const struct machine *machine, uint32_t line, struct cause_note *ret);
/* A connection comes into another state; `peer`: id of its name, 0: it has none. */
void connect_follow(struct machine *machine, const struct cpu *cpu, const struct event *event,
                    uint32_t peer);
/* A segment of the connection, if it is known, was not answered in time. */
void socket_note_retransmit(struct machine *machine, const struct event *event);
/* The work item that the current task executes; NULL: none. */
const struct cause_note *work_current(const struct machine *machine, const struct cpu *cpu);
/* The same as index in the timeline's causes + 1, with why it was queued; 0: none, no history. */
uint32_t work_note_current(const struct machine *machine, const struct cpu *cpu);
/* The current task does something that others can see: what it waited for was not in vain. */
void cpu_note_act(struct machine *machine, const struct cpu *cpu);
/* What task_conclude() and task_release() call once the case is not the common one. */
void task_ask_concluders(struct machine *machine, uint32_t line, struct cause_note *cause);
void task_tell_held(struct machine *machine, uint32_t line);

/* If the task waits: its wait ends by that cause, which may be corrected, now and for good. */
static inline void task_conclude(struct machine *machine, uint32_t line, struct cause_note *cause)
{
	if (machine->concluded_kinds & 1u << cause->kind &&
	    machine->task[line].kind == SEGMENT_WAIT)
		task_ask_concluders(machine, line, cause);
}

/* The task goes to sleep in the state of that letter: for a lock only if that fits. */
void task_sleep_in_locks(struct task_state *task, uint8_t letter);
/* The current task does what none does that is about to get a lock: the end of its contention, if
   it contended, was not seen. */
static inline void cpu_leave_locks(struct machine *machine, const struct cpu *cpu)
{
	if (cpu->level == LEVEL_TASK && cpu->current != LINE_NONE)
		machine->task[cpu->current].lock_count = 0;
}

/* Tells of the task's last wait if that is still held back. */
static inline void task_release(struct machine *machine, uint32_t line)
{
	if (machine->task[line].held)
		task_tell_held(machine, line);
}

/* The task is on that CPU since then (not before its present state began), however it got there. */
void task_run(struct machine *machine, uint32_t line, uint32_t cpu, nsec_t since);
/* As the kernel has it; PRIORITY_UNKNOWN: not told. */
static inline void task_set_priority(struct machine *machine, uint32_t line, int64_t priority)
{
	if (machine->task[line].priority == (int16_t)priority)
		return;
	machine->task[line].priority = (int16_t)priority;
	machine->timeline->line[line].priority = (int16_t)priority;
}

/* A tracker's pool of objects of which it matters that they are not forgotten. */
void machine_begin_pool(struct machine *machine, struct object_pool *pool,
                        const struct object_pool_setup *setup);
/* At the end: tells the health of what pools have forgotten that was alive. */
void machine_tell_forgotten(struct machine *machine);
/* Tells the sinks of a span; those without length only if they are waits or the last ones. */
void machine_tell(struct machine *machine, const struct span *span);
/*
 * Intervals: a tracker asks machine_wants() before it makes one. `begin` is told by the phases or,
 * where none is known, set; `end` and is_open too. The rest is the machine's.
 */
static inline bool machine_wants(const struct machine *machine, enum interval_kind kind)
{
	return machine->interval_kinds & INTERVAL_MASK(kind);
}
void machine_tell_interval(struct machine *machine, struct interval *interval);
/* The kinds that any sink asks for. */
uint32_t intervals_wanted(const struct machine_setup *setup);
/* Counts an impossible transition that was seen and mended. */
void machine_contradict(struct machine *machine);
/* Another task than believed is on this CPU: that one's switch-out was not seen. */
void cpu_lose_current(struct machine *machine, struct cpu *cpu);
/*
 * Makes the task of that tid the current one without a switch to it; returns its line. Where the
 * CPU was idle the task has run since the last sign of idleness there: some kernels do not record
 * every switch away from idle.
 */
uint32_t cpu_replace_current(struct machine *machine, struct cpu *cpu, uint32_t number,
                             int64_t tid);

/* What fits of the time between two instants that may not have been seen. */
static inline uint32_t time_between(nsec_t from, nsec_t to)
{
	if (from == NSEC_NEVER || to == NSEC_NEVER || from > to)
		return TIME_UNKNOWN;
	return to - from < TIME_UNKNOWN ? (uint32_t)(to - from) : TIME_UNKNOWN - 1;
}

/* The task stands in that CPU's run queue since now, and in no other. */
void queue_put(struct machine *machine, uint32_t line, uint32_t cpu);
/* It leaves the run queue at t: what its being held back means is told, if it was. */
void queue_take(struct machine *machine, uint32_t line, nsec_t t);
/* It leaves the run queue, and what was seen there says nothing of it. */
void queue_leave(struct machine *machine, uint32_t line);

static inline void queue_drop(struct machine *machine, uint32_t line)
{
	if (machine->task[line].is_listed || machine->task[line].held_back)
		queue_leave(machine, line);
}
/* Whether its CPU idles, or has, while it stood there: it cannot have been able to run. */
bool queue_is_refuted(const struct machine *machine, uint32_t line);
/* The CPU begins to idle now; ended to idle at t. */
void queue_begin_idle(struct machine *machine, struct cpu *cpu);
void queue_end_idle(struct machine *machine, struct cpu *cpu, nsec_t t);
/* A task leaves its CPU, which it has had since then: its limit's time is used by that. */
void limits_use(struct machine *machine, struct cpu *cpu, uint32_t line, nsec_t since);

static inline void limits_note_off(struct machine *machine, struct cpu *cpu, uint32_t line,
                                   nsec_t since)
{
	if (machine->task[line].held_back)
		limits_use(machine, cpu, line, since);
}
/* The timer of that function expires. */
void limits_note_expiry(struct machine *machine, uint32_t function, uint64_t timer);

/* Follows the flags of the event; counts exits that were not seen. */
void cpu_follow_level(struct machine *machine, struct cpu *cpu, const struct event *event);
struct frame *cpu_push(struct machine *machine, struct cpu *cpu, const struct event *event,
                       enum frame_kind kind);
/* The frame that is left, to be read until the next one is pushed; NULL: its entry was not seen. */
const struct frame *cpu_pop(struct machine *machine, struct cpu *cpu, enum frame_kind kind);
/* The innermost frame of this very level; NULL where there is none. */
const struct frame *cpu_top(const struct cpu *cpu, enum context_level level);
void cpu_forget(struct cpu *cpu);
/* A sighting that belongs to the activation in which the event stands. */
void cpu_sight(const struct cpu *cpu, struct sighting *sighting, const struct cause_note *note);
bool cpu_sees(const struct cpu *cpu, const struct sighting *sighting);
