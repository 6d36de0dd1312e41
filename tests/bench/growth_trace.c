/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings of any size, to see what grows with what:
 *
 *	growth_trace waiters WAITERS PREEMPTIONS > FILE
 *	growth_trace tasks CPUS TASKS EVENTS > FILE
 *	growth_trace queues CPUS TASKS EVENTS > FILE
 *	growth_trace forks FORKS > FILE
 *
 * waiters: so many sleep until one task wakes them, which is preempted so often before. tasks: that
 * wake each other at random and sleep again. forks: one task starts another, which ends, and waits
 * for that, over and over. The same words give the same bytes.
 *
 * Writes an ftwait stream (ftwait/stream.h), piece by piece: what mktrace writes stands in memory
 * as a whole, as text first, and of 20 million events that is too much. Its head is mktrace's.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/parse.h"
#include "builder/datfile.h"
#include "builder/event_kind.h"
#include "ftwait/stream.h"

#define CPUS_MAX      256
#define PAGE_BYTES    4096u
#define PAGE_HEAD     16u
#define BLOCK_PAGES   16u
#define RECORD_MAX    112u /* bytes; so that its length stands in its head */
#define COMM_BYTES    16
#define DELTA_BITS    27
#define TYPE_EXTEND   30u
#define FLAG_HARDIRQ  0x08
#define STATE_S       1
#define STATE_Z       0x20
#define STATE_PREEMPT 0x100
#define FIRST_TID     1000
#define STEP_NS       500

enum kind { SWITCH, WAKING, WAKEUP_NEW, FORK, EXIT, KINDS };

#define FIELDS_MAX 7

static const struct {
	const char *event;
	const char *field[FIELDS_MAX];
} kind_rows[KINDS] = {
	[SWITCH] = {"sched_switch",
		    {"prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid",
		     "next_prio"}},
	[WAKING] = {"sched_waking", {"comm", "pid", "prio", "target_cpu"}},
	[WAKEUP_NEW] = {"sched_wakeup_new", {"comm", "pid", "prio", "target_cpu"}},
	[FORK] = {"sched_process_fork", {"parent_comm", "parent_pid", "child_comm", "child_pid"}},
	[EXIT] = {"sched_process_exit", {"comm", "pid", "prio"}},
};

/* A field is a number or, where `text` is set, a name. */
struct value {
	const char *text;
	uint64_t number;
};

struct layout {
	uint16_t id;
	uint32_t bytes;
	size_t count;
	struct kind_field field[FIELDS_MAX];
};

struct cpu {
	uint8_t page[BLOCK_PAGES][PAGE_BYTES];
	size_t pages;  /* that are begun */
	uint32_t used; /* bytes of the last one */
	nsec_t time;   /* of its last event */
};

struct recording {
	struct machine machine;
	struct layout layout[KINDS];
	struct cpu *cpu;
	unsigned cpu_count;
	nsec_t now;
	uint64_t events;
};

/* A task, whose name tells its tid; 0: the idle task. */
static const char *task_comm(int32_t tid, char to[static COMM_BYTES])
{
	(void)snprintf(to, COMM_BYTES, tid ? "task-%d" : "swapper/0", tid);
	return to;
}

static void write_all(const void *bytes, size_t size)
{
	if (fwrite(bytes, 1, size, stdout) != size) {
		perror("growth_trace");
		exit(EXIT_FAILURE);
	}
}

static void put_block(enum stream_block_type type, unsigned cpu, const void *bytes, size_t size)
{
	struct stream_block block = {
		.mark = STREAM_BLOCK_MARK, .type = type, .cpu = cpu, .size = size};

	write_all(&block, sizeof(block));
	write_all(bytes, size);
}

