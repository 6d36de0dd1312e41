/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model of a machine that keeps its own books: every wait that it starts has one true cause.
 */
#include <assert.h>

#include "ftwait/cause.h"
#include "random.h"
#include "streams.h"

#define CPUS  4
#define TASKS 9
#define STEPS 200
#define IDLE  0

enum task_state {
	TASK_UNSEEN, /* runnable, but the trace has not told of it */
	TASK_RUNNABLE,
	TASK_RUNNING,
	TASK_WAITS_TASK,
	TASK_WAITS_DISK,
	TASK_WAITS_TIMER,
};

struct model {
	struct random random;
	struct buffer *to;
	struct model_truth *truth;
	uint64_t time;
	unsigned current[CPUS];          /* task, 0 is idle */
	enum task_state state[TASKS + 1]; /* from 1 */
	uint64_t since[TASKS + 1];       /* of a wait */
	unsigned sectors;                /* of the next request; requests never overlap */
	unsigned sector[TASKS + 1];
};

static int32_t tid_of(unsigned task)
{
	return task == IDLE ? 0 : 100 + (int32_t)task;
}

static void event_begin(struct model *model, unsigned cpu, const char *flags)
{
	model->time += 1 + random_below(&model->random, 300);
	buffer_printf(model->to, "%llu/%u ", (unsigned long long)model->time, cpu);
	if (model->current[cpu] == IDLE)
		buffer_printf(model->to, "0%s ", flags);
	else
		buffer_printf(model->to, "T%u%s ", model->current[cpu], flags);
}

static unsigned task_in(struct model *model, enum task_state state)
{
	unsigned start = random_below(&model->random, TASKS);

	for (unsigned i = 0; i < TASKS; i++) {
		unsigned task = 1 + (start + i) % TASKS;

		if (model->state[task] == state)
			return task;
	}
	return IDLE;
}

static unsigned next_choose(struct model *model)
{
	unsigned next = random_chance(&model->random, 80) ? task_in(model, TASK_RUNNABLE) : IDLE;

	if (next == IDLE && random_chance(&model->random, 30))
		next = task_in(model, TASK_UNSEEN);
	return next;
}

/* Puts the next task on the CPU; the current one leaves with the letters given. */
static void cpu_switch(struct model *model, unsigned cpu, const char *letters, unsigned next)
{
	unsigned previous = model->current[cpu];

	event_begin(model, cpu, "");
	if (previous == IDLE)
		buffer_puts(model->to, "sched_switch 0:R > ");
	else
		buffer_printf(model->to, "sched_switch T%u:%s > ", previous, letters);
	if (next == IDLE)
		buffer_puts(model->to, "0\n");
	else
		buffer_printf(model->to, "T%u\n", next);
	model->current[cpu] = next;
	if (next != IDLE)
		model->state[next] = TASK_RUNNING;
}

static void task_block(struct model *model, unsigned cpu)
{
	unsigned task = model->current[cpu], way = random_below(&model->random, 3);

	if (way == 1) {
		model->sector[task] = model->sectors += 8;
		event_begin(model, cpu, "");
		buffer_printf(model->to, "block_rq_issue 8,0 %u+8 R\n", model->sector[task]);
	} else if (way == 2) {
		event_begin(model, cpu, "[i]");
		buffer_printf(model->to, "hrtimer_start H%u hrtimer_wakeup\n", task);
	}
	model->state[task] = way == 0   ? TASK_WAITS_TASK
	                     : way == 1 ? TASK_WAITS_DISK
	                                : TASK_WAITS_TIMER;
	cpu_switch(model, cpu, way == 1 ? "D" : "S", next_choose(model));
	model->since[task] = model->time;
}

static void wait_end(struct model *model, unsigned task, enum cause_kind kind, unsigned waker)
{
	if (model->truth->count < MODEL_WAITS_MAX)
		model->truth->wait[model->truth->count++] = (struct model_wait){
			.tid = tid_of(task),
			.begin = model->since[task],
			.end = model->time,
			.kind = (int)kind,
			.waker = tid_of(waker),
		};
	model->state[task] = TASK_RUNNABLE;
}

static void task_wake(struct model *model, unsigned cpu)
{
	unsigned task = task_in(model, TASK_WAITS_TASK);

	if (task == IDLE)
		return;
	event_begin(model, cpu, "");
	buffer_printf(model->to, "sched_waking T%u\n", task);
	wait_end(model, task, CAUSE_TASK, model->current[cpu]);
}

static void disk_complete(struct model *model, unsigned cpu)
{
	unsigned task = task_in(model, TASK_WAITS_DISK);

	if (task == IDLE)
		return;
	event_begin(model, cpu, "[h]");
	buffer_puts(model->to, "irq_handler_entry 14 ata\n");
	event_begin(model, cpu, "[h]");
	buffer_printf(model->to, "block_rq_complete 8,0 %u+8 R\n", model->sector[task]);
	event_begin(model, cpu, "[h]");
	buffer_printf(model->to, "sched_waking T%u\n", task);
	wait_end(model, task, CAUSE_DISK, IDLE);
	event_begin(model, cpu, "[h]");
	buffer_puts(model->to, "irq_handler_exit 14\n");
}

static void timer_expire(struct model *model, unsigned cpu)
{
	unsigned task = task_in(model, TASK_WAITS_TIMER);

	if (task == IDLE)
		return;
	event_begin(model, cpu, "[h]");
	buffer_printf(model->to, "hrtimer_expire_entry H%u hrtimer_wakeup\n", task);
	event_begin(model, cpu, "[h]");
	buffer_printf(model->to, "sched_waking T%u\n", task);
	wait_end(model, task, CAUSE_TIMER, IDLE);
	event_begin(model, cpu, "[h]");
	buffer_printf(model->to, "hrtimer_expire_exit H%u\n", task);
}

static void task_preempt(struct model *model, unsigned cpu)
{
	unsigned task = model->current[cpu], next = task_in(model, TASK_RUNNABLE);

	if (next == IDLE)
		return;
	cpu_switch(model, cpu, "R+", next);
	model->state[task] = TASK_RUNNABLE;
}

static void model_step(struct model *model)
{
	unsigned cpu = random_below(&model->random, CPUS);
	unsigned way = random_below(&model->random, 100);

	if (way < 20) {
		disk_complete(model, cpu);
	} else if (way < 40) {
		timer_expire(model, cpu);
	} else if (model->current[cpu] == IDLE) {
		unsigned next = next_choose(model);

		if (next != IDLE)
			cpu_switch(model, cpu, "R", next);
	} else if (way < 60) {
		task_wake(model, cpu);
	} else if (way < 70) {
		task_preempt(model, cpu);
	} else {
		task_block(model, cpu);
	}
}

void stream_valid(uint64_t seed, struct buffer *to, struct model_truth *ret)
{
	struct model model = {.random = {seed}, .to = to, .truth = ret, .time = 1000};

	ret->count = 0;
	ret->open = 0;
	buffer_puts(to, "tasks");
	for (unsigned task = 1; task <= TASKS; task++)
		buffer_printf(to, " T%u=%d", task, tid_of(task));
	buffer_putc(to, '\n');
	for (unsigned i = 0; i < STEPS; i++)
		model_step(&model);
	for (unsigned task = 1; task <= TASKS; task++)
		ret->open += model.state[task] >= TASK_WAITS_TASK;
}
