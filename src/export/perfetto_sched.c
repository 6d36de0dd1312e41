/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_sched.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "perfetto_ftrace.h"

#define BUNDLE_BYTES (1u << 15)

/* Events of one CPU that are not written yet. */
struct cpu_bundle {
	struct proto_writer events;
	struct proto_writer *to; /* the buffer for the next event: `events`, or first_events of
	                            struct perfetto_sched */
	struct perfetto_wakings wakings; /* compact ones */
	int64_t current; /* tid of the task to which the last switch was */
	int64_t seen;    /* tid of the task of the last event */
	int64_t ran;     /* tid of the task that has run since ran_since, according to its span */
	nsec_t ran_since;
	bool has_ran;
	bool has_switched; /* ever */
	bool is_followed;  /* it has switched since events of it were lost */
	bool has_lost;     /* events before those in the buffer were lost */
	char comm[16];     /* name of `current`, if a switch to it was seen */
	int64_t priority;  /* the same */
};

/* No machine has this many CPUs: an event that names a higher number is damaged. */
#define POWER_CPUS_MAX 65536u

/* The last known frequency and idle state of a CPU. */
struct cpu_power {
	uint64_t khz, idle_state;
	bool has_khz, has_idle_state;
};

/* A wake-up that was recorded while its task was still on a CPU. */
struct early_wake {
	int64_t waker, cpu; /* the waking task, and the CPU that the task is to run on */
	bool is_there;
};

struct perfetto_task {
	struct early_wake early; /* the last early wake-up since the task got its CPU */
	nsec_t slept;            /* when it left its CPU, slept_on */
	uint32_t slept_on;
	bool is_running, is_away;
	bool is_woken; /* it was woken, and has not run since */
	bool is_runnable; /* counted as runnable */
	bool has_left_first; /* it left its CPU exactly at the begin of the window, so its state
	                        then is known */
	bool is_gone; /* it left its CPU for the last time */
	bool is_freed; /* it was freed before anything was written, and its tid has not been used
	                  since */
	bool has_former; /* the next sched_process_free of its tid is for the previous task with
	                    that tid */
	bool has_flags; /* it is new, and not runnable yet */
	uint64_t clone_flags;
	uint32_t next_free; /* index + 1; 0: none */
};

/* The first events of a task. */
struct perfetto_birth {
	int64_t tid;
	uint32_t cpu;      /* that of its parent */
	size_t begin, end; /* bytes of born_events */
};

void perfetto_sched_init(struct perfetto_sched *sched, struct perfetto_file *file)
{
	*sched = (struct perfetto_sched){.file = file, .first_cpu = UINT32_MAX};
	sparse_array_init(&sched->cpu, sizeof(struct cpu_bundle));
	sparse_array_init(&sched->power, sizeof(struct cpu_power));
	map_init(&sched->task_by_tid);
}

void perfetto_sched_release(struct perfetto_sched *sched)
{
	struct cpu_bundle *bundle;
	uint32_t place, number;

	SPARSE_ARRAY_EACH(&sched->cpu, place, number, bundle) {
		proto_release(&bundle->events);
		perfetto_wakings_release(&bundle->wakings);
	}
	sparse_array_release(&sched->cpu);
	sparse_array_release(&sched->power);
	map_release(&sched->task_by_tid);
	free(sched->task);
	proto_release(&sched->first);
	proto_release(&sched->first_events);
	proto_release(&sched->born_events);
	free(sched->birth);
}

static void bundle_clear(struct cpu_bundle *bundle)
{
	proto_clear(&bundle->events);
	perfetto_wakings_clear(&bundle->wakings);
}

static void bundle_write(const struct perfetto_sched *sched, uint32_t cpu,
                         struct cpu_bundle *bundle)
{
	struct proto_writer *packet = &sched->file->packet;

	if (bundle->events.length == 0 && perfetto_wakings_bytes(&bundle->wakings) == 0 &&
	    !bundle->has_lost)
		return;
	perfetto_packet_begin(sched->file, NSEC_NEVER);
	proto_begin(packet, PACKET_FTRACE_EVENTS);
	proto_number(packet, BUNDLE_CPU, cpu);
	if (sched->ftrace_clock)
		proto_number(packet, BUNDLE_CLOCK, sched->ftrace_clock);
	if (bundle->has_lost)
		proto_number(packet, BUNDLE_LOST_EVENTS, 1);
	proto_raw(packet, bundle->events.byte, bundle->events.length);
	perfetto_wakings_put(&bundle->wakings, packet);
	proto_end(packet);
	perfetto_packet_end(sched->file);
	bundle_clear(bundle);
	bundle->has_lost = false;
}