static void layout_resolve(struct layout *layout, enum kind kind)
{
	const struct kernel_event *event = event_kind_find(kind_rows[kind].event);
	struct kind_layout fields;

	assert(event);
	event_kind_lay_out(event, 8, &fields);
	layout->id = event->id;
	layout->bytes = fields.size;
	assert(layout->bytes <= RECORD_MAX);
	for (size_t i = 0; i < FIELDS_MAX && kind_rows[kind].field[i]; i++) {
		const struct kind_field *field =
			kind_layout_find(&fields, kind_rows[kind].field[i]);

		assert(field);
		layout->field[layout->count++] = *field;
	}
}

/* What stands before the options of a trace.dat without events is the head of a stream. */
static void put_head(const struct recording *recording)
{
	static const char options[10] = "options  ";
	struct buffer text, file, why;
	struct schedule *schedule;
	const char *end;

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	buffer_init(&file, 1u << 24);
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&text, "cpus %u\n", recording->cpu_count);
	if (schedule_parse(text.text, text.length, &recording->machine, &schedule, &why) < 0) {
		(void)fprintf(stderr, "growth_trace: %s\n", why.text);
		exit(EXIT_FAILURE);
	}
	datfile_build(schedule, &file);
	end = memmem(file.text, file.length, options, sizeof(options));
	assert(end);
	write_all(STREAM_MAGIC, STREAM_MAGIC_BYTES);
	put_block(STREAM_HEAD, 0, file.text, (size_t)(end - file.text));
	schedule_free(schedule);
	buffer_release(&text);
	buffer_release(&file);
	buffer_release(&why);
}

static void recording_begin(struct recording *recording, unsigned cpus)
{
	*recording = (struct recording){
		.machine = {.is_big_endian = byte_order_is_big(), .long_bytes = 8,
		            .page_bytes = PAGE_BYTES, .version = 6},
		.cpu = xcalloc(cpus, sizeof(*recording->cpu)),
		.cpu_count = cpus,
		.now = 1000000000,
	};
	for (enum kind kind = 0; kind < KINDS; kind++)
		layout_resolve(&recording->layout[kind], kind);
	put_head(recording);
}

static void cpu_flush(struct cpu *cpu, unsigned number)
{
	if (cpu->pages == 0)
		return;
	put_block(STREAM_PAGES, number, cpu->page, cpu->pages * PAGE_BYTES);
	cpu->pages = 0;
	cpu->used = PAGE_BYTES;
}

static void recording_end(struct recording *recording)
{
	for (unsigned i = 0; i < recording->cpu_count; i++)
		cpu_flush(&recording->cpu[i], i);
	put_block(STREAM_END, 0, NULL, 0);
	if (fflush(stdout) != 0) {
		perror("growth_trace");
		exit(EXIT_FAILURE);
	}
	free(recording->cpu);
}

static uint8_t *cpu_begin_page(const struct recording *recording, unsigned number)
{
	struct cpu *cpu = &recording->cpu[number];
	uint8_t *page;

	if (cpu->pages == BLOCK_PAGES)
		cpu_flush(cpu, number);
	page = cpu->page[cpu->pages++];
	memset(page, 0, PAGE_BYTES);
	machine_store(&recording->machine, page, recording->now, 8);
	cpu->used = PAGE_HEAD;
	cpu->time = recording->now;
	return page;
}

static void page_put_head(const struct machine *machine, uint8_t *to, unsigned type, uint64_t delta)
{
	uint64_t word = machine->is_big_endian ? (uint64_t)type << DELTA_BITS | delta
	                                       : type | delta << 5;

	machine_store(machine, to, word, 4);
}

