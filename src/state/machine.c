/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracker.h"

/* The only list; its order is the order in which the cause of a wake-up is decided. */
static const struct tracker *const trackers[] = {
	&timer_tracker, &softirq_thread_tracker, &block_tracker,   &net_tracker,  &socket_tracker,
	&irq_tracker,   &signal_tracker,         &work_tracker,    &lock_tracker, &freezer_tracker,
	&memory_tracker, &label_tracker,         &syscall_tracker, &place_tracker, &life_tracker,
	&task_tracker,  &connect_tracker,        &queue_tracker,   &limit_tracker,
};

static void tracker_append(const struct tracker **list, const struct tracker *tracker)
{
	while (*list)
		list++;
	*list = tracker;
}

static void machine_bind(struct machine *machine, const struct tracker *tracker)
{
	for (size_t i = 0; i < tracker->handler_count; i++) {
		const struct handler_row *row = &tracker->handlers[i];

		assert(!machine->handler[row->kind]);
		machine->handler[row->kind] = row->handle;
	}
	for (size_t level = 0; level <= LEVEL_HARD; level++)
		if (tracker->explains & 1u << level)
			tracker_append(machine->explainer[level], tracker);
	if (tracker->refine)
		tracker_append(machine->refiner, tracker);
	if (tracker->refines_unwoken)
		tracker_append(machine->unwoken_refiner, tracker);
	if (tracker->conclude)
		tracker_append(machine->concluder, tracker);
	machine->concluded_kinds |= tracker->concludes;
	if (tracker->begin)
		tracker->begin(machine);
}

struct machine *machine_new(const struct machine_setup *setup)
{
	struct machine *machine = xcalloc(1, sizeof(*machine));

	_Static_assert(ARRAY_SIZE(trackers) <= TRACKERS_MAX, "explainers are kept in an array");
	machine->setup = *setup;
	machine->timeline = setup->timeline;
	machine->health = setup->health;
	machine->interval_kinds = intervals_wanted(setup);
	machine->cpu = xcalloc(CPUS_MAX, sizeof(struct cpu *));
	map_init(&machine->line_by_tid);
	map_init(&machine->known_by_tid);
	for (size_t i = 0; i < setup->source->known_task_count; i++) {
		map_put(&machine->known_by_tid, (uint64_t)setup->source->known_tasks[i].tid,
		        (uint32_t)i);
		machine->has_snapshot |= setup->source->known_tasks[i].state != '\0';
	}
	for (size_t i = 0; i < ARRAY_SIZE(trackers); i++)
		machine_bind(machine, trackers[i]);
	return machine;
}

/* What tasks have that not all have. */
static void machine_free_tasks(struct machine *machine)
{
	for (size_t i = 0; i < machine->timeline->line_count; i++) {
		free(machine->task[i].pending.cause);
		free(machine->task[i].held);
		free(machine->task[i].work);
		free(machine->task[i].lock);
		free(machine->task[i].memory);
		free(machine->task[i].held_back);
	}
	free(machine->task);
	while (machine->free_held) {
		struct held_wait *held = machine->free_held;

		machine->free_held = held->next;
		free(held);
	}
}

struct machine *machine_free(struct machine *machine)
{
	if (!machine)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(trackers); i++)
		if (trackers[i]->end)
			trackers[i]->end(machine);
	map_release(&machine->line_by_tid);
	map_release(&machine->known_by_tid);
	for (uint32_t number = 0; number < machine->cpu_count; number++)
		free(machine->cpu[number]);
	free(machine->cpu);
	machine_free_tasks(machine);
	free(machine);
	return NULL;
}

void machine_contradict(struct machine *machine)
{
	machine->health->inconsistencies++;
}

void machine_tell(struct machine *machine, const struct span *span)
{
	const struct line *line = &machine->timeline->line[span->line];
	bool is_wait = span->kind == SEGMENT_WAIT || span->kind == SEGMENT_STOPPED;

	/* nobody waits for the idle task, and what it does is what the others do not */
	if (line->is_idle || (span->begin == span->end && !is_wait && !span->is_open))
		return;
	if (span->kind == SEGMENT_UNKNOWN)
		machine->health->unknown_ns += span->end - span->begin;
	if (span->kind == SEGMENT_WAIT && span->is_open)
		machine->health->open_waits++;
	for (size_t i = 0; i < machine->setup.sink_count; i++)
		machine->setup.sinks[i].on_span(machine->setup.sinks[i].state, span);
}

