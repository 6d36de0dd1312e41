/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in the kernel a task went to sleep, from the stack recorded right after its switch-out or
 * from Android's sched_blocked_reason. The place tells what kind of a sleep it is: for something to
 * do, for memory; and whether a task that was woken sleeps again where it did before.
 */
#include "place_tracker.h"

#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "again_tracker.h"
#include "function_name.h"
#include "limit_tracker.h"
#include "lock_tracker.h"
#include "stack_event.h"
#include "wait_tracker.h"
#include "waker_tracker.h"

/* Of a task that could go on only those next to the scheduler are looked at. */
#define FRAMES_OFF 12

/* The sleeper is on its way into the scheduler: the place is whoever calls these. */
static const char *const scheduler_functions[] = {
	"__schedule",          "schedule",         "io_schedule",
	"schedule_timeout",    "schedule_idle",    "io_schedule_timeout",
	"schedule_rtlock",     "rt_mutex_schedule", "schedule_preempt_disabled",
	"schedule_hrtimeout",  "schedule_hrtimeout_range", "schedule_hrtimeout_range_clock",
	"schedule_timeout_interruptible", "schedule_timeout_uninterruptible",
	"schedule_timeout_killable", "schedule_timeout_idle", "preempt_schedule_common",
};

/* What task_work_run() calls between two works, and what that calls. */
static const char *const yielding_functions[] = {
	"__cond_resched", "dynamic_cond_resched", "_cond_resched", "preempt_schedule_common",
	"__schedule",
};

/*
 * Stopped by the freezer. The first one is mostly part of the second, which stops tasks for other
 * reasons too, but in state T.
 */
static const char *const freezer_functions[] = {"do_freezer_trap", "get_signal", "__refrigerator"};

/* What a sleep is for, by the functions on its stack: the innermost that is here decides. */
static const struct {
	const char *function;
	uint8_t within; /* so many frames from the scheduler; 0: anywhere */
	uint8_t memory; /* enum memory_what */
} meanings[] = {
	/* nothing to do */
	{"ep_poll", 1, MEMORY_NONE},
	{"do_epoll_wait", 2, MEMORY_NONE},
	{"do_poll", 2, MEMORY_NONE},
	{"do_sys_poll", 2, MEMORY_NONE},
	{"do_select", 2, MEMORY_NONE},
	{"core_sys_select", 2, MEMORY_NONE},
	{"inet_csk_accept", 1, MEMORY_NONE},
	{"unix_accept", 2, MEMORY_NONE},
	{"worker_thread", 1, MEMORY_NONE},
	{"rescuer_thread", 1, MEMORY_NONE},
	{"kthread_worker_fn", 1, MEMORY_NONE},
	{"smpboot_thread_fn", 1, MEMORY_NONE},
	{"irq_thread", 1, MEMORY_NONE},
	{"io_wq_worker", 1, MEMORY_NONE},
	{"io_cqring_wait", 1, MEMORY_NONE},
	{"kjournald2", 1, MEMORY_NONE},
	/* none of these: the page is being moved elsewhere in memory */
	{"migration_entry_wait", 0, MEMORY_NONE},
	{"migration_entry_wait_on_locked", 0, MEMORY_NONE},
	/* memory; shared memory comes back from swap by functions of its own */
	{"do_swap_page", 0, MEMORY_SWAP},
	{"shmem_swapin_folio", 0, MEMORY_SWAP},
	{"shmem_swapin_page", 0, MEMORY_SWAP},
	{"shmem_swapin", 0, MEMORY_SWAP},
	{"shmem_swapin_cluster", 0, MEMORY_SWAP},
	{"swapin_readahead", 0, MEMORY_SWAP},
	{"swap_cluster_readahead", 0, MEMORY_SWAP},
	{"swap_vma_readahead", 0, MEMORY_SWAP},
	{"swap_read_folio", 0, MEMORY_SWAP},
	{"swap_readpage", 0, MEMORY_SWAP},
	{"read_swap_cache_async", 0, MEMORY_SWAP},
	{"filemap_fault", 0, MEMORY_FAULT},
	{"balance_dirty_pages", 0, MEMORY_THROTTLE},
	{"reclaim_throttle", 0, MEMORY_THROTTLE},
	{"throttle_direct_reclaim", 0, MEMORY_THROTTLE},
	{"try_to_free_pages", 0, MEMORY_RECLAIM},
	{"node_reclaim", 0, MEMORY_RECLAIM},
	{"balance_pgdat", 0, MEMORY_RECLAIM},
	{"try_to_free_mem_cgroup_pages", 0, MEMORY_MEMCG_RECLAIM},
	{"try_to_compact_pages", 0, MEMORY_COMPACTION},
	{"compact_zone", 0, MEMORY_COMPACTION},
	{"compact_zone_order", 0, MEMORY_COMPACTION},
	{"kcompactd_do_work", 0, MEMORY_COMPACTION},
	{"folio_wait_writeback", 0, MEMORY_WRITEBACK},
	{"wait_on_page_writeback", 0, MEMORY_WRITEBACK},
};

