/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine costs; what it says is the matter of tests/vectors. */
#include "state/core/machine.h"

#include <stdio.h>
#include <string.h>

#include "memory_peak.h"
#include "suites.h"

#define TASKS 200000

static struct source source;
static struct timeline timeline;
static struct health health;
static struct machine *machine;

static void run_begin(void)
{
	struct machine_setup setup = {
		.source = &source,
		.has_afterwords = true,
		.timeline = &timeline,
		.health = &health,
	};

	health = (struct health){0};
	timeline_init(&timeline, /* keep_segments= */ false);
	machine = machine_new(&setup);
	machine_begin(machine, 0);
}

static void run_end(void)
{
	machine_end(machine, TASKS);
	machine_free(machine);
	timeline_release(&timeline);
	health_release(&health);
}

static struct text text_of(const char *text)
{
	return (struct text){text, (uint32_t)strlen(text)};
}

/* Each runs once and goes to sleep. */
START_TEST(test_memory_of_tasks)
{
	size_t before = memory_peak_mib();

	for (int tid = 1; tid < TASKS; tid++) {
		char names[2][16];
		struct event event = {.time = (nsec_t)tid, .tid = tid, .kind = EVENT_SCHED_SWITCH};

		(void)snprintf(names[0], sizeof(names[0]), "task %d", tid);
		(void)snprintf(names[1], sizeof(names[1]), "task %d", tid + 1);
		event.sched_switch = (struct sched_switch_event){
			.prev_tid = tid,
			.next_tid = tid + 1,
			.prev_comm = text_of(names[0]),
			.next_comm = text_of(names[1]),
			.letter = 'S',
		};
		machine_event(machine, &event);
	}
	ck_assert_uint_eq(timeline.track_count, TASKS);
	memory_check(before, 150u); /* 750 bytes a task */
}
END_TEST

/* Numbers of CPUs come from the file; those between them take nothing. */
START_TEST(test_memory_of_cpus)
{
	size_t before = memory_peak_mib();
	struct event event = {.time = 1, .cpu = 32000, .tid = 7, .kind = EVENT_IRQ_ENTRY};

	machine_event(machine, &event);
	machine_gap(machine, 65535, 1, 2, /* has_switches= */ true);
	memory_check(before, 10u);
}
END_TEST

/* The task of tid 7 can be the stopper of CPU 1, all others have one name. */
static bool has_stopper;

static struct text name_of(int tid)
{
	return text_of(has_stopper && tid == 7 ? "migration/1" : "a task");
}

static void feed_switch(nsec_t time, uint32_t cpu, int prev, int next)
{
	struct event event = {.time = time, .cpu = cpu, .tid = prev, .kind = EVENT_SCHED_SWITCH};

	event.sched_switch = (struct sched_switch_event){
		.prev_tid = prev,
		.next_tid = next,
		.prev_comm = name_of(prev),
		.next_comm = name_of(next),
		.letter = prev ? 'S' : 'R',
	};
	machine_event(machine, &event);
}

/* All above the highest are one, on which tasks come and go as on others. */
START_TEST(test_cpu_above_the_highest)
{
	struct event event = {.time = 1, .cpu = 65535, .kind = EVENT_IRQ_ENTRY};

	machine_event(machine, &event);
	event.time = 2;
	event.tid = 7;
	machine_event(machine, &event);
	feed_switch(3, 65535, 7, 0);
	feed_switch(4, 65535, 0, 7);
	ck_assert_uint_eq(health.inconsistencies, 0);
	ck_assert_uint_eq(health.waits_without_waker, 1);
}
END_TEST

static void see(int32_t tid, nsec_t seen, int32_t owner)
{
	const struct open_wait wait = {
		.tid = tid, .since = seen, .seen = seen, .state = 'S',
		.kind = OPEN_WAIT_FLOCK, .address = 99, .owner = owner, .path = "/a lock",
	};

	machine_see(machine, &wait);
}

/* The task behind which the task of that tid waits, -1: none; 0: it does not wait for a lock. */
static int32_t waits_behind(int32_t tid)
{
	for (uint32_t track = 0; track < timeline.track_count; track++) {
		struct cause_note note;
		struct span span;

		if (timeline.track[track].tid != tid ||
		    !machine_look(machine, track, &span, &note) || span.kind != SEGMENT_WAIT)
			continue;
		if (!span.cause || note.kind != CAUSE_LOCK)
			return 0;
		ck_assert_str_eq(intern_text(&timeline.names, note.name), "flock /a lock");
		return note.originator == TRACK_NONE ? -1
		                                     : timeline.track[note.originator].tid;
	}
	return 0;
}