static struct cpu *machine_add_cpu(struct machine *machine, uint32_t number)
{
	struct cpu *cpu = xcalloc(1, sizeof(*cpu));

	cpu->number = number;
	cpu->current = LINE_NONE;
	cpu->idle = LINE_NONE;
	cpu->run_queue = LINE_NONE;
	cpu->idle_begin = NSEC_NEVER;
	cpu_forget(cpu);
	if (number >= machine->cpu_count)
		machine->cpu_count = number + 1;
	return machine->cpu[number] = cpu;
}

static struct cpu *machine_cpu(struct machine *machine, uint32_t number)
{
	if (number >= CPUS_MAX)
		number = CPUS_MAX - 1;
	return machine->cpu[number] ? machine->cpu[number] : machine_add_cpu(machine, number);
}

bool machine_is_target(const struct machine *machine, const struct line *line)
{
	const struct source *source = machine->setup.source;

	if (line->is_command)
		return true;
	for (size_t i = 0; i < source->pid_count; i++)
		if (line->tid == source->pids[i] || line->tgid == source->pids[i])
			return true;
	return false;
}

static enum thread_role role_of(const char *comm)
{
	static const struct {
		const char *prefix;
		enum thread_role role;
	} roles[] = {
		{"rcu_", ROLE_RCU},   {"rcuc/", ROLE_RCU}, {"rcuog/", ROLE_RCU},
		{"rcuop/", ROLE_RCU}, {"rcub/", ROLE_RCU}, {"rcuos/", ROLE_RCU},
		{"napi/", ROLE_NAPI}, {"ksoftirqd/", ROLE_KSOFTIRQD},
		{"ktimers/", ROLE_KTIMERS}, {"migration/", ROLE_STOPPER},
	};

	for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
		if (strncmp(comm, roles[i].prefix, strlen(roles[i].prefix)) == 0)
			return roles[i].role;
	return ROLE_NONE;
}

/* What was known of the task when recording began. */
static void line_fill_known(struct machine *machine, struct line *line, struct task_state *task)
{
	const struct source *source = machine->setup.source;
	uint32_t index = map_get(&machine->known_by_tid, (uint64_t)line->tid);
	const struct known_task *known = index == MAP_NONE ? NULL : &source->known_tasks[index];

	if (known && line->generation == 0) {
		line->tgid = known->tgid;
		line->is_kernel = known->is_kernel;
		if (known->comm[0])
			timeline_add_name(machine->timeline,
			                  (uint32_t)(line - machine->timeline->line),
			                  machine->begin, known->comm, strlen(known->comm));
		task->role = (uint8_t)role_of(known->comm);
		/* it has not been seen since: it still sleeps as it did then */
		if (known->state && strchr("SDITt", known->state) && machine->gap_end == 0) {
			task->kind = strchr("Tt", known->state) ? SEGMENT_STOPPED : SEGMENT_WAIT;
			task->detail = (uint8_t)known->state;
		}
	}
	line->is_command = source->command_pid && line->tid == source->command_pid &&
	                   line->generation == 0;
	line->is_target = machine_is_target(machine, line);
}

/* A line and its state, unknown since `since`. */
static uint32_t machine_add_line(struct machine *machine, int64_t tid, uint32_t generation,
                                 nsec_t since)
{
	uint32_t index = timeline_add_line(machine->timeline, (int32_t)tid);
	struct task_state *task;
	struct line *line;

	if (index == LINE_NONE) {
		health_note(machine->health, "more than %u tasks: those beyond are left out",
		            LINES_MAX);
		return LINE_NONE;
	}
	if (index >= machine->task_capacity) {
		machine->task_capacity = machine->task_capacity ? machine->task_capacity * 2 : 64;
		machine->task = xreallocarray(machine->task, machine->task_capacity,
		                              sizeof(*machine->task));
	}
	task = &machine->task[index];
	*task = (struct task_state){
		.kind = SEGMENT_UNKNOWN,
		.since = since,
		.priority = PRIORITY_UNKNOWN,
	};
	line = &machine->timeline->line[index];
	line->generation = generation;
	line->is_idle = tid == 0;
	if (tid != 0) {
		line_fill_known(machine, line, task);
		map_put(&machine->line_by_tid, (uint64_t)tid, index);
	}
	return index;
}