/*
 * What tasks sleep for in these functions, or in who calls them where the compiler made one of the
 * two. The kernel's locks, of Linux 5.19, which is the first to tell of contention, to 6.18:
 * mutexes, read-write semaphores (those of CPUs too), semaphores, bcachefs' locks, and what they
 * and the spinlocks are on PREEMPT_RT. Spinning is no sleep. Pipes, of all kernels.
 */
static const struct {
	const char *function;
	uint8_t within; /* so many frames from the scheduler */
	uint8_t kind;   /* enum place_kind */
} kinds[] = {
	{"__mutex_lock", 2, PLACE_LOCK},
	{"__mutex_lock_common", 2, PLACE_LOCK},
	{"__mutex_lock_slowpath", 2, PLACE_LOCK},
	{"__mutex_lock_killable_slowpath", 2, PLACE_LOCK},
	{"__mutex_lock_interruptible_slowpath", 2, PLACE_LOCK},
	{"mutex_lock", 2, PLACE_LOCK},
	{"mutex_lock_killable", 2, PLACE_LOCK},
	{"mutex_lock_interruptible", 2, PLACE_LOCK},
	{"mutex_lock_io", 2, PLACE_LOCK},
	{"mutex_lock_nested", 2, PLACE_LOCK},
	{"mutex_lock_killable_nested", 2, PLACE_LOCK},
	{"mutex_lock_interruptible_nested", 2, PLACE_LOCK},
	{"mutex_lock_io_nested", 2, PLACE_LOCK},
	{"_mutex_lock_nest_lock", 2, PLACE_LOCK},
	{"_mutex_lock_killable", 2, PLACE_LOCK},
	{"__ww_mutex_lock", 2, PLACE_LOCK},
	{"__ww_mutex_lock_slowpath", 2, PLACE_LOCK},
	{"__ww_mutex_lock_interruptible_slowpath", 2, PLACE_LOCK},
	{"ww_mutex_lock", 2, PLACE_LOCK},
	{"ww_mutex_lock_interruptible", 2, PLACE_LOCK},
	{"rwsem_down_read_slowpath", 2, PLACE_LOCK},
	{"rwsem_down_write_slowpath", 2, PLACE_LOCK},
	{"__down_read_common", 2, PLACE_LOCK},
	{"__down_write_common", 2, PLACE_LOCK},
	{"down_read", 2, PLACE_LOCK},
	{"down_read_killable", 2, PLACE_LOCK},
	{"down_read_interruptible", 2, PLACE_LOCK},
	{"down_read_nested", 2, PLACE_LOCK},
	{"down_read_killable_nested", 2, PLACE_LOCK},
	{"down_read_non_owner", 2, PLACE_LOCK},
	{"_down_write_nest_lock", 2, PLACE_LOCK},
	{"down_write", 2, PLACE_LOCK},
	{"down_write_killable", 2, PLACE_LOCK},
	{"down_write_nested", 2, PLACE_LOCK},
	{"down_write_killable_nested", 2, PLACE_LOCK},
	{"percpu_rwsem_wait", 2, PLACE_LOCK},
	{"__percpu_down_read", 1, PLACE_LOCK},
	/* behind them lies what it does before: rcu_sync_enter(), which is no lock */
	{"percpu_down_write", 1, PLACE_LOCK},
	{"___down_common", 2, PLACE_LOCK},
	{"__down_common", 2, PLACE_LOCK},
	{"__down", 2, PLACE_LOCK},
	{"__down_killable", 2, PLACE_LOCK},
	{"__down_interruptible", 2, PLACE_LOCK},
	{"__down_timeout", 2, PLACE_LOCK},
	{"down", 2, PLACE_LOCK},
	{"down_killable", 2, PLACE_LOCK},
	{"down_interruptible", 2, PLACE_LOCK},
	{"down_timeout", 2, PLACE_LOCK},
	{"six_lock_slowpath", 2, PLACE_LOCK},
	{"rt_mutex_slowlock_block", 2, PLACE_LOCK},
	{"__rt_mutex_slowlock", 2, PLACE_LOCK},
	{"__rt_mutex_slowlock_locked", 2, PLACE_LOCK},
	{"rt_mutex_slowlock", 2, PLACE_LOCK},
	{"__rt_mutex_lock", 2, PLACE_LOCK},
	{"rt_mutex_lock", 2, PLACE_LOCK},
	{"rt_mutex_lock_killable", 2, PLACE_LOCK},
	{"rt_mutex_lock_interruptible", 2, PLACE_LOCK},
	{"rt_mutex_lock_nested", 2, PLACE_LOCK},
	{"_rt_mutex_lock_nest_lock", 2, PLACE_LOCK},
	{"rt_mutex_wait_proxy_lock", 2, PLACE_LOCK},
	{"rtlock_slowlock_locked", 2, PLACE_LOCK},
	{"rtlock_slowlock", 2, PLACE_LOCK},
	{"rt_spin_lock", 2, PLACE_LOCK},
	{"rt_spin_lock_nested", 2, PLACE_LOCK},
	{"rt_read_lock", 2, PLACE_LOCK},
	{"rt_write_lock", 2, PLACE_LOCK},
	{"rwbase_read_lock", 2, PLACE_LOCK},
	{"__rwbase_read_lock", 2, PLACE_LOCK},
	{"rwbase_write_lock", 2, PLACE_LOCK},
	{"pipe_read", 2, PLACE_PIPE},
	{"anon_pipe_read", 2, PLACE_PIPE},
	{"fifo_pipe_read", 2, PLACE_PIPE},
	{"pipe_write", 2, PLACE_PIPE},
	{"anon_pipe_write", 2, PLACE_PIPE},
	{"fifo_pipe_write", 2, PLACE_PIPE},
	{"pipe_wait", 2, PLACE_PIPE},
	{"pipe_wait_readable", 2, PLACE_PIPE},
	{"pipe_wait_writable", 2, PLACE_PIPE},
};