/* The bundle for the CPU's next event. */
static struct cpu_bundle *bundle_of(struct perfetto_sched *sched, uint32_t cpu)
{
	struct cpu_bundle *bundle = sparse_array_get(&sched->cpu, cpu);

	if (!sched->is_open)
		bundle_clear(bundle);
	else if (bundle->events.length + perfetto_wakings_bytes(&bundle->wakings) > BUNDLE_BYTES)
		bundle_write(sched, cpu, bundle);
	bundle->to = &bundle->events;
	return bundle;
}

/* The task with that tid, which is made if it is not known; valid until the next call. NULL: tid is
   not that of a task. */
static struct perfetto_task *task_of(struct perfetto_sched *sched, int64_t tid)
{
	uint32_t index;

	if (tid <= 0 || tid > INT32_MAX)
		return NULL;
	index = map_get(&sched->task_by_tid, (uint64_t)tid);
	if (index != MAP_NONE)
		return &sched->task[index];
	if (sched->first_free) {
		index = sched->first_free - 1;
		sched->first_free = sched->task[index].next_free;
	} else {
		ARRAY_GROW(sched->task, sched->task_count, sched->task_capacity);
		index = (uint32_t)sched->task_count++;
	}
	map_put(&sched->task_by_tid, (uint64_t)tid, index);
	sched->task[index] = (struct perfetto_task){0};
	return &sched->task[index];
}

/* The task with that tid; NULL: nothing is known of it. */
static struct perfetto_task *task_find(const struct perfetto_sched *sched, int64_t tid)
{
	uint32_t index = tid > 0 ? map_get(&sched->task_by_tid, (uint64_t)tid) : MAP_NONE;

	return index == MAP_NONE ? NULL : &sched->task[index];
}

static void task_count(struct perfetto_sched *sched, struct perfetto_task *task, bool is_runnable)
{
	sched->runnable += (uint64_t)is_runnable - task->is_runnable;
	task->is_runnable = is_runnable;
}

/* The tid now belongs to a new task: forgets what is known of the previous one. */
static void task_renew(struct perfetto_sched *sched, struct perfetto_task *task)
{
	task_count(sched, task, false);
	*task = (struct perfetto_task){.has_former = task->has_former};
}

static void task_drop(struct perfetto_sched *sched, int64_t tid)
{
	uint32_t index = map_take(&sched->task_by_tid, (uint64_t)tid);

	if (index == MAP_NONE)
		return;
	task_renew(sched, &sched->task[index]);
	if (!sched->is_open) {
		map_put(&sched->task_by_tid, (uint64_t)tid, index);
		sched->task[index].is_freed = true;
		return;
	}
	sched->task[index].next_free = sched->first_free;
	sched->first_free = index + 1;
}

static void on_waking(struct perfetto_sched *sched, struct cpu_bundle *bundle,
                      const struct event *event)
{
	struct perfetto_task *task = task_of(sched, event->wake.tid);

	if (!task)
		return;
	task->is_away = false;
	if (task->is_running || task->is_woken)
		task->early = (struct early_wake){event->tid, event->wake.cpu, true};
	task->is_woken = !task->is_running;
	task_count(sched, task, !task->is_running);
	/* within a CPU's buffer time may go back */
	if (bundle->is_followed && bundle->to == &bundle->events &&
	    event->time >= bundle->wakings.last)
		perfetto_wakings_add(&bundle->wakings, event);
	else
		perfetto_waking_put(bundle->to, event);
}

/* sched_wakeup counts only if sched_waking was not recorded, or if the task runs: such a wake-up is
   complete, and ends no later sleep. */
static void on_wakeup(struct perfetto_sched *sched, struct cpu_bundle *bundle,
                      const struct event *event)
{
	const struct perfetto_task *task = task_find(sched, event->wake.tid);

	if (task && task->is_running) {
		if (task->early.is_there || !sched->has_waking)
			perfetto_wakeup_put(bundle->to, event);
	} else if (!sched->has_waking || !task || (!task->is_runnable && !task->is_away)) {
		on_waking(sched, bundle, event);
	}
}

