/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine tells of objects: one of each kind, those that the trace or a loss cuts. */
#include "graph/timeline/interval.h"

#include <string.h>

#include "state/core/machine.h"
#include "suites.h"

#define A 1
#define B 2
#define REPORTED_MAX 8

static struct source source = {.arch = "x86_64"};
static struct timeline timeline;
static struct health health;
static struct machine *machine;
static struct interval reported[REPORTED_MAX];
static size_t reported_count;

static void on_interval(void *state, const struct interval *interval)
{
	ck_assert_ptr_null(state);
	ck_assert_uint_lt(reported_count, REPORTED_MAX);
	reported[reported_count++] = *interval;
}

static void run_begin_of(uint32_t kinds)
{
	static struct interval_sink sink = {.on_interval = on_interval};
	struct machine_setup setup = {
		.source = &source,
		.timeline = &timeline,
		.health = &health,
		.interval_sinks = &sink,
		.interval_sink_count = 1,
	};

	sink.kinds = kinds;
	health = (struct health){0};
	reported_count = 0;
	timeline_init(&timeline, /* keep_segments= */ false);
	machine = machine_new(&setup);
	machine_begin(machine, 1);
}

static void run_begin(void)
{
	run_begin_of(INTERVAL_MASK_ALL & ~INTERVAL_MASK(INTERVAL_CPU));
}

static void run_begin_of_cpus(void)
{
	run_begin_of(INTERVAL_MASK(INTERVAL_CPU));
}

static void run_end(void)
{
	machine_free(machine);
	timeline_release(&timeline);
	health_release(&health);
}

static void feed_in(uint64_t flags, nsec_t time, int64_t tid, enum event_kind kind,
                    struct event event)
{
	event.time = time;
	event.tid = tid;
	event.flags = flags;
	event.kind = kind;
	machine_event(machine, &event);
}

static void report(nsec_t time, int64_t tid, enum event_kind kind, struct event event)
{
	feed_in(0, time, tid, kind, event);
}

static void go_to(nsec_t time, int64_t from, int64_t to)
{
	report(time, from, EVENT_SCHED_SWITCH,
	       (struct event){.sched_switch = {
				      .prev_tid = from, .next_tid = to, .letter = 'S'}});
}

static struct event irq(int64_t number)
{
	return (struct event){.irq = {number, {"eth0", 4}}};
}

static int64_t tid_of(uint32_t track)
{
	return track == TRACK_NONE ? -1 : timeline.track[track].tid;
}

static const char *name_of(uint32_t name)
{
	return intern_text(&timeline.names, name);
}

static void check_reported(size_t count, enum interval_kind kind, nsec_t begin, nsec_t end)
{
	const struct interval *interval = &reported[count - 1];

	ck_assert_uint_eq(reported_count, count);
	ck_assert_uint_eq(interval->kind, kind);
	ck_assert_uint_eq(interval->begin, begin);
	ck_assert_uint_eq(interval->end, end);
}

/* The timer at address 5, with that function. */
static struct event timer_five(uint64_t function)
{
	return (struct event){.timer = {.timer = 5, .function = function}};
}

START_TEST(softirq_runs_from_its_first_raise)
{
	report(10, A, EVENT_SOFTIRQ_RAISE, irq(3));
	feed_in(EVENT_HARDIRQ, 11, A, EVENT_SOFTIRQ_RAISE, irq(3));
	feed_in(EVENT_SOFTIRQ, 15, A, EVENT_SOFTIRQ_ENTRY, irq(3));
	feed_in(EVENT_HARDIRQ, 16, A, EVENT_IRQ_ENTRY, irq(25));
	feed_in(EVENT_HARDIRQ, 18, A, EVENT_IRQ_EXIT, irq(25));
	check_reported(1, INTERVAL_IRQ, 16, 18);
	ck_assert_int_eq(reported[0].irq.number, 25);
	ck_assert_str_eq(name_of(reported[0].irq.name), "eth0");
	ck_assert(reported[0].irq.is_nested);
	feed_in(EVENT_SOFTIRQ, 20, A, EVENT_SOFTIRQ_EXIT, irq(3));
	check_reported(2, INTERVAL_SOFTIRQ, 10, 20);
	ck_assert_uint_eq(reported[1].phase[PHASE_QUEUED], 10);
	ck_assert_uint_eq(reported[1].phase[PHASE_STARTED], 15);
	ck_assert_str_eq(name_of(reported[1].irq.name), "NET_RX");
	ck_assert(!reported[1].irq.is_nested);
	ck_assert_int_eq(tid_of(reported[1].task), A);
	/* without a raise of its own */
	feed_in(EVENT_SOFTIRQ, 30, A, EVENT_SOFTIRQ_ENTRY, irq(3));
	feed_in(EVENT_SOFTIRQ, 31, A, EVENT_SOFTIRQ_EXIT, irq(3));
	check_reported(3, INTERVAL_SOFTIRQ, 30, 31);
	ck_assert_uint_eq(reported[2].phase[PHASE_QUEUED], NSEC_NEVER);
}
END_TEST

