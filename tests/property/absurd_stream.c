/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <assert.h>
#include <string.h>

#include "base/data/array.h"
#include "builder/old_kind.h"
#include "random.h"
#include "streams.h"

#define CPUS       4
#define TASKS      8
#define EVENTS_MAX 160

struct absurd {
	struct random random;
	struct buffer *to;
	const char *release; /* of the kernel; NULL: as today */
	uint64_t time, spread;
	unsigned current[CPUS]; /* index of a task; 0: idle */
	unsigned sanity;        /* percent of choices that fit what went before */
};

static void name_put(struct buffer *to, unsigned task)
{
	if (task)
		buffer_printf(to, "T%u", task);
	else
		buffer_putc(to, '0');
}

static void time_step(struct absurd *absurd)
{
	uint64_t fixed = absurd->time & ~(absurd->spread - 1);
	unsigned way = random_below(&absurd->random, 200);

	if (way < 30)
		return;
	if (way < 190)
		absurd->time += random_below(&absurd->random, 1000);
	else if (way < 196)
		absurd->time += random_next(&absurd->random) >>
		                (26 + random_below(&absurd->random, 20));
	else if (way < 199)
		absurd->time -= absurd->time / (1 + random_below(&absurd->random, 50));
	else
		absurd->time += (uint64_t)1 << 50;
	absurd->time = fixed | (absurd->time & (absurd->spread - 1));
}

static void task_argument(struct absurd *absurd, const char *argument, unsigned cpu)
{
	static const char *const states[] = {"S", "D", "R", "R+", "X", "Z", "T", "t", "I", "P",
	                                     "S|X", "0x281", "0x1000"};
	bool is_prev = strcmp(argument, "@prev_") == 0;
	unsigned state = random_below(&absurd->random, random_chance(&absurd->random, 70) ? 4 : 13);
	unsigned task = is_prev && random_chance(&absurd->random, absurd->sanity)
	                        ? absurd->current[cpu]
	                        : random_below(&absurd->random, TASKS + 1);

	name_put(absurd->to, task);
	if (is_prev)
		buffer_printf(absurd->to, ":%s", states[state]);
	if (strcmp(argument, "@next_") == 0)
		absurd->current[cpu] = task;
}

static void function_argument(struct absurd *absurd)
{
	static const char *const functions[] = {
		"hrtimer_wakeup", "process_timeout", "delayed_work_timer_fn", "timerfd_tmrproc",
		"it_real_fn", "tick_sched_timer", "some_work"};

	buffer_puts(absurd->to, functions[random_below(&absurd->random, 7)]);
}

/* An end of a connection, of either family. */
static void end_argument(struct absurd *absurd)
{
	static const char *const addresses[] = {"10.0.0.1", "127.0.0.1", "[::1]", "[fe80::2]"};

	buffer_printf(absurd->to, "%s:%u", addresses[random_below(&absurd->random, 4)],
	              random_below(&absurd->random, 3));
}

static void stack_argument(struct absurd *absurd)
{
	static const char *const functions[] = {"schedule",     "futex_wait",   "ep_poll",
	                                        "do_swap_page", "worker_thread", "vfs_read"};
	unsigned count = random_below(&absurd->random, 6) + 1;

	for (unsigned i = 0; i < count; i++)
		buffer_printf(absurd->to, "%s%s", i ? " " : "",
		              functions[random_below(&absurd->random, 6)]);
}

static void plain_argument(struct absurd *absurd, const struct kernel_event *kind,
                           const char *argument)
{
	static const char *const pools[] = {"hrtimer", "timer", "work", "lock_addr", "skbaddr", "caller"};

	if (strcmp(argument, "function") == 0) {
		function_argument(absurd);
		return;
	}
	for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++) {
		/* napi_poll has a number of that name */
		if (strcmp(pools[i], argument) == 0 && strcmp(kind->name, "napi_poll") != 0) {
			buffer_printf(absurd->to, "obj%u", random_below(&absurd->random, 6));
			return;
		}
	}
	if (strstr(argument, "name") || strstr(argument, "comm") || strcmp(argument, "workqueue") == 0)
		buffer_printf(absurd->to, "name%u", random_below(&absurd->random, 4));
	else if (strcmp(argument, "rwbs") == 0)
		buffer_puts(absurd->to, random_chance(&absurd->random, 50) ? "R" : "WS");
	else
		buffer_printf(absurd->to, "%u", random_below(&absurd->random, 12));
}