/* The task has left its CPU. If it left to sleep but was woken before, that wake-up ends the sleep
   at once, unless another wake-up comes before the task runs again. */
static void task_sleep(struct perfetto_sched *sched, struct perfetto_task *task,
                       const struct event *event)
{
	task->is_running = false;
	task->is_gone = event->sched_switch.letter == 'X' || event->sched_switch.letter == 'Z';
	task->is_away = task->early.is_there && !event->sched_switch.was_running &&
	                strchr("SDI", (int)event->sched_switch.letter);
	task->slept = event->time;
	task->slept_on = event->cpu; /* within one CPU's bundle the order of events decides */
	/* is_away is only a possibility, so it does not count here */
	task_count(sched, task,
	           (perfetto_switch_bits(&event->sched_switch) & ~PERFETTO_PREEMPTED) == 0);
}

/* It is certain now that the early wake-up ended the task's sleep: writes it again after the
   switch. */
static void early_wake_put(struct perfetto_sched *sched, struct perfetto_task *task, int64_t tid)
{
	if (task->is_away)
		perfetto_waking_put_again(bundle_of(sched, task->slept_on)->to, task->slept,
		                          task->early.waker, tid, task->early.cpu);
	task->is_away = false;
}

static void task_run(struct perfetto_sched *sched, struct perfetto_task *task, int64_t tid)
{
	early_wake_put(sched, task, tid);
	task->early.is_there = false;
	task->is_woken = false;
	task->is_running = true;
	task_count(sched, task, false);
}

static void bundle_note_current(struct cpu_bundle *bundle, int64_t tid, const struct text *comm)
{
	size_t length = comm->length < sizeof(bundle->comm) ? comm->length : sizeof(bundle->comm);

	bundle->current = tid;
	memset(bundle->comm, 0, sizeof(bundle->comm));
	if (length)
		memcpy(bundle->comm, comm->at, length);
}

static void switch_put(struct perfetto_sched *sched, struct cpu_bundle *bundle,
                       const struct event *event)
{
	const struct sched_switch_event *now = &event->sched_switch;
	struct perfetto_task *prev = task_of(sched, now->prev_tid), *next;

	perfetto_switch_put(bundle->to, event->time, now);
	bundle->has_switched = bundle->is_followed = true;
	if (prev) {
		task_sleep(sched, prev, event);
		prev->has_left_first |= event->time == sched->begin &&
		                        bundle->to == &bundle->events;
	}
	next = task_of(sched, now->next_tid);
	if (next)
		task_run(sched, next, now->next_tid);
}

/*
 * Writes a switch to the task that was not recorded: from the idle task, which had the CPU before,
 * or stands for an unknown task. A wake-up of the task in the meantime counts as an early one, as
 * the task may have been running.
 */
static void switch_put_missing(struct perfetto_sched *sched, struct cpu_bundle *bundle,
                               uint32_t cpu, int64_t tid, nsec_t time)
{
	struct perfetto_task *task = task_of(sched, tid);
	struct early_wake early;

	if (task) {
		early = task->early;
		early.is_there &= !task->is_away; /* that wake-up belongs to the switch by which
		                                     it left */
		task_run(sched, task, tid);
		task->early = early;
	}
	perfetto_bare_switch_put(time == sched->begin && cpu == sched->first_cpu
	                                 ? &sched->first_events
	                                 : bundle->to,
	                         time, 0, 0, tid);
}

/* Without clone_flags the process of the thread is not known; then only a wake-up is written. */
static void birth_put(struct proto_writer *to, const struct perfetto_task *task,
                      const struct event *event)
{
	if (task->has_flags)
		perfetto_newtask_put(to, event, task->clone_flags);
	else
		perfetto_waking_put(to, event);
	perfetto_wakeup_new_put(to, event);
}

/* Keeps the birth of a task that may get another CPU at the same time: birth_take(). */
static void birth_keep(struct perfetto_sched *sched, const struct perfetto_task *task,
                       const struct event *event)
{
	struct perfetto_birth birth = {.tid = event->wake.tid, .cpu = event->cpu};

	birth.begin = sched->born_events.length;
	birth_put(&sched->born_events, task, event);
	birth.end = sched->born_events.length;
	ARRAY_ADD(sched->birth, sched->birth_count, sched->birth_capacity) = birth;
	sched->born = event->time;
}