START_TEST(exits_without_entries_are_not_reported)
{
	feed_in(EVENT_HARDIRQ, 10, A, EVENT_IRQ_EXIT, irq(25));
	feed_in(EVENT_HARDIRQ, 20, A, EVENT_IRQ_ENTRY, irq(25));
	machine_gap(machine, 0, 21, 25, /* has_switches= */ true);
	feed_in(EVENT_HARDIRQ, 26, A, EVENT_IRQ_EXIT, irq(25));
	/* the exit of 25, the entry of 26 are missing */
	feed_in(EVENT_HARDIRQ, 30, A, EVENT_IRQ_ENTRY, irq(25));
	feed_in(EVENT_HARDIRQ, 35, A, EVENT_IRQ_EXIT, irq(26));
	report(40, A, EVENT_SYSCALL_EXIT, (struct event){.syscall = {.number = 1}});
	report(41, A, EVENT_WORK_END, (struct event){.work = {7, 8}});
	report(42, A, EVENT_LOCK_END, (struct event){.lock = {7, 0, 0}});
	report(43, A, EVENT_MEMORY_END, (struct event){.memory.what = MEMORY_RECLAIM});
	machine_end(machine, 50);
	ck_assert_uint_eq(reported_count, 0);
}
END_TEST

START_TEST(request_has_its_phases)
{
	struct event block = {.block = {.dev = 8 << 20, .sector = 100, .sectors = 8}};

	report(10, A, EVENT_BLOCK_QUEUE, block);
	report(12, A, EVENT_BLOCK_INSERT, block);
	report(15, B, EVENT_BLOCK_ISSUE, block);
	block.block.error = -5;
	feed_in(EVENT_HARDIRQ, 30, B, EVENT_BLOCK_COMPLETE, block);
	check_reported(1, INTERVAL_DISK, 10, 30);
	ck_assert_uint_eq(reported[0].phase[PHASE_STARTED], 15);
	ck_assert_uint_eq(reported[0].disk.bytes, 4096);
	ck_assert_int_eq(reported[0].disk.error, -5);
	ck_assert_int_eq(tid_of(reported[0].task), A);
	ck_assert_int_eq(tid_of(reported[0].other), -1);
	/* nothing of it but its completion */
	feed_in(EVENT_HARDIRQ, 40, B, EVENT_BLOCK_COMPLETE, block);
	check_reported(2, INTERVAL_DISK, 40, 40);
	ck_assert_uint_eq(reported[1].phase[PHASE_STARTED], NSEC_NEVER);
	/* what was only queued may be part of another one; what is issued is open */
	report(50, A, EVENT_BLOCK_QUEUE, block);
	block.block.sector = 200;
	report(55, A, EVENT_BLOCK_ISSUE, block);
	machine_end(machine, 60);
	check_reported(3, INTERVAL_DISK, 55, 60);
	ck_assert(reported[2].is_open);
	ck_assert_uint_eq(reported[2].disk.sector, 200);
}
END_TEST

static struct event block(uint64_t sector, uint64_t sectors)
{
	return (struct event){.block = {.dev = 8 << 20, .sector = sector, .sectors = sectors}};
}