static void recording_put(struct recording *recording, unsigned number, const uint8_t *record,
                          uint32_t bytes)
{
	const struct machine *machine = &recording->machine;
	struct cpu *cpu = &recording->cpu[number];
	uint8_t *page = cpu->pages ? cpu->page[cpu->pages - 1] : NULL;
	uint64_t delta;

	if (!page || cpu->used + bytes + 12 > PAGE_BYTES)
		page = cpu_begin_page(recording, number);
	delta = recording->now - cpu->time;
	if (delta >> DELTA_BITS) {
		page_put_head(machine, page + cpu->used, TYPE_EXTEND,
		              delta & ((1u << DELTA_BITS) - 1));
		machine_store(machine, page + cpu->used + 4, delta >> DELTA_BITS, 4);
		cpu->used += 8;
		delta = 0;
	}
	page_put_head(machine, page + cpu->used, bytes / 4, delta);
	memcpy(page + cpu->used + 4, record, bytes);
	cpu->used += 4 + bytes;
	cpu->time = recording->now;
	machine_store(machine, page + 8, cpu->used - PAGE_HEAD, 8);
	recording->events++;
}

static void record(struct recording *recording, unsigned cpu, int32_t current, unsigned flags,
                   enum kind kind, const struct value *values)
{
	const struct layout *layout = &recording->layout[kind];
	uint8_t bytes[RECORD_MAX] = {0};

	machine_store(&recording->machine, bytes, layout->id, 2);
	machine_store(&recording->machine, bytes + 2, flags, 1);
	machine_store(&recording->machine, bytes + 4, (uint32_t)current, 4);
	for (size_t i = 0; i < layout->count; i++) {
		uint8_t *to = bytes + layout->field[i].offset;

		if (values[i].text)
			memcpy(to, values[i].text, strlen(values[i].text));
		else
			machine_store(&recording->machine, to, values[i].number,
			              layout->field[i].size);
	}
	recording_put(recording, cpu, bytes, layout->bytes);
}

static void record_switch(struct recording *recording, unsigned cpu, int32_t from, unsigned state,
                          int32_t to)
{
	char from_comm[COMM_BYTES], to_comm[COMM_BYTES];

	record(recording, cpu, from, 0, SWITCH,
	       (struct value[]){{task_comm(from, from_comm), 0}, {NULL, (uint32_t)from},
	                        {NULL, 120}, {NULL, state}, {task_comm(to, to_comm), 0},
	                        {NULL, (uint32_t)to}, {NULL, 120}});
}

static void record_wake(struct recording *recording, unsigned cpu, int32_t waker, unsigned flags,
                        enum kind kind, int32_t tid, unsigned target)
{
	char comm[COMM_BYTES];

	record(recording, cpu, waker, flags, kind,
	       (struct value[]){{task_comm(tid, comm), 0}, {NULL, (uint32_t)tid}, {NULL, 120},
	                        {NULL, target}});
}

/* On a CPU of their own, one after the other, from the idle task to it. */
static void waiters_run(struct recording *recording, uint32_t waiters)
{
	int32_t before = 0;

	for (uint32_t i = 0; i < waiters; i++) {
		int32_t tid = (int32_t)(FIRST_TID + i);

		record_switch(recording, 1, before, before ? STATE_S : 0, tid);
		recording->now += STEP_NS;
		before = tid;
	}
	record_switch(recording, 1, before, STATE_S, 0);
}

static void record_waiters(uint32_t waiters, uint32_t preemptions)
{
	const int32_t busy = 100, other = 101;
	struct recording recording;

	recording_begin(&recording, 2);
	waiters_run(&recording, waiters);
	record_switch(&recording, 0, 0, 0, busy);
	for (uint32_t i = 0; i < preemptions; i++) {
		recording.now += STEP_NS;
		record_wake(&recording, 0, busy, FLAG_HARDIRQ, WAKING, other, 0);
		record_switch(&recording, 0, busy, STATE_PREEMPT, other);
		recording.now += STEP_NS;
		record_switch(&recording, 0, other, STATE_S, busy);
	}
	for (uint32_t i = 0; i < waiters; i++) {
		recording.now += STEP_NS;
		record_wake(&recording, 0, busy, 0, WAKING, (int32_t)(FIRST_TID + i), 1);
	}
	waiters_run(&recording, waiters);
	record_switch(&recording, 0, busy, STATE_S, 0);
	recording_end(&recording);
}