static void birth_write(const struct perfetto_sched *sched, const struct perfetto_birth *birth,
                        struct proto_writer *to)
{
	proto_raw(to, sched->born_events.byte + birth->begin, birth->end - birth->begin);
}

/* The task gets its CPU at the time of its birth, which must come first: only the order of events
   in one CPU's bundle ensures that. */
static void birth_take(const struct perfetto_sched *sched, int64_t tid, struct proto_writer *to)
{
	for (size_t i = 0; i < sched->birth_count; i++)
		if (sched->birth[i].tid == tid) {
			birth_write(sched, &sched->birth[i], to);
			sched->birth[i].end = sched->birth[i].begin;
		}
}

/* Writes births where they happened, as time has gone on. */
static void births_write(struct perfetto_sched *sched)
{
	for (size_t i = 0; i < sched->birth_count; i++)
		birth_write(sched, &sched->birth[i],
		            &bundle_of(sched, sched->birth[i].cpu)->events);
	sched->birth_count = 0;
	proto_clear(&sched->born_events);
}

static void on_switch(struct perfetto_sched *sched, struct cpu_bundle *bundle,
                      const struct event *event)
{
	const int64_t prev_tid = event->sched_switch.prev_tid;
	const struct perfetto_task *prev = task_find(sched, prev_tid);

	if ((!bundle->has_switched || bundle->current != prev_tid) && prev_tid > 0 &&
	    bundle->has_ran && bundle->ran == prev_tid)
		switch_put_missing(sched, bundle, event->cpu, prev_tid, bundle->ran_since);
	else if (!bundle->has_switched && bundle->to == &sched->first_events && prev_tid > 0)
		/* the task gets the CPU and leaves it at once */
		perfetto_bare_switch_put(bundle->to, sched->begin, 0, 0, prev_tid);
	else if (prev && !prev->is_running) /* without that switch its previous state would last
	                                       forever */
		switch_put_missing(sched, bundle, event->cpu, prev_tid, event->time);
	bundle->has_ran = false;
	bundle_note_current(bundle, event->sched_switch.next_tid,
	                    &event->sched_switch.next_comm);
	bundle->priority = event->sched_switch.next_priority;
	birth_take(sched, bundle->current, bundle->to);
	switch_put(sched, bundle, event);
}

static void on_newtask(struct perfetto_sched *sched, const struct event *event)
{
	const struct perfetto_task *former = task_find(sched, event->process.tid);
	bool has_former = former && !former->is_freed;
	struct perfetto_task *task = task_of(sched, event->process.tid);

	if (!task)
		return;
	task_renew(sched, task);
	task->has_former = has_former;
	task->has_flags = true;
	task->clone_flags = event->process.clone_flags;
}

static void on_wakeup_new(struct perfetto_sched *sched, struct cpu_bundle *bundle,
                          const struct event *event)
{
	struct perfetto_task *task = task_of(sched, event->wake.tid);

	if (!task)
		return;
	if (bundle->to == &bundle->events && event->wake.cpu != event->cpu)
		birth_keep(sched, task, event);
	else
		birth_put(bundle->to, task, event);
	task->has_former |= task->is_gone;
	task_renew(sched, task);
	task_count(sched, task, true);
}

/* A task that no other event shows as new. */
static void on_fork(const struct perfetto_sched *sched, const struct cpu_bundle *bundle,
                    const struct event *event)
{
	const struct perfetto_task *task = task_find(sched, event->process.tid);

	if (!task || !task->has_flags)
		perfetto_fork_put(bundle->to, event);
}

static void on_rename(struct cpu_bundle *bundle, const struct event *event)
{
	if (bundle->current == event->process.tid)
		bundle_note_current(bundle, event->process.tid, &event->process.comm);
	perfetto_rename_put(bundle->to, event);
}

/* Writes the exit of a task that was not recorded: otherwise the task's state would last forever.
   The task gets the CPU from the current task for a time of 0. */
static void exit_put_missing(struct cpu_bundle *bundle, const struct event *event)
{
	const int64_t tid = event->process.tid;
	const int64_t current = bundle->has_switched ? bundle->current : event->tid;

	if (current == tid)
		return;
	perfetto_bare_switch_put(bundle->to, event->time, current,
	                         current > 0 ? PERFETTO_PREEMPTED : 0, tid);
	perfetto_bare_switch_put(bundle->to, event->time, tid, perfetto_state_bits('X'), current);
}