uint32_t machine_find_line(const struct machine *machine, const struct cpu *cpu, int64_t tid)
{
	return tid == 0 ? cpu->idle : map_get(&machine->line_by_tid, (uint64_t)tid);
}

uint32_t machine_line(struct machine *machine, struct cpu *cpu, int64_t tid)
{
	uint32_t line = machine_find_line(machine, cpu, tid);
	char name[32];

	_Static_assert(MAP_NONE == LINE_NONE, "a tid that is not in the map has no line");
	if (line != LINE_NONE)
		return line;
	line = machine_add_line(machine, tid, 0, machine->begin);
	if (line != LINE_NONE && tid == 0) {
		int length = snprintf(name, sizeof(name), "swapper/%" PRIu32, cpu->number);

		cpu->idle = line;
		timeline_add_name(machine->timeline, line, machine->begin, name, (size_t)length);
	}
	return line;
}

uint32_t machine_new_generation(struct machine *machine, int64_t tid)
{
	uint32_t old = map_get(&machine->line_by_tid, (uint64_t)tid);
	uint32_t generation = 0, line;
	nsec_t since = machine->begin;

	if (old != LINE_NONE) {
		/* alive, though its tid is taken: its death was not seen */
		if (machine->task[old].kind != SEGMENT_DEAD &&
		    machine->task[old].kind != SEGMENT_NEW) {
			machine_contradict(machine);
			task_become(machine, old, machine->now, SEGMENT_DEAD, 0, NULL);
		}
		generation = machine->timeline->line[old].generation + 1;
		since = machine->task[old].since;
	}
	line = machine_add_line(machine, tid, generation, since);
	if (line != LINE_NONE)
		machine->task[line].has_unfreed_former = old != LINE_NONE;
	return line;
}

void machine_rename(struct machine *machine, uint32_t line, struct text comm)
{
	struct task_state *task = &machine->task[line];
	size_t length = comm.length < sizeof(task->comm) ? comm.length : sizeof(task->comm);

	if (length == 0 || machine->timeline->line[line].is_idle)
		return;
	memset(task->comm, 0, sizeof(task->comm));
	memcpy(task->comm, comm.at, length);
	task->role = (uint8_t)role_of(task->comm);
	timeline_add_name(machine->timeline, line, machine->now, task->comm,
	                  strnlen(task->comm, sizeof(task->comm) - 1));
}

uint32_t machine_function(const struct machine *machine, uint64_t address)
{
	const char *name = machine->setup.symbol
	                           ? machine->setup.symbol(machine->setup.symbols, address)
	                           : NULL;

	return name ? intern_adds(&machine->timeline->names, name) : 0;
}

const char *machine_function_within(const struct machine *machine, uint64_t address)
{
	return machine->setup.symbol_within
	               ? machine->setup.symbol_within(machine->setup.symbols, address)
	               : NULL;
}

static void machine_decide(const struct machine *machine, const struct wake *wake,
                           struct cause_note *ret)
{
	const struct cpu *cpu = wake->cpu;

	if (cpu->current == LINE_NONE) {
		cause_note_init(ret, CAUSE_UNKNOWN, CONFIDENCE_LOW);
		return;
	}
	for (const struct tracker *const *asked = machine->explainer[wake->level]; *asked; asked++)
		if ((*asked)->explain(machine, wake, ret))
			return;
	if (cpu->current == cpu->idle) {
		cause_note_init(ret, CAUSE_IDLE, CONFIDENCE_LOW);
		return;
	}
	cause_note_init(ret, CAUSE_TASK, CONFIDENCE_HIGH);
	ret->waker = cpu->current;
	ret->is_walked = true;
}