START_TEST(requests_show_how_many_are_in_flight)
{
	report(10, A, EVENT_BLOCK_ISSUE, block(100, 8));
	report(11, A, EVENT_BLOCK_ISSUE, block(200, 8));
	/* once more: its completion was not seen */
	report(12, A, EVENT_BLOCK_ISSUE, block(200, 8));
	report(13, A, EVENT_BLOCK_ISSUE, block(300, 8));
	report(14, A, EVENT_BLOCK_REQUEUE, block(100, 8));
	report(15, A, EVENT_BLOCK_COMPLETE, block(300, 8));
	ck_assert_uint_eq(reported[0].disk.depth, 3);
	report(16, A, EVENT_BLOCK_ISSUE, block(100, 8));
	report(20, A, EVENT_BLOCK_COMPLETE, block(100, 8));
	check_reported(2, INTERVAL_DISK, 16, 20);
	ck_assert_uint_eq(reported[1].disk.depth, 2);
	machine_gap(machine, 0, 21, 22, /* has_switches= */ true);
	report(30, A, EVENT_BLOCK_ISSUE, block(400, 8));
	machine_end(machine, 60);
	check_reported(3, INTERVAL_DISK, 30, 60);
	ck_assert_uint_eq(reported[2].disk.depth, 1);
}
END_TEST

START_TEST(request_ends_with_its_last_part)
{
	report(10, A, EVENT_BLOCK_ISSUE, block(100, 24));
	report(20, A, EVENT_BLOCK_COMPLETE, block(100, 8));
	/* the rest is issued again */
	report(21, A, EVENT_BLOCK_REQUEUE, block(108, 16));
	report(25, B, EVENT_BLOCK_ISSUE, block(108, 16));
	report(30, B, EVENT_BLOCK_COMPLETE, block(108, 8));
	ck_assert_uint_eq(reported_count, 0);
	report(40, B, EVENT_BLOCK_COMPLETE, block(116, 8));
	check_reported(1, INTERVAL_DISK, 25, 40);
	ck_assert_uint_eq(reported[0].disk.sector, 100);
	ck_assert_uint_eq(reported[0].disk.bytes, 24 * 512);
	ck_assert_uint_eq(reported[0].disk.depth, 1);
	ck_assert_int_eq(tid_of(reported[0].task), A);
}
END_TEST

/* Sectors as kernels tell them: 0 of the issue, -1 of what the device completes. */
START_TEST(flush_is_one_request)
{
	report(10, A, EVENT_BLOCK_QUEUE, block(0, 0));
	report(12, B, EVENT_BLOCK_ISSUE, block(0, 0));
	/* another one asks meanwhile, and a request at sector 0 is none of this */
	report(13, B, EVENT_BLOCK_QUEUE, block(0, 0));
	report(14, B, EVENT_BLOCK_ISSUE, block(0, 8));
	report(15, B, EVENT_BLOCK_COMPLETE, block(0, 8));
	check_reported(1, INTERVAL_DISK, 14, 15);
	ck_assert_uint_eq(reported[0].disk.depth, 2);
	report(20, B, EVENT_BLOCK_COMPLETE, block(UINT64_MAX, 0));
	report(21, B, EVENT_BLOCK_COMPLETE, block(0, 0));
	check_reported(2, INTERVAL_DISK, 10, 21);
	ck_assert_int_eq(tid_of(reported[1].task), A);
	ck_assert_uint_eq(reported[1].disk.sector, 0);
	/* one before a write, that nobody has asked for by itself, and the write's second end */
	report(30, B, EVENT_BLOCK_ISSUE, block(0, 0));
	report(40, B, EVENT_BLOCK_COMPLETE, block(UINT64_MAX, 0));
	check_reported(3, INTERVAL_DISK, 30, 40);
	report(50, B, EVENT_BLOCK_COMPLETE, block(700, 0));
	machine_end(machine, 60);
	ck_assert_uint_eq(reported_count, 3);
}
END_TEST

