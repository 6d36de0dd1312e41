/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A schedule: events written down as a timeline, from which the builder makes a real trace.
 *
 *	# from the middle of a test
 *	tasks A=101 X=102/spinner
 *	 9/0 A     block_rq_issue 259,0 100+8 R
 *	10/0 A     sched_switch A:S > X
 *	20/0 X[h]  irq_handler_entry 30 nvme0q1
 *	21/0 X[h]  block_rq_complete 259,0 100+8 R
 *	22/0 X[h]  sched_waking A
 *	23/0 X[h]  irq_handler_exit 30
 *	25/0 X     sched_switch X:R+ > A
 *
 * One event a line: TIME/CPU CURRENT[FLAGS] EVENT ARGUMENTS. Times are ns and absolute. FLAGS are
 * letters of common_flags: i interrupts off 01, r need-resched 04, h hard interrupt 08, s soft
 * interrupt 10, n NMI 40, b bottom halves off 80. Arguments stand in the order of event_kind.c
 * (">" is decoration); FIELD=VALUE sets any field. A previous task carries its state: A:S,
 * A:R+, A:0x81. A priority that a line gives a task (next_prio=49) stays until a line gives
 * another. Pointers are names: a function gets an address that the symbol table resolves; a reason
 * is written with "_" for a blank. A task is
 * written by its name in the schedule; "0" is the idle task.
 *
 * TIME/CPU@BUFFER puts the event into a further buffer of the file instead, by that name:
 *	10/0@stacks A  sched_switch A:S > X
 *	10/0@stacks A  user_stack 101 0x401010 0x402020
 * A buffer "stacks" counts as ftwait's own if the schedule also has a line of the VERSION option.
 *
 * Other lines, before the events: tasks NAME=TID[/COMM]..., cpus N (else 4), endian big|little,
 * long 4|8, page BYTES, version 6|7, kernel RELEASE (before the first event: of an old one, events
 * have the fields that old_kind.h has of it), arch MACHINE, clock NAME, scale MULT SHIFT
 * (which makes nanoseconds of its stamps, in an option), date MICROSECONDS (option DATE),
 * trace-id ID (option TRACEID), host-clock ID OFFSET (option TIME_SHIFT: the stamps plus OFFSET are
 * on the clock of the host, whose trace has that id), unit ns|us|ms (of the times that follow),
 * state NAME LETTER [LEADER] (a task of the snapshot at the start; a thread of that process),
 * still NAME (the task is in that state at the end, too), place NAME FUNCTION;... and end-place
 * (where the task sleeps at the start and the end), command NAME, exit STATUS, realtime NS REAL
 * WITHIN, boot ID, machine HASH, recorded LIST, asked LIST, argument TEXT, label KEY TEXT, pids
 * N,N, listen PORT..., guest, steal CPU NS, device ..., path ..., waits NAME ..., trigger ...,
 * triggered TEXT (as in ftwait/stream.h), states bits|index|shifted (how the kernel records the
 * state of a previous task: by its bit; by its number, as 4.14.0 to 4.14.62 do; one bit too far, as
 * later kernels up to 4.20 do). Of programs and profiles, as in ftwait/stream.h: file N BUILDID
 * PATH, maps NAME NS (of that task; ns whatever the unit), map START END OFFSET N and jit START
 * SIZE NAME (of the maps before them), tick HZ. Between events: comm NAME COMM (a new name from
 * here on), lost CPU[@BUFFER] [COUNT] (the next event of that CPU begins a page that is marked so;
 * if there is none, the rest of that CPU's data is missing), newpage CPU[@BUFFER].
 *
 * Of control groups, as in ftwait/stream.h: hierarchies ID..., cgroup N ID PATH, process NAME
 * PARENT N and end-process NAME PARENT N (PARENT is a number), target-cgroup GLOB, recorder PID. Of
 * command lines: program NAME BEGIN READ TEXT (ns whatever the unit). Of descriptors:
 * descriptor-path N PATH, descriptor NAME NUMBER NS WITHIN N (ns, too).
 *
 * In COMM \xNN is a byte. At most SCHEDULE_CPUS_MAX CPUs, SCHEDULE_BUFFERS_MAX buffers and
 * SCHEDULE_PAGE_MAX bytes a page.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"

#define SCHEDULE_CPUS_MAX    4096
#define SCHEDULE_PAGE_MAX    65536
#define SCHEDULE_BUFFERS_MAX 8

/* The machine that the trace pretends to come from. */
struct machine {
	bool is_big_endian;
	unsigned long_bytes; /* 4 or 8 */
	uint32_t page_bytes;
	uint32_t fill_bytes; /* of a page that are used before the next one; 0: all */
	unsigned version; /* of the file: 6 or 7 */
};

enum schedule_states {
	STATES_BITS,
	STATES_INDEX,
	STATES_SHIFTED,
};

enum schedule_item_type {
	SCHEDULE_EVENT,
	SCHEDULE_LOST, /* `lost` events; 0: not counted */
	SCHEDULE_PAGE,
};

struct schedule_item {
	enum schedule_item_type type;
	unsigned cpu;
	unsigned buffer; /* index in the schedule's */
	nsec_t time;
	uint64_t lost;
	size_t offset;   /* of the record in `payload` */
	uint32_t length; /* bytes, a multiple of 4 */
};

struct schedule_task {
	char *name; /* in the schedule */
	char *comm;
	int32_t tid;
	bool has_run;
	unsigned cpu; /* it was last on, for target_cpu of a wake-up */
	char priority[8]; /* the last one that a line gave it; "": none so far */
};

struct schedule_symbol {
	char *name;
	uint64_t address;
	bool is_function;
	bool is_string; /* the address is that of its name, as printk_formats of tracefs says */
};

struct schedule {
	struct machine machine;
	bool is_machine_fixed;
	enum schedule_states states;
	char *kernel, *arch, *clock;
	char *date; /* text of option DATE; NULL: none */
	uint32_t scale_mult, scale_shift; /* mult 0: no such option */
	uint64_t trace_id, host_trace_id; /* 0: no such option */
	uint64_t host_offset;
	unsigned cpu_count;
	nsec_t unit;
	struct schedule_item *items;
	size_t item_count, item_capacity;
	struct schedule_task *tasks;
	size_t task_count, task_capacity, task_hint;
	struct schedule_symbol *symbols;
	size_t symbol_count, symbol_capacity;
	char *buffers[SCHEDULE_BUFFERS_MAX]; /* names; that of the first, the main one, is "" */
	unsigned buffer_count;
	struct buffer payload;
	struct buffer note; /* text of the VERSION option; empty: none */
};

/*
 * Reads a schedule. `machine`: overrides what the text says; NULL: as it says, by default 64 bit,
 * little endian, pages of 4096 bytes, version 6. -EINVAL with "line N: ..." in `why`.
 */
int schedule_parse(const char *text, size_t length, const struct machine *machine,
                   struct schedule **ret, struct buffer *why);
/* Accepts NULL; returns NULL. */
struct schedule *schedule_free(struct schedule *schedule);
void schedule_freep(struct schedule **schedule);

/* Stores an unsigned value of `size` bytes in the machine's byte order. */
void machine_store(const struct machine *machine, void *to, uint64_t value, unsigned size);