void machine_explain(const struct machine *machine, const struct wake *wake,
                     struct cause_note *ret)
{
	machine_decide(machine, wake, ret);
	for (const struct tracker *const *asked = machine->refiner; *asked; asked++)
		(*asked)->refine(machine, wake, ret);
}

void machine_explain_unwoken(const struct machine *machine, uint32_t line,
                             struct cause_note *ret)
{
	const struct wake wake = {.wakee = line};

	cause_note_init(ret, CAUSE_UNKNOWN, CONFIDENCE_LOW);
	for (const struct tracker *const *asked = machine->unwoken_refiner; *asked; asked++)
		(*asked)->refine(machine, &wake, ret);
}

void machine_explain_queueing(const struct machine *machine, struct cpu *cpu,
                              const struct event *event, struct cause_note *ret)
{
	struct wake wake = {event, cpu, LINE_NONE, cpu->level};

	assert(cpu->level != LEVEL_TASK);
	machine_decide(machine, &wake, ret);
}

/* What was current is so no more; where to it went is not known, unless it runs elsewhere. */
static void cpu_drop_current(struct machine *machine, struct cpu *cpu)
{
	const struct task_state *task = &machine->task[cpu->current];

	if (task->kind == SEGMENT_RUN && task->cpu == cpu->number)
		task_become(machine, cpu->current, machine->now, SEGMENT_UNKNOWN, 0, NULL);
	cpu->current = LINE_NONE;
}

void cpu_lose_current(struct machine *machine, struct cpu *cpu)
{
	machine_contradict(machine);
	cpu_drop_current(machine, cpu);
}

/* Wherever the line is current, its tid is another one from now on. */
static void machine_retell_current(struct machine *machine, uint32_t line, int64_t tid)
{
	for (uint32_t number = 0; number < machine->cpu_count; number++)
		if (machine->cpu[number] && machine->cpu[number]->current == line)
			machine->cpu[number]->current_tid = tid;
}

void machine_move_line(struct machine *machine, struct cpu *cpu, int64_t from, int64_t to)
{
	uint32_t line = machine_find_line(machine, cpu, from);
	uint32_t leader = machine_find_line(machine, cpu, to);

	if (line == LINE_NONE)
		return;
	if (leader != LINE_NONE)
		machine->timeline->line[line].generation =
			machine->timeline->line[leader].generation + 1;
	(void)map_take(&machine->line_by_tid, (uint64_t)from);
	if (leader != LINE_NONE && machine->task[leader].kind != SEGMENT_DEAD) {
		map_put(&machine->line_by_tid, (uint64_t)from, leader);
		machine_retell_current(machine, leader, from);
	}
	map_put(&machine->line_by_tid, (uint64_t)to, line);
	machine_retell_current(machine, line, to);
	machine->timeline->line[line].tid = (int32_t)to;
}

/*
 * The leader is dead, and still its tid runs, after idle, by a switch that was not recorded: a
 * thread of its executes a program (see cpu_is_new_leader()). The one that is able to run, if there
 * is no other; LINE_NONE: it is a new task.
 */
static uint32_t machine_find_heir(const struct machine *machine, uint32_t leader)
{
	int32_t tid = machine->timeline->line[leader].tid;
	uint32_t heir = LINE_NONE;

	for (uint32_t line = 0; line < machine->timeline->line_count; line++) {
		const struct line *thread = &machine->timeline->line[line];
		bool is_of_leader = thread->tgid == tid ||
		                    (thread->tgid < 0 && thread->parent == leader);

		if (!is_of_leader || line == leader ||
		    machine->task[line].kind != SEGMENT_RUNNABLE)
			continue;
		if (heir != LINE_NONE)
			return LINE_NONE;
		heir = line;
	}
	return heir;
}