/* As a loop device does it: the worker is not whom it is for. */
START_TEST(request_has_the_task_behind_a_worker)
{
	struct event work = {.work = {7, 8}};

	report(10, A, EVENT_WORK_QUEUE, work);
	report(15, B, EVENT_WORK_START, work);
	report(16, B, EVENT_BLOCK_QUEUE, block(100, 8));
	report(17, B, EVENT_BLOCK_ISSUE, block(100, 8));
	report(18, B, EVENT_WORK_END, work);
	report(20, A, EVENT_BLOCK_COMPLETE, block(100, 8));
	check_reported(2, INTERVAL_DISK, 16, 20);
	ck_assert_int_eq(tid_of(reported[1].task), B);
	ck_assert_int_eq(tid_of(reported[1].disk.originator), A);
	/* an interrupt queues it: for whom is not known */
	feed_in(EVENT_HARDIRQ, 30, A, EVENT_WORK_QUEUE, work);
	report(35, B, EVENT_WORK_START, work);
	report(37, B, EVENT_BLOCK_ISSUE, block(100, 8));
	report(40, A, EVENT_BLOCK_COMPLETE, block(100, 8));
	check_reported(3, INTERVAL_DISK, 37, 40);
	ck_assert_int_eq(tid_of(reported[2].disk.originator), -1);
}
END_TEST

START_TEST(work_item_is_of_who_queued_it)
{
	struct event work = {.work = {7, 8}};

	report(10, A, EVENT_WORK_QUEUE, work);
	go_to(12, A, B);
	report(15, B, EVENT_WORK_START, work);
	report(30, B, EVENT_WORK_END, work);
	check_reported(1, INTERVAL_WORK, 10, 30);
	ck_assert_uint_eq(reported[0].phase[PHASE_STARTED], 15);
	ck_assert_uint_eq(reported[0].work.function, 8);
	ck_assert_int_eq(tid_of(reported[0].task), A);
	ck_assert_int_eq(tid_of(reported[0].other), B);
	report(40, B, EVENT_WORK_START, work);
	machine_end(machine, 60);
	check_reported(2, INTERVAL_WORK, 40, 60);
	ck_assert(reported[1].is_open);
}
END_TEST

START_TEST(contention_lasts_over_its_turns)
{
	report(10, A, EVENT_LOCK_BEGIN, (struct event){.lock = {7, 0x21, 0}});
	report(12, A, EVENT_LOCK_BEGIN, (struct event){.lock = {7, 0x20, 0}});
	go_to(13, A, B);
	report(20, B, EVENT_SCHED_WAKING, (struct event){.wake = {.tid = A, .comm = {"A", 1}}});
	go_to(21, B, A);
	report(30, A, EVENT_LOCK_END, (struct event){.lock = {7, 0, 0}});
	check_reported(1, INTERVAL_LOCK, 10, 30);
	ck_assert_uint_eq(reported[0].lock.address, 7);
	ck_assert_uint_eq(reported[0].lock.flags, 0x20);
	ck_assert(reported[0].lock.has_slept);
	ck_assert_int_eq(tid_of(reported[0].task), A);
	ck_assert_int_eq(tid_of(reported[0].other), B);
	report(40, A, EVENT_LOCK_BEGIN, (struct event){.lock = {9, 1, 0}});
	report(41, A, EVENT_LOCK_END, (struct event){.lock = {9, 0, 0}});
	check_reported(2, INTERVAL_LOCK, 40, 41);
	ck_assert(!reported[1].lock.has_slept);
	ck_assert_int_eq(tid_of(reported[1].other), -1);
}
END_TEST

START_TEST(reclaim_and_call_are_the_tasks)
{
	report(10, A, EVENT_SYSCALL_ENTER, (struct event){.syscall = {.argument = 3}});
	report(11, A, EVENT_MEMORY_BEGIN, (struct event){.memory.what = MEMORY_RECLAIM});
	report(15, A, EVENT_MEMORY_END, (struct event){.memory.what = MEMORY_RECLAIM});
	check_reported(1, INTERVAL_MEMORY, 11, 15);
	ck_assert_uint_eq(reported[0].memory.what, MEMORY_RECLAIM);
	ck_assert_uint_eq(reported[0].memory.running, 4);
	report(20, A, EVENT_SYSCALL_EXIT, (struct event){.syscall = {.result = -2}});
	check_reported(2, INTERVAL_SYSCALL, 10, 20);
	ck_assert_int_eq(reported[1].syscall.number, 0);
	ck_assert_uint_eq(reported[1].syscall.argument, 3);
	ck_assert_int_eq(reported[1].syscall.result, -2);
	report(30, A, EVENT_SYSCALL_ENTER, (struct event){.syscall = {.number = 7}});
	machine_end(machine, 35);
	check_reported(3, INTERVAL_SYSCALL, 30, 35);
	ck_assert(reported[2].is_open);
}
END_TEST