struct known_stack {
	uint64_t check; /* a second hash: the stacks themselves, of up to 512 bytes, are not kept */
	struct sleep_place place;
};

/* The same stacks come again and again: each is put in words once, or again if it was forgotten. */
struct places {
	struct object_pool by_hash; /* struct known_stack */
};

static struct object_pool *places_pool(const struct machine *machine)
{
	return &((struct places *)machine->own[TRACKER_PLACE])->by_hash;
}

/* Whether it takes pages away or moves them, which happens inside faults, never the reverse. */
static bool memory_makes_room(uint8_t what)
{
	return what == MEMORY_RECLAIM || what == MEMORY_MEMCG_RECLAIM || what == MEMORY_COMPACTION;
}

/* What a sleep in that function is, which is so many frames from the scheduler. */
static bool function_tells(const char *name, size_t depth, struct sleep_place *place)
{
	for (size_t i = 0; i < ARRAY_SIZE(meanings); i++) {
		if (!function_is(name, meanings[i].function) ||
		    (meanings[i].within && depth >= meanings[i].within))
			continue;
		place->memory = meanings[i].memory;
		place->is_for_work = meanings[i].memory == MEMORY_NONE && meanings[i].within;
		return true;
	}
	return false;
}

/*
 * `first` frames are the scheduler's. Where there is none, or the sleeper's own function has no
 * name, the stack may lack the one that counts.
 */