uint32_t cpu_replace_current(struct machine *machine, struct cpu *cpu, uint32_t number,
                             int64_t tid)
{
	bool was_idle = cpu->current != LINE_NONE && cpu->current == cpu->idle;
	uint32_t line;

	if (was_idle) {
		machine->health->switches_missing++;
		task_become(machine, cpu->idle, machine->now, SEGMENT_RUNNABLE, 0, NULL);
		queue_end_idle(machine, cpu, cpu->last);
	} else if (cpu->current != LINE_NONE) {
		cpu_lose_current(machine, cpu);
	}
	line = machine_line(machine, cpu, tid);
	if (line != LINE_NONE && machine->task[line].kind == SEGMENT_DEAD) {
		uint32_t heir = was_idle ? machine_find_heir(machine, line) : LINE_NONE;

		if (heir == LINE_NONE) {
			line = machine_new_generation(machine, tid);
		} else {
			machine_move_line(machine, cpu, machine->timeline->line[heir].tid, tid);
			line = heir;
		}
	}
	cpu->current = line;
	cpu->current_tid = tid;
	if (line == LINE_NONE || machine->task[line].kind == SEGMENT_RUN)
		return line; /* on another CPU, as far as known */
	task_run(machine, line, number, was_idle ? cpu->last : machine->now);
	machine->task[line].is_doubtful = cpu->is_after_gap || was_idle;
	return line;
}

/*
 * A thread that executes a program takes over the tid of its leader, which is dead by then or about
 * to leave its CPU. Other events show that before the one of the exec does.
 */
static bool cpu_is_new_leader(const struct machine *machine, const struct cpu *cpu,
                              const struct event *event)
{
	int64_t tid = event->tid;
	uint32_t leader = machine_find_line(machine, cpu, tid);
	const struct line *heir;

	if (cpu->current == LINE_NONE || cpu->current == cpu->idle || tid == 0 ||
	    leader == LINE_NONE)
		return false;
	/* in a switch, one that is about to leave is leaving */
	if (machine->task[leader].kind != SEGMENT_DEAD &&
	    (!machine->task[leader].is_exiting || event->kind == EVENT_SCHED_SWITCH))
		return false;
	heir = &machine->timeline->line[cpu->current];
	return machine->task[cpu->current].kind == SEGMENT_RUN &&
	       (heir->tgid == tid || heir->tgid < 0);
}

/* Every event names the task that was current. */
static void cpu_follow_current(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (event->kind == EVENT_PROCESS_EXEC && event->process.other_tid == cpu->current_tid)
		return;
	if (cpu_is_new_leader(machine, cpu, event)) {
		machine_move_line(machine, cpu, cpu->current_tid, event->tid);
		return;
	}
	/* a switch tells itself who has left */
	if (event->kind != EVENT_SCHED_SWITCH)
		(void)cpu_replace_current(machine, cpu, event->cpu, event->tid);
}

void machine_begin(struct machine *machine, nsec_t time)
{
	machine->has_begun = true;
	machine->begin = time;
	machine->now = time;
}

void machine_event(struct machine *machine, const struct event *event)
{
	struct cpu *cpu;

	assert(machine->has_begun);
	machine->health->late_events += event->time < machine->now;
	machine->now = nsec_max(machine->now, event->time);
	cpu = machine_cpu(machine, event->cpu);
	cpu->event_count++;
	if ((event->tid != cpu->current_tid || cpu->current == LINE_NONE) &&
	    event->kind != EVENT_STACK)
		cpu_follow_current(machine, cpu, event);
	cpu_follow_level(machine, cpu, event);
	if (machine->handler[event->kind])
		machine->handler[event->kind](machine, cpu, event);
	cpu->last = machine->now;
}

void machine_gap(struct machine *machine, uint32_t number, nsec_t begin, nsec_t end,
                 bool has_switches)
{
	struct cpu *cpu;

	assert(machine->has_begun);
	machine->now = nsec_max(machine->now, nsec_min(begin, end));
	machine->gap_end = nsec_max(machine->gap_end, end);
	cpu = machine_cpu(machine, number);
	cpu_forget(cpu);
	for (size_t i = 0; i < ARRAY_SIZE(trackers); i++)
		if (trackers[i]->forget)
			trackers[i]->forget(machine);
	if (!has_switches)
		return;
	if (cpu->current != LINE_NONE)
		cpu_drop_current(machine, cpu);
	cpu->last = machine->now;
	cpu->is_after_gap = true;
}

void machine_close_objects(struct machine *machine, nsec_t end)
{
	for (size_t i = 0; i < ARRAY_SIZE(trackers) && machine->interval_kinds; i++)
		if (trackers[i]->close)
			trackers[i]->close(machine, end);
}