static nsec_t reported_waiting[CAUSE_KIND_COUNT];

static void on_call(void *state, const struct interval *interval)
{
	on_interval(state, interval);
	memcpy(reported_waiting, interval->syscall.waiting, sizeof(reported_waiting));
}

static void enter(nsec_t time, int64_t tid, int64_t number)
{
	report(time, tid, EVENT_SYSCALL_ENTER, (struct event){.syscall = {.number = number}});
}

static void leave(nsec_t time, int64_t tid)
{
	report(time, tid, EVENT_SYSCALL_EXIT, (struct event){.syscall = {0}});
}

static void run_begin_of_calls(bool has_afterwords)
{
	static struct interval_sink sink = {.on_interval = on_call,
	                                    .kinds = INTERVAL_MASK(INTERVAL_SYSCALL)};
	struct machine_setup setup = {
		.source = &source,
		.has_afterwords = has_afterwords,
		.has_late_words = has_afterwords,
		.timeline = &timeline,
		.health = &health,
		.interval_sinks = &sink,
		.interval_sink_count = 1,
	};

	run_end();
	health = (struct health){0};
	reported_count = 0;
	timeline_init(&timeline, /* keep_segments= */ false);
	machine = machine_new(&setup);
	machine_begin(machine, 1);
}

static void check_time(nsec_t running, nsec_t runnable, enum cause_kind kind, nsec_t waiting)
{
	const struct syscall_interval *call = &reported[reported_count - 1].syscall;

	ck_assert_uint_eq(call->running, running);
	ck_assert_uint_eq(call->runnable, runnable);
	for (unsigned i = 0; i < CAUSE_KIND_COUNT; i++)
		ck_assert_uint_eq(reported_waiting[i], i == kind ? waiting : 0);
}

/* Also where waits are told late. */
START_TEST(time_of_calls_is_split)
{
	run_begin_of_calls(/* has_afterwords= */ _i > 0);
	enter(10, A, 0);
	go_to(13, A, B); /* A sleeps */
	report(20, B, EVENT_SCHED_WAKING, (struct event){.wake = {.tid = A}});
	go_to(25, B, A);
	leave(27, A);
	check_reported(1, INTERVAL_SYSCALL, 10, 27);
	check_time(3 + 2, 5, CAUSE_TASK, 7);
	/* the next one begins with nothing */
	enter(30, A, 1);
	leave(31, A);
	check_reported(2, INTERVAL_SYSCALL, 30, 31);
	check_time(1, 0, CAUSE_UNKNOWN, 0);
	/* one that the trace's end cuts, and nobody woke */
	enter(40, A, 2);
	go_to(41, A, B);
	machine_end(machine, 50);
	check_reported(3, INTERVAL_SYSCALL, 40, 50);
	ck_assert(reported[2].is_open);
	check_time(1, 0, CAUSE_UNKNOWN, 9);
}
END_TEST

START_TEST(calls_are_not_paired_across_a_loss)
{
	run_begin_of_calls(/* has_afterwords= */ true);
	enter(10, A, 0);
	machine_gap(machine, 0, 15, 20, /* has_switches= */ true);
	leave(25, A);
	enter(30, A, 0);
	machine_end(machine, 32);
	check_reported(1, INTERVAL_SYSCALL, 30, 32);
}
END_TEST

/* exit() does not return, and what took over the tid has not called it. */
START_TEST(calls_of_the_dead_are_not_reported)
{
	run_begin_of_calls(/* has_afterwords= */ false);
	enter(10, A, 60);
	report(11, A, EVENT_PROCESS_EXIT, (struct event){.process = {.tid = A}});
	report(12, A, EVENT_SCHED_SWITCH,
	       (struct event){.sched_switch = {.prev_tid = A, .next_tid = B, .letter = 'X'}});
	leave(20, A);
	machine_end(machine, 30);
	ck_assert_uint_eq(reported_count, 0);
}
END_TEST