static void argument_put(struct absurd *absurd, const struct kernel_event *kind,
                         const char *argument, unsigned cpu)
{
	buffer_putc(absurd->to, ' ');
	switch (argument[0]) {
	case '@':
		task_argument(absurd, argument, cpu);
		break;
	case '#':
		name_put(absurd->to, random_below(&absurd->random, TASKS + 1));
		break;
	case '%':
		buffer_printf(absurd->to, "8,%u", random_below(&absurd->random, 2));
		break;
	case '+':
		buffer_printf(absurd->to, "%u+8", 8 * random_below(&absurd->random, 4));
		break;
	case '~':
		end_argument(absurd);
		break;
	case '&':
		stack_argument(absurd);
		break;
	default:
		plain_argument(absurd, kind, argument);
	}
}

/* What that kernel lacks is a switch instead. */
static const struct kernel_event *kind_choose(struct absurd *absurd)
{
	unsigned way = random_below(&absurd->random, 100);
	const struct kernel_event *kind = event_kind_find("sched_switch"), *old;

	if (way >= 50)
		kind = &event_kinds[random_below(&absurd->random, (unsigned)event_kind_count)];
	else if (way >= 30)
		kind = event_kind_find("sched_waking");
	old = old_kind_find(absurd->release, kind);
	return old ? old
	           : old_kind_find(absurd->release, event_kind_find("sched_switch"));
}

static void flags_put(struct absurd *absurd)
{
	static const char *const flags[] = {"", "", "", "[h]", "[s]", "[hs]", "[b]", "[i]", "[n]", "[hr]"};

	buffer_puts(absurd->to, flags[random_below(&absurd->random, 10)]);
}

static void event_put(struct absurd *absurd)
{
	const struct kernel_event *kind = kind_choose(absurd);
	unsigned cpu = random_below(&absurd->random, CPUS);

	time_step(absurd);
	buffer_printf(absurd->to, "%llu/%u ", (unsigned long long)absurd->time, cpu);
	name_put(absurd->to, random_chance(&absurd->random, absurd->sanity)
	                             ? absurd->current[cpu]
	                             : random_below(&absurd->random, TASKS + 1));
	flags_put(absurd);
	buffer_printf(absurd->to, " %s", kind->name);
	for (size_t i = 0; i < KIND_ARGUMENTS_MAX && kind->arguments[i]; i++)
		argument_put(absurd, kind, kind->arguments[i], cpu);
	buffer_putc(absurd->to, '\n');
}

void stream_absurd(uint64_t seed, uint64_t spread, struct buffer *to)
{
	static const char *const releases[] = {
		NULL, NULL, NULL, NULL, "3.10.108", "4.4.155", "4.9.0", "5.10.0-1-amd64"};
	struct absurd absurd = {.random = {seed}, .to = to, .spread = spread};
	unsigned events = 1 + random_below(&absurd.random, EVENTS_MAX);

	assert((spread & (spread - 1)) == 0);
	absurd.sanity = 25 * random_below(&absurd.random, 5);
	absurd.time = random_next(&absurd.random) >> (2 + random_below(&absurd.random, 62));
	absurd.release = releases[random_below(&absurd.random, ARRAY_SIZE(releases))];
	if (absurd.release)
		buffer_printf(to, "kernel %s\n", absurd.release);
	/* two tasks of one tid */
	buffer_puts(to, "tasks T1=101 T2=102 T3=103 T4=104 T5=105 T6=150 T7=150 T8=4194303\n");
	if (random_chance(&absurd.random, 30))
		buffer_puts(to, "state T1 S\nstate T2 R\nstate T3 D\ncommand T1\n");
	for (unsigned i = 0; i < events; i++) {
		if (random_chance(&absurd.random, 2))
			buffer_printf(to, "lost %u %u\n", random_below(&absurd.random, CPUS),
			              random_below(&absurd.random, 3));
		event_put(&absurd);
	}
}

void stream_chain(unsigned length, struct buffer *to)
{
	unsigned time = 0;

	buffer_puts(to, "tasks");
	for (unsigned i = 0; i < length; i++) {
		buffer_printf(to, " T%u=%u", i, 1000 + i);
		if (i % 32 == 31)
			buffer_puts(to, "\ntasks");
	}
	buffer_puts(to, "\n0/0 0 sched_switch 0:R > T0\n");
	for (unsigned i = 0; i + 1 < length; i++)
		buffer_printf(to, "%u/0 T%u sched_switch T%u:S > T%u\n", ++time, i, i, i + 1);
	for (unsigned i = length - 1; i > 0; i--) {
		time++;
		buffer_printf(to, "%u/0 T%u sched_waking T%u\n", time, i, i - 1);
		buffer_printf(to, "%u/0 T%u sched_switch T%u:S > T%u\n", time, i, i, i - 1);
	}
	buffer_printf(to, "%u/0 T0 sched_switch T0:S > 0\n", time + 1);
}
