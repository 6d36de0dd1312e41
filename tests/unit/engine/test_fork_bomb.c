/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What views cost of 20,000 processes that one forks: they stand in the run queues of two CPUs, a
 * hundred at a time, run twice each, and are killed. Memory goes by their number, for each of
 * which there is a row.
 */
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "engine/report_run.h"
#include "memory_peak.h"
#include "state/core/machine.h"
#include "suites.h"

#define BOMB      1
#define CHILDREN  20000
#define FIRST     100 /* tid of the first of them */
#define TOGETHER  100
#define SLICE     4000u /* ns */

static const struct {
	const char *view, *reported; /* what the text must have */
	unsigned mib;
} cases[] = {
	{"summary", "20001 tasks", 24},
	{"sched", "20000 tasks stood", 32},
	{"processes", "20,000 began", 15},
};

struct bomb {
	struct machine *machine;
	nsec_t now;
	int running[2]; /* by CPU; 0: it idles */
};

static struct event event_of(const struct bomb *bomb, enum event_kind kind, uint32_t cpu)
{
	return (struct event){
		.time = bomb->now,
		.kind = kind,
		.cpu = cpu,
		.tid = bomb->running[cpu],
	};
}

static struct text comm_of(int tid)
{
	return tid ? (struct text){"bomb", 4} : (struct text){"swapper", 7};
}

/* The next one has the CPU, after the one that leaves it so. */
static void bomb_switch(struct bomb *bomb, uint32_t cpu, int next, char letter)
{
	struct event event = event_of(bomb, EVENT_SCHED_SWITCH, cpu);
	int previous = bomb->running[cpu];

	event.sched_switch = (struct sched_switch_event){
		.prev_tid = previous,
		.next_tid = next,
		.prev_comm = comm_of(previous),
		.next_comm = comm_of(next),
		.prev_priority = 120,
		.next_priority = 120,
		.was_running = letter == 'R',
		.letter = (uint64_t)letter,
	};
	machine_event(bomb->machine, &event);
	bomb->running[cpu] = next;
}

static void bomb_fork(struct bomb *bomb, int child)
{
	struct event fork = event_of(bomb, EVENT_PROCESS_FORK, 0);
	struct event wake = event_of(bomb, EVENT_SCHED_WAKEUP_NEW, 0);

	fork.process = (struct process_event){child, BOMB, comm_of(child), 0};
	machine_event(bomb->machine, &fork);
	wake.wake = (struct sched_wake_event){child, child % 2, comm_of(child), 120};
	machine_event(bomb->machine, &wake);
}

static void bomb_kill(struct bomb *bomb, int child)
{
	struct event kill = event_of(bomb, EVENT_SIGNAL_GENERATE, 0);

	kill.signal = (struct signal_event){.number = 9, .tid = child};
	machine_event(bomb->machine, &kill);
}

/* It runs until the next one does; the second time it exits then. */
static void bomb_run(struct bomb *bomb, int child, bool exits)
{
	uint32_t cpu = (uint32_t)child % 2;
	struct event exit;

	bomb->now += SLICE / 2;
	bomb_switch(bomb, cpu, child, cpu == 0 && bomb->running[cpu] == BOMB ? 'S' : 'R');
	bomb->now += SLICE / 2;
	if (!exits)
		return;
	exit = event_of(bomb, EVENT_PROCESS_EXIT, cpu);
	exit.process = (struct process_event){.tid = child, .comm = comm_of(child)};
	machine_event(bomb->machine, &exit);
	bomb_switch(bomb, cpu, 0, 'X');
}

static void bomb_explode(struct bomb *bomb)
{
	for (int first = FIRST; first < FIRST + CHILDREN; first += TOGETHER) {
		bomb->now += SLICE;
		bomb_switch(bomb, 0, BOMB, 'R');
		for (int child = first; child < first + TOGETHER; child++)
			bomb_fork(bomb, child);
		for (int child = first; child < first + TOGETHER; child++)
			bomb_kill(bomb, child);
		for (int child = first; child < first + TOGETHER; child++)
			bomb_run(bomb, child, /* exits= */ false);
		for (int child = first; child < first + TOGETHER; child++)
			bomb_run(bomb, child, /* exits= */ true);
	}
}

static void run_feed(struct report_run *run)
{
	struct span_sink sinks[REPORT_VIEWS_MAX];
	struct machine_setup setup = {
		.source = run->loaded->source,
		.timeline = &run->timeline,
		.health = &run->health,
		.sinks = sinks,
		.sink_count = report_run_begin(run, sinks),
	};
	struct bomb bomb = {.now = SLICE};

	setup.interval_sinks = run->interval_sink;
	setup.interval_sink_count = run->interval_sink_count;
	bomb.machine = machine_new(&setup);
	machine_begin(bomb.machine, 0);
	bomb_explode(&bomb);
	machine_end(bomb.machine, bomb.now);
	run->timeline.begin = 0;
	run->timeline.end = bomb.now;
	run->resolved.seen.has[EVENT_SCHED_SWITCH] = true;
	run->resolved.seen.has[EVENT_PROCESS_FORK] = true;
	machine_free(bomb.machine);
	report_run_end(run);
}

/* The program must have it. */
static const struct analysis *view_named(const char *name)
{
	const struct analysis *view = analysis_find(name);

	ck_assert_msg(view != NULL, "no view is called %s", name);
	return view;
}

START_TEST(test_memory_goes_by_tasks)
{
	size_t before = memory_peak_mib();
	const struct asked asked = ASKED_EVERYTHING;
	struct source source = {.long_bytes = 8, .cpu_count = 2};
	struct loaded loaded;
	struct report_run run;
	struct report_form form = {
		.out = tmpfile(),
		.presenter = presenter_find("text"),
		.options = {.top = 20},
		.file = "memory",
	};
	char text[4096];

	ck_assert_ptr_nonnull(form.out);
	loaded_init(&loaded, &source);
	report_run_init(&run, &loaded, &asked);
	report_run_ask(&run, view_named(cases[_i].view));
	run_feed(&run);
	report_run_show(&run, &form);
	rewind(form.out);
	text[fread(text, 1, sizeof(text) - 1, form.out)] = 0;
	ck_assert_msg(strstr(text, cases[_i].reported), "no \"%s\" in: %s", cases[_i].reported,
	              text);
	memory_check(before, cases[_i].mib);
	(void)fclose(form.out);
	report_run_release(&run);
}
END_TEST

Suite *fork_bomb_suite(void)
{
	Suite *suite = suite_create("fork_bomb");
	TCase *tests = tcase_create("fork_bomb");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, test_memory_goes_by_tasks, 0, ARRAY_SIZE(cases));
	suite_add_tcase(suite, tests);
	return suite;
}