static struct event in_state(uint64_t state)
{
	static const char peer[16] = {[10] = (char)0xff, [11] = (char)0xff, 10, 0, 0, 7};

	return (struct event){.socket = {.socket = 77, .state = state, .local_port = 5000,
	                                 .peer_port = 80, .peer = {peer, sizeof(peer)}}};
}

START_TEST(connection_has_its_life)
{
	report(10, A, EVENT_SOCKET_STATE, in_state(2));
	feed_in(EVENT_SOFTIRQ, 15, A, EVENT_SOCKET_RETRANSMIT, in_state(0));
	feed_in(EVENT_SOFTIRQ, 20, B, EVENT_SOCKET_STATE, in_state(1));
	feed_in(EVENT_SOFTIRQ, 40, B, EVENT_SOCKET_STATE, in_state(7));
	check_reported(1, INTERVAL_CONNECTION, 10, 40);
	ck_assert_uint_eq(reported[0].phase[PHASE_OPENED], 10);
	ck_assert_uint_eq(reported[0].phase[PHASE_ESTABLISHED], 20);
	ck_assert_int_eq(tid_of(reported[0].task), A);
	ck_assert_uint_eq(reported[0].connection.retransmits, 1);
	ck_assert_uint_eq(reported[0].connection.local_port, 5000);
	ck_assert_str_eq(name_of(reported[0].connection.peer), "10.0.0.7:80");
	/* accepted, and still there at the end */
	feed_in(EVENT_SOFTIRQ, 50, B, EVENT_SOCKET_STATE, in_state(3));
	feed_in(EVENT_SOFTIRQ, 55, B, EVENT_SOCKET_STATE, in_state(1));
	machine_end(machine, 60);
	check_reported(2, INTERVAL_CONNECTION, 50, 60);
	ck_assert(reported[1].is_open && reported[1].connection.is_passive);
	ck_assert_int_eq(tid_of(reported[1].task), -1);
}
END_TEST

START_TEST(timer_runs_from_its_arming)
{
	report(10, A, EVENT_HRTIMER_START, timer_five(6));
	feed_in(EVENT_HARDIRQ, 20, B, EVENT_IPI_ENTRY, (struct event){0});
	feed_in(EVENT_HARDIRQ, 21, B, EVENT_HRTIMER_ENTRY, timer_five(6));
	feed_in(EVENT_HARDIRQ, 23, B, EVENT_HRTIMER_EXIT, timer_five(0));
	check_reported(1, INTERVAL_TIMER, 10, 23);
	ck_assert_uint_eq(reported[0].phase[PHASE_STARTED], 21);
	ck_assert_int_eq(tid_of(reported[0].task), A);
	feed_in(EVENT_HARDIRQ, 24, B, EVENT_IPI_EXIT, irq(0));
	check_reported(2, INTERVAL_IPI, 20, 24);
	feed_in(EVENT_HARDIRQ, 30, B, EVENT_IRQ_ENTRY, irq(3));
	feed_in(EVENT_HARDIRQ, 31, B, EVENT_HRTIMER_ENTRY, timer_five(6));
	machine_end(machine, 35);
	ck_assert_uint_eq(reported_count, 4);
	ck_assert(reported[2].is_open && reported[3].is_open);
}
END_TEST

/* What goes on while another CPU loses events may be another one than it seems. */
START_TEST(loss_makes_doubtful)
{
	struct event work = {.cpu = 1, .work = {7, 8}};

	machine_gap(machine, 0, 10, 20, /* has_switches= */ true);
	report(15, B, EVENT_WORK_START, work);
	report(25, B, EVENT_WORK_END, work);
	check_reported(1, INTERVAL_WORK, 15, 25);
	ck_assert(reported[0].is_doubtful);
	report(26, B, EVENT_WORK_START, work);
	report(28, B, EVENT_WORK_END, work);
	ck_assert(!reported[1].is_doubtful);
}
END_TEST