static void record_forks(uint32_t forks)
{
	const int32_t parent = 100;
	char parent_comm[COMM_BYTES], comm[COMM_BYTES];
	struct recording recording;

	recording_begin(&recording, 2);
	record_switch(&recording, 0, 0, 0, parent);
	for (uint32_t i = 0; i < forks; i++) {
		int32_t child = (int32_t)(FIRST_TID + i);

		recording.now += STEP_NS;
		record(&recording, 0, parent, 0, FORK,
		       (struct value[]){{task_comm(parent, parent_comm), 0},
		                        {NULL, (uint32_t)parent}, {task_comm(child, comm), 0},
		                        {NULL, (uint32_t)child}});
		record_wake(&recording, 0, parent, 0, WAKEUP_NEW, child, 1);
		record_switch(&recording, 1, 0, 0, child);
		recording.now += STEP_NS;
		record_switch(&recording, 0, parent, STATE_S, 0);
		recording.now += STEP_NS;
		record(&recording, 1, child, 0, EXIT,
		       (struct value[]){{task_comm(child, comm), 0}, {NULL, (uint32_t)child},
		                        {NULL, 120}});
		record_wake(&recording, 1, child, 0, WAKING, parent, 0);
		record_switch(&recording, 1, child, STATE_Z, 0);
		record_switch(&recording, 0, 0, 0, parent);
	}
	recording_end(&recording);
}

enum doing { ASLEEP, QUEUED, ON_CPU };

/* The tasks of a CPU are those whose index has it as remainder; each waits in its queue at most
   once. */
struct crowd {
	struct recording recording;
	uint32_t tasks, per_cpu;
	uint8_t *doing;    /* enum doing, by task */
	uint32_t *queue;   /* per_cpu of each CPU, a ring */
	uint32_t *head, *queued, *current; /* by CPU; current: task + 1; 0: idle */
	uint64_t random;
};

static uint32_t crowd_random(struct crowd *crowd, uint32_t limit)
{
	crowd->random = crowd->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(crowd->random >> 33) % limit;
}

static int32_t crowd_tid(uint32_t task)
{
	return (int32_t)(FIRST_TID + task);
}

static void crowd_wake(struct crowd *crowd, unsigned cpu, unsigned flags, uint32_t task)
{
	unsigned target = task % crowd->recording.cpu_count;
	uint32_t current = crowd->current[cpu], at;

	if (crowd->doing[task] != ASLEEP)
		return;
	record_wake(&crowd->recording, cpu, current ? crowd_tid(current - 1) : 0, flags, WAKING,
	            crowd_tid(task), target);
	at = (crowd->head[target] + crowd->queued[target]++) % crowd->per_cpu;
	crowd->queue[(size_t)target * crowd->per_cpu + at] = task;
	crowd->doing[task] = QUEUED;
}

/* What runs there sleeps; the next of the queue runs, or nothing. */
static void crowd_switch(struct crowd *crowd, unsigned cpu)
{
	uint32_t from = crowd->current[cpu], to = 0;

	if (crowd->queued[cpu]) {
		to = crowd->queue[(size_t)cpu * crowd->per_cpu + crowd->head[cpu]] + 1;
		crowd->head[cpu] = (crowd->head[cpu] + 1) % crowd->per_cpu;
		crowd->queued[cpu]--;
		crowd->doing[to - 1] = ON_CPU;
	}
	if (from == to)
		return;
	if (from)
		crowd->doing[from - 1] = ASLEEP;
	record_switch(&crowd->recording, cpu, from ? crowd_tid(from - 1) : 0, from ? STATE_S : 0,
	              to ? crowd_tid(to - 1) : 0);
	crowd->current[cpu] = to;
}