/* sched_process_free comes some time after the task's end, when its tid may be in use again. */
static void on_free(struct perfetto_sched *sched, struct cpu_bundle *bundle,
                    const struct event *event)
{
	struct perfetto_task *task = task_find(sched, event->process.tid);

	if (task && task->has_former) {
		task->has_former = false;
		return;
	}
	if (task && !task->is_gone && !task->is_running && !task->has_flags)
		exit_put_missing(bundle, event);
	perfetto_free_put(bundle->to, event);
	task_drop(sched, event->process.tid);
}

/* The task of an event is running, whether a switch reported it or not. */
static void bundle_note_running(struct perfetto_sched *sched, struct cpu_bundle *bundle,
                                int64_t tid)
{
	struct perfetto_task *task = tid == bundle->seen ? NULL : task_find(sched, tid);

	bundle->seen = tid;
	if (task)
		task_count(sched, task, false);
}

/* Writes a switch at the begin of the window to the task that has the CPU. */
static void current_put(struct perfetto_sched *sched, uint32_t cpu, struct cpu_bundle *bundle)
{
	struct perfetto_task *task = task_of(sched, bundle->current);
	const struct sched_switch_event now = {
		.prev_priority = PRIORITY_UNKNOWN,
		.letter = 'R',
		.next_tid = bundle->current,
		.next_priority = bundle->priority,
		.next_comm = {bundle->comm, sizeof(bundle->comm)},
	};

	if (!bundle->has_switched)
		return;
	perfetto_switch_put(cpu == sched->first_cpu ? &sched->first_events : &bundle->events,
	                    sched->begin, &now);
	if (task)
		task->is_running = true;
}

static void on_idle(struct perfetto_sched *sched, struct cpu_bundle *bundle,
                    const struct event *event)
{
	struct cpu_power *power = sparse_array_get(&sched->power, event->cpu);

	power->idle_state = event->idle.state;
	power->has_idle_state = true;
	perfetto_idle_put(bundle->to, event);
}

static void on_frequency(struct perfetto_sched *sched, struct cpu_bundle *bundle,
                         const struct event *event)
{
	struct cpu_power *power;

	if (event->frequency.cpu >= POWER_CPUS_MAX)
		return;
	power = sparse_array_get(&sched->power, (uint32_t)event->frequency.cpu);
	power->khz = event->frequency.khz;
	power->has_khz = true;
	perfetto_frequency_put(bundle->to, event);
}

/* Writes each CPU's frequency and idle state at the beginning of the window. */
static void power_put(struct perfetto_sched *sched)
{
	const struct cpu_power *power;
	uint32_t place, cpu;

	SPARSE_ARRAY_EACH(&sched->power, place, cpu, power) {
		struct event event = {.time = sched->begin, .cpu = cpu};

		if (power->has_khz) {
			event.frequency = (struct frequency_event){power->khz, cpu};
			perfetto_frequency_put(&sched->first_events, &event);
		}
		if (power->has_idle_state) {
			event.idle = (struct idle_event){power->idle_state};
			perfetto_idle_put(&sched->first_events, &event);
		}
	}
}

void perfetto_sched_open(struct perfetto_sched *sched, uint32_t first_cpu)
{
	struct cpu_bundle *bundle;
	uint32_t place, cpu;

	births_write(sched); /* bundles that nothing of is written yet */
	sched->is_open = true;
	sched->first_cpu = first_cpu;
	for (size_t i = 0; i < sched->task_count; i++) {
		sched->task[i].is_running = false;
		sched->task[i].is_away = false; /* first_state_put() writes its state */
	}
	SPARSE_ARRAY_EACH(&sched->cpu, place, cpu, bundle) {
		bundle_clear(bundle);
		current_put(sched, cpu, bundle);
	}
	power_put(sched);
}