static enum place_kind stack_find_kind(const char *const *name, size_t first, size_t count)
{
	for (size_t at = first; at < count && at < first + 2; at++)
		for (size_t i = 0; name[at] && i < ARRAY_SIZE(kinds); i++)
			if (at - first < kinds[i].within &&
			    function_is(name[at], kinds[i].function))
				return (enum place_kind)kinds[i].kind;
	return first > 0 && first < count && name[first] ? PLACE_OTHER : PLACE_UNKNOWN;
}

/*
 * As function_tells(), outwards from function to function; true once that is decided. Whoever
 * writes waits for writeback too: it is for memory only inside what makes room there.
 */
static bool place_tell(const char *name, size_t depth, struct sleep_place *place)
{
	bool is_writeback = place->memory == MEMORY_WRITEBACK;

	if (!function_tells(name, depth, place))
		return false;
	if (is_writeback && memory_makes_room(place->memory))
		place->memory = MEMORY_WRITEBACK;
	else if (place->memory == MEMORY_WRITEBACK)
		return false;
	return true;
}

/* A place while its functions are told of one by one, from the innermost outwards. */
struct place_teller {
	struct sleep_place place;
	bool is_told;
};

static void place_add_function(struct place_teller *teller, const char *name, size_t depth)
{
	teller->is_told = teller->is_told || place_tell(name, depth, &teller->place);
	if (teller->place.call == CALL_NONE)
		teller->place.call = (uint8_t)sleep_call_of_function(name, depth);
}

static struct sleep_place place_end(struct place_teller *teller, uint32_t frames)
{
	if (!teller->is_told)
		teller->place.memory = MEMORY_NONE;
	teller->place.frames = frames;
	return teller->place;
}

/*
 * The names of the functions, innermost first, without those of the scheduler and of the tracing
 * inside it; addresses where there are no names.
 */
static struct sleep_place place_name(struct machine *machine, const uint64_t *frame, size_t count)
{
	const char *name[FRAMES_MAX];
	struct place_teller teller = {0};
	struct sleep_place place;
	size_t first = 0;

	stack_name(machine, frame, count, name);
	for (size_t at = 0; at < count; at++)
		if (name[at] && function_is_any(name[at], scheduler_functions,
		                                ARRAY_SIZE(scheduler_functions)))
			first = at + 1;
	for (size_t at = first; at < count; at++)
		if (name[at])
			place_add_function(&teller, name[at], at - first);
	place = place_end(&teller, stack_intern(machine, frame, name, first, count));
	place.is_frozen = first < count && name[first] &&
	                  function_is_any(name[first], freezer_functions,
	                                  ARRAY_SIZE(freezer_functions));
	place.kind = (uint8_t)stack_find_kind(name, first, count);
	return place;
}

struct sleep_place place_of_text(struct machine *machine, const char *functions)
{
	_cleanup_(freep) char *copy = xstrdup(functions);
	struct place_teller teller = {0};
	char *rest = copy, *name;

	for (size_t depth = 0; (name = strsep(&rest, ";")); depth++)
		place_add_function(&teller, name, depth);
	return place_end(&teller, intern_adds(&machine->timeline->names, functions));
}

static struct sleep_place places_find(struct machine *machine, const uint64_t *frame, size_t count)
{
	struct object_pool *pool = places_pool(machine);
	uint64_t check, hash = stack_hash(frame, count, &check);
	struct known_stack *known = object_pool_find(pool, hash);

	if (known && known->check == check)
		return known->place;
	known = object_pool_put(pool, hash);
	known->check = check;
	known->place = place_name(machine, frame, count);
	return known->place;
}

void place_note(struct machine *machine, uint32_t line, const struct sleep_place *place)
{
	struct sleep_place *kept = tracker_keep_task(machine, TRACKER_PLACE, line);

	*kept = *place;
	if (place->is_for_work)
		machine->task[line].detail |= WAIT_FOR_WORK;
}

/*
 * From Linux 6.18 on a task that is under a limit on CPU time, when that is used up, takes itself
 * off its queue, in a work of its own on its way to user space: throttle_cfs_rq_work(). Kernels
 * that may be preempted anywhere leave the CPU there, others right after it, where any other work
 * might lie behind.
 */