START_TEST(only_asked_kinds_are_reported)
{
	run_end();
	run_begin_of(INTERVAL_MASK(INTERVAL_IPI));
	feed_in(EVENT_HARDIRQ, 16, A, EVENT_IRQ_ENTRY, irq(25));
	feed_in(EVENT_HARDIRQ, 18, A, EVENT_IRQ_EXIT, irq(25));
	feed_in(EVENT_HARDIRQ, 20, A, EVENT_IPI_ENTRY, (struct event){0});
	feed_in(EVENT_HARDIRQ, 22, A, EVENT_IPI_EXIT, irq(0));
	report(30, A, EVENT_SYSCALL_ENTER, (struct event){.syscall = {.number = 7}});
	machine_end(machine, 40);
	check_reported(1, INTERVAL_IPI, 20, 22);
}
END_TEST

START_TEST(cpu_idles)
{
	/* nobody switched before */
	go_to(10, 0, A);
	check_reported(1, INTERVAL_CPU, 1, 10);
	ck_assert_int_eq(tid_of(reported[0].task), 0);
	go_to(15, A, 0);
	report(17, 0, EVENT_SCHED_WAKING, (struct event){.wake = {.tid = A}});
	ck_assert_uint_eq(reported_count, 1);
	go_to(20, 0, A);
	check_reported(2, INTERVAL_CPU, 15, 20);
	go_to(30, A, 0);
	machine_gap(machine, 0, 33, 40, /* has_switches= */ true);
	check_reported(3, INTERVAL_CPU, 30, 33);
	/* what it did then is not known */
	go_to(45, 0, A);
	ck_assert_uint_eq(reported_count, 3);
	go_to(50, A, 0);
	machine_end(machine, 60);
	check_reported(4, INTERVAL_CPU, 50, 60);
	ck_assert(reported[3].is_open);
}
END_TEST

START_TEST(cpu_was_busy_before_its_first_event)
{
	feed_in(EVENT_HARDIRQ, 7, A, EVENT_IRQ_ENTRY, (struct event){.irq = {.number = 25}});
	check_reported(1, INTERVAL_CPU, 1, 7);
	ck_assert_int_eq(tid_of(reported[0].task), A);
	/* an interrupt tells that A has gone, and not when */
	feed_in(EVENT_HARDIRQ, 20, 0, EVENT_IRQ_ENTRY, (struct event){.irq = {.number = 25}});
	feed_in(EVENT_HARDIRQ, 21, 0, EVENT_IRQ_EXIT, (struct event){.irq = {.number = 25}});
	/* the switch away was not recorded */
	report(30, B, EVENT_SYSCALL_ENTER, (struct event){.syscall = {.argument = 3}});
	check_reported(2, INTERVAL_CPU, 20, 30);
	machine_end(machine, 35);
	ck_assert_uint_eq(reported_count, 2);
}
END_TEST

Suite *interval_suite(void)
{
	Suite *suite = suite_create("interval");
	TCase *tests = tcase_create("interval");

	tcase_add_checked_fixture(tests, run_begin, run_end);
	tcase_add_test(tests, softirq_runs_from_its_first_raise);
	tcase_add_test(tests, exits_without_entries_are_not_reported);
	tcase_add_test(tests, request_has_its_phases);
	tcase_add_test(tests, requests_show_how_many_are_in_flight);
	tcase_add_test(tests, request_ends_with_its_last_part);
	tcase_add_test(tests, flush_is_one_request);
	tcase_add_test(tests, request_has_the_task_behind_a_worker);
	tcase_add_test(tests, work_item_is_of_who_queued_it);
	tcase_add_test(tests, contention_lasts_over_its_turns);
	tcase_add_test(tests, reclaim_and_call_are_the_tasks);
	tcase_add_loop_test(tests, time_of_calls_is_split, 0, 2);
	tcase_add_test(tests, calls_are_not_paired_across_a_loss);
	tcase_add_test(tests, calls_of_the_dead_are_not_reported);
	tcase_add_test(tests, connection_has_its_life);
	tcase_add_test(tests, timer_runs_from_its_arming);
	tcase_add_test(tests, loss_makes_doubtful);
	tcase_add_test(tests, only_asked_kinds_are_reported);
	suite_add_tcase(suite, tests);
	tests = tcase_create("cpus");
	tcase_add_checked_fixture(tests, run_begin_of_cpus, run_end);
	tcase_add_test(tests, cpu_idles);
	tcase_add_test(tests, cpu_was_busy_before_its_first_event);
	suite_add_tcase(suite, tests);
	return suite;
}