void perfetto_sched_event(struct perfetto_sched *sched, const struct event *event)
{
	struct cpu_bundle *bundle;

	if (sched->birth_count && event->time > sched->born)
		births_write(sched);
	bundle = bundle_of(sched, event->cpu);
	bundle_note_running(sched, bundle, event->tid);
	if (event->time == sched->begin && event->cpu == sched->first_cpu)
		bundle->to = &sched->first_events;
	sched->has_waking |= event->kind == EVENT_SCHED_WAKING;
	if (event->kind == EVENT_SCHED_SWITCH)
		on_switch(sched, bundle, event);
	else if (event->kind == EVENT_SCHED_WAKING)
		on_waking(sched, bundle, event);
	else if (event->kind == EVENT_SCHED_WAKEUP)
		on_wakeup(sched, bundle, event);
	else if (event->kind == EVENT_NEWTASK)
		on_newtask(sched, event);
	else if (event->kind == EVENT_PROCESS_FORK)
		on_fork(sched, bundle, event);
	else if (event->kind == EVENT_SCHED_WAKEUP_NEW)
		on_wakeup_new(sched, bundle, event);
	else if (event->kind == EVENT_TASK_RENAME)
		on_rename(bundle, event);
	else if (event->kind == EVENT_PROCESS_FREE)
		on_free(sched, bundle, event);
	else if (event->kind == EVENT_CPU_IDLE)
		on_idle(sched, bundle, event);
	else if (event->kind == EVENT_CPU_FREQUENCY)
		on_frequency(sched, bundle, event);
	else if (event->kind == EVENT_SUSPEND)
		perfetto_suspend_put(bundle->to, event);
	else if (event->kind == EVENT_MARK)
		perfetto_mark_put(bundle->to, event);
}

bool perfetto_sched_is_over(const struct perfetto_sched *sched, int64_t tid)
{
	const struct perfetto_task *task = task_find(sched, tid);

	return task && (task->is_gone || task->is_freed);
}

/* Writes the state of a task that does not run at the begin of the window. */
static void first_state_put(struct perfetto_sched *sched, int64_t tid, const struct span *span)
{
	const struct perfetto_task *task = task_of(sched, tid);
	uint64_t bits = span->kind == SEGMENT_RUNNABLE
	                        ? 0
	                        : perfetto_state_bits(span->detail & (uint8_t)~WAIT_FOR_WORK);

	if (task && task->has_left_first)
		return;
	perfetto_bare_switch_put(&sched->first, sched->begin, 0, 0, tid);
	perfetto_bare_switch_put(&sched->first, sched->begin, tid, bits, 0);
}

void perfetto_sched_span(struct perfetto_sched *sched, int64_t tid, const struct span *span)
{
	/* no later span of the task is in the window */
	const bool is_last = span->is_open || span->end >= sched->end;
	struct perfetto_task *task = task_find(sched, tid);
	struct cpu_bundle *bundle;

	if (span->kind == SEGMENT_RUN) {
		bundle = bundle_of(sched, span->cpu);
		bundle->ran = tid;
		bundle->ran_since = nsec_max(span->begin, sched->begin);
		bundle->has_ran = true;
		if (is_last && !(task && task->is_running))
			switch_put_missing(sched, bundle, span->cpu, tid, bundle->ran_since);
	} else if (span->begin <= sched->begin && span->end > sched->begin &&
	           (span->kind == SEGMENT_WAIT || span->kind == SEGMENT_STOPPED ||
	            span->kind == SEGMENT_RUNNABLE)) {
		first_state_put(sched, tid, span);
	} else if (span->kind == SEGMENT_RUNNABLE && is_last) {
		if (task && task->slept == span->begin)
			early_wake_put(sched, task, tid);
	}
}

void perfetto_sched_gap(struct perfetto_sched *sched, const struct health_gap *gap)
{
	struct cpu_bundle *bundle = sparse_array_get(&sched->cpu, gap->cpu);

	births_write(sched);
	if (sched->is_open)
		bundle_write(sched, gap->cpu, bundle);
	else
		bundle->has_switched = false; /* it is no longer known what has the CPU */
	bundle->is_followed = false;
	bundle->has_lost |= gap->end >= sched->begin;
	/* it is no longer known whether a task is on that CPU */
	for (size_t i = 0; i < sched->task_count; i++) {
		sched->task[i].early.is_there = false;
		sched->task[i].is_away = false;
	}
}

void perfetto_sched_end(struct perfetto_sched *sched)
{
	struct cpu_bundle *bundle;
	uint32_t place, cpu;

	if (!sched->is_open)
		return;
	births_write(sched);
	SPARSE_ARRAY_EACH(&sched->cpu, place, cpu, bundle)
		bundle_write(sched, cpu, bundle);
	bundle = bundle_of(sched, sched->first_cpu);
	proto_raw(&bundle->events, sched->first.byte, sched->first.length);
	proto_raw(&bundle->events, sched->first_events.byte, sched->first_events.length);
	bundle_write(sched, sched->first_cpu, bundle);
}