static enum throttle_sign stack_find_sign(const struct machine *machine, const uint64_t *frame,
                                          size_t count)
{
	bool is_yielding = false;

	for (size_t at = 0; at < count && at < FRAMES_OFF; at++) {
		const char *name = machine_function_within(machine, frame[at] - 1);

		if (!name)
			return THROTTLE_NOT_TOLD;
		if (function_is(name, "throttle_cfs_rq_work"))
			return THROTTLE_SURE;
		if (function_is(name, "task_work_run"))
			return is_yielding ? THROTTLE_LIKELY : THROTTLE_NOT_TOLD;
		is_yielding = function_is_any(name, yielding_functions,
		                              ARRAY_SIZE(yielding_functions));
	}
	return THROTTLE_NOT_TOLD;
}

static void task_leaves_at(struct machine *machine, uint32_t line, const uint64_t *frame,
                           size_t count)
{
	enum throttle_sign sign = stack_find_sign(machine, frame, count);

	if (sign != THROTTLE_NOT_TOLD)
		limits_note_sign(machine, line, sign);
}

/* It is the wake-up's or the switch-out's that it comes right after; the current task is then the
   one that left. */
static void on_stack(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint64_t frame[FRAMES_MAX];
	struct sleep_place place;
	size_t count;

	/* that a wait was ended is told when it is known what did */
	machine->setup.has_afterwords = true;
	if (cpu->woken != LINE_NONE && cpu->woken_at + 1 == cpu->event_count) {
		wakers_note_stack(machine, cpu, &event->stack);
		return;
	}
	if (cpu->left == LINE_NONE || cpu->left_at + 1 != cpu->event_count ||
	    machine->timeline->line[cpu->left].tid != event->tid)
		return;
	count = stack_event_read(machine, &event->stack, frame);
	if (machine->task[cpu->left].kind == SEGMENT_RUNNABLE)
		task_leaves_at(machine, cpu->left, frame, count);
	if (count == 0 || machine->task[cpu->left].kind != SEGMENT_WAIT)
		return;
	place = places_find(machine, frame, count);
	place_note(machine, cpu->left, &place);
	/* whatever contention of the task has not been seen to end, it does not sleep for a lock */
	if (place.kind != PLACE_UNKNOWN && place.kind != PLACE_LOCK &&
	    lock_address(machine, cpu->left)) {
		lock_leave(machine, cpu->left);
		again_note_no_lock(machine, cpu->left);
	}
	again_note_place(machine, cpu->left, place.frames);
}

/* Told while the task still sleeps, or just after it was woken. */
static void on_blocked_reason(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t line = machine_find_line(machine, cpu, event->blocked.tid);
	struct held_wait *held;
	struct sleep_place place;

	if (line == LINE_NONE || event->blocked.tid == 0)
		return;
	place = places_find(machine, &event->blocked.caller, 1);
	/* the kernel names who called the lock's function */
	place.kind = task_place(machine, line).kind;
	place.io_wait = event->blocked.io_wait ? IO_WAIT_YES : IO_WAIT_NO;
	held = machine->task[line].held;
	if (machine->task[line].kind == SEGMENT_WAIT) {
		place_note(machine, line, &place);
	} else if (held && held->span.kind == SEGMENT_WAIT) {
		place.waker = held->span.place ? held->place.waker : 0;
		wait_set_place(held, &place);
	}
}

static const struct object_pool_setup stack_pool = {
	.object_bytes = sizeof(struct known_stack),
	.limit = OBJECTS_MAX,
};

static void places_begin(struct machine *machine)
{
	object_pool_init(places_pool(machine), &stack_pool);
}

static void places_end(struct machine *machine)
{
	object_pool_release(places_pool(machine));
}

static const struct handler_row place_handlers[] = {
	{EVENT_STACK, on_stack},
	{EVENT_BLOCKED_REASON, on_blocked_reason},
};

const struct tracker place_tracker = {
	.name = "place",
	.handlers = place_handlers,
	.handler_count = ARRAY_SIZE(place_handlers),
	.own_bytes = sizeof(struct places),
	.task_bytes = sizeof(struct sleep_place),
	.begin = places_begin,
	.end = places_end,
};