static void crowd_step(struct crowd *crowd)
{
	uint32_t cpus = crowd->recording.cpu_count;
	unsigned cpu = crowd_random(crowd, cpus);
	uint32_t own = crowd_random(crowd, crowd->tasks / cpus) * cpus + cpu;

	crowd->recording.now += STEP_NS;
	if (crowd->current[cpu])
		crowd_wake(crowd, cpu, 0, crowd_random(crowd, crowd->tasks));
	else
		crowd_wake(crowd, cpu, FLAG_HARDIRQ, own);
	crowd_switch(crowd, cpu);
}

static void record_tasks(uint32_t cpus, uint32_t tasks, uint64_t events)
{
	struct crowd crowd = {.tasks = tasks, .per_cpu = tasks / cpus + 1, .random = 1};

	recording_begin(&crowd.recording, cpus);
	crowd.doing = xcalloc(tasks, sizeof(*crowd.doing));
	crowd.queue = xcalloc((size_t)cpus * crowd.per_cpu, sizeof(*crowd.queue));
	crowd.head = xcalloc(cpus, sizeof(*crowd.head));
	crowd.queued = xcalloc(cpus, sizeof(*crowd.queued));
	crowd.current = xcalloc(cpus, sizeof(*crowd.current));
	while (crowd.recording.events < events)
		crowd_step(&crowd);
	recording_end(&crowd.recording);
	free(crowd.doing);
	free(crowd.queue);
	free(crowd.head);
	free(crowd.queued);
	free(crowd.current);
}

/* All tasks of a CPU run in turn, each until its time slice ends. */
static void record_queues(uint32_t cpus, uint32_t tasks, uint64_t events)
{
	uint32_t *current = xcalloc(cpus, sizeof(*current)); /* task + 1; 0: idle */
	struct recording recording;

	recording_begin(&recording, cpus);
	for (uint32_t task = 0; task < tasks; task++) {
		recording.now += STEP_NS;
		record_wake(&recording, task % cpus, 0, FLAG_HARDIRQ, WAKING, crowd_tid(task),
		            task % cpus);
	}
	for (unsigned cpu = 0; recording.events < events; cpu = (cpu + 1) % cpus) {
		uint32_t from = current[cpu];
		uint32_t to = from && from + cpus <= tasks ? from + cpus : cpu + 1;

		recording.now += STEP_NS;
		record_switch(&recording, cpu, from ? crowd_tid(from - 1) : 0,
		              from ? STATE_PREEMPT : 0, crowd_tid(to - 1));
		current[cpu] = to;
	}
	recording_end(&recording);
	free(current);
}

int main(int argc, char **argv)
{
	uint64_t number[3] = {0};
	int numbers = argc - 2;

	for (int i = 0; i < numbers && i < 3; i++)
		if (parse_u64(argv[i + 2], &number[i]) < 0 || number[i] == 0 ||
		    number[i] > UINT32_MAX / 4)
			numbers = 0;
	if (numbers == 2 && strcmp(argv[1], "waiters") == 0) {
		record_waiters((uint32_t)number[0], (uint32_t)number[1]);
	} else if (numbers == 3 && strcmp(argv[1], "tasks") == 0 && number[0] <= CPUS_MAX &&
	           number[0] <= number[1]) {
		record_tasks((uint32_t)number[0], (uint32_t)number[1], number[2]);
	} else if (numbers == 3 && strcmp(argv[1], "queues") == 0 && number[0] <= CPUS_MAX &&
	           2 * number[0] <= number[1]) {
		record_queues((uint32_t)number[0], (uint32_t)number[1], number[2]);
	} else if (numbers == 1 && strcmp(argv[1], "forks") == 0) {
		record_forks((uint32_t)number[0]);
	} else {
		(void)fprintf(stderr, "usage: growth_trace waiters WAITERS PREEMPTIONS | tasks CPUS "
		                      "TASKS EVENTS | queues CPUS TASKS EVENTS | "
		                      "forks FORKS > FILE\n");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