/* What the recorder saw while the machine runs counts for the wait in which it was seen. */
START_TEST(test_seen_waits)
{
	feed_switch(10, 0, 7, 8);
	feed_switch(12, 0, 8, 9);
	machine_reach(machine, 20);
	ck_assert_int_eq(waits_behind(7), 0);
	see(7, 9, 8);   /* before it slept */
	see(9, 15, 8);  /* it runs */
	see(6, 15, 8);  /* unknown, as are the others */
	see(0, 15, 8);
	see(-7, 15, 8);
	see(7, 0, 8);
	ck_assert_int_eq(waits_behind(7), 0);
	see(7, 15, 8);
	ck_assert_int_eq(waits_behind(7), 8);
	see(7, 16, 9);  /* the lock went to another task */
	ck_assert_int_eq(waits_behind(7), 9);
	see(7, 17, 5);  /* to an unknown one */
	ck_assert_int_eq(waits_behind(7), -1);
	see(7, 18, 8);
	feed_switch(21, 0, 9, 7); /* that wait has ended; in the next one it was not seen */
	feed_switch(22, 0, 7, 9);
	machine_reach(machine, 30);
	ck_assert_int_eq(waits_behind(7), 0);
	see(7, 18, 8);
	ck_assert_int_eq(waits_behind(7), 0);
	see(7, 25, 8);
	ck_assert_int_eq(waits_behind(7), 8);
}
END_TEST

/* The present span of the task of that tid. */
static struct span look_at(int32_t tid)
{
	struct cause_note note;
	struct span span;

	ck_assert(machine_look(machine, machine_task_of(machine, tid), &span, &note));
	return span;
}

/* Its CPU is offline where it records nothing more. */
START_TEST(test_stopper_of_an_offline_cpu)
{
	struct event event = {.time = 15, .cpu = 1, .tid = 7, .kind = EVENT_IRQ_ENTRY};

	has_stopper = true;
	feed_switch(10, 1, 0, 7);
	feed_switch(12, 0, 0, 8);
	machine_reach(machine, 12);
	ck_assert_int_eq(look_at(8).kind, SEGMENT_RUN);
	machine_event(machine, &event);
	machine_reach(machine, 15); /* it has just recorded */
	ck_assert_int_eq(look_at(7).kind, SEGMENT_RUN);
	machine_reach(machine, 20);
	ck_assert_int_eq(look_at(7).kind, SEGMENT_UNKNOWN);
	ck_assert_uint_eq(look_at(7).begin, 15);
	ck_assert_uint_eq(look_at(7).end, 20);
	ck_assert_int_eq(look_at(8).kind, SEGMENT_RUN);
	feed_switch(30, 1, 0, 7); /* it is back, and idled */
	machine_reach(machine, 30);
	ck_assert_int_eq(look_at(7).kind, SEGMENT_RUN);
	ck_assert_uint_eq(look_at(7).begin, 30);
	feed_switch(31, 1, 7, 0);
	ck_assert_int_eq(look_at(7).kind, SEGMENT_WAIT);
	ck_assert_uint_eq(health.inconsistencies, 0);
	has_stopper = false;
}
END_TEST

/* The CPU was not offline: its stopper did not record anything for some time. */
START_TEST(test_stopper_that_runs_on)
{
	struct event event = {.time = 40, .cpu = 1, .tid = 7, .kind = EVENT_IRQ_ENTRY};

	has_stopper = true;
	feed_switch(10, 1, 9, 7);
	machine_reach(machine, 20);
	machine_event(machine, &event);
	machine_reach(machine, 40);
	ck_assert_int_eq(look_at(7).kind, SEGMENT_RUN);
	ck_assert_uint_eq(look_at(7).begin, 40);
	machine_reach(machine, 50);
	feed_switch(60, 1, 7, 9);
	machine_reach(machine, 61);
	ck_assert_int_eq(look_at(7).kind, SEGMENT_WAIT);
	ck_assert_int_eq(look_at(9).kind, SEGMENT_RUN);
	ck_assert_uint_eq(health.inconsistencies, 0);
	has_stopper = false;
}
END_TEST

Suite *machine_suite(void)
{
	Suite *suite = suite_create("machine");
	TCase *tests = tcase_create("machine");

	tcase_add_checked_fixture(tests, run_begin, run_end);
	tcase_add_test(tests, test_memory_of_tasks);
	tcase_add_test(tests, test_memory_of_cpus);
	tcase_add_test(tests, test_cpu_above_the_highest);
	tcase_add_test(tests, test_seen_waits);
	tcase_add_test(tests, test_stopper_of_an_offline_cpu);
	tcase_add_test(tests, test_stopper_that_runs_on);
	suite_add_tcase(suite, tests);
	return suite;
}
