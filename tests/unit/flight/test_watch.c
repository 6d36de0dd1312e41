/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedules (builder/schedule.h) in ms, with lines "tick T" of their own: at that time all that is
 * open is looked at. Each runs twice: within one generation of the live run, and with another one
 * after every second tick. Hits must be the same.
 */
#include "flight/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data/array.h"
#include "builder/datfile.h"
#include "source/source.h"
#include "suites.h"

#define MS          UINT64_C(1000000)
#define NEWCOMERS   64 /* tasks that fill a generation */
#define TEXT_BYTES  65536

#define TASKS "tasks A=101/alpha B=102/beta C=103/gamma K=104/kthr X=105/other\n"

static struct {
	struct condition condition[WATCH_CONDITIONS_MAX];
	size_t condition_count;
	int32_t own[2];
	size_t own_count;
	struct watch *watch;
	struct live_run *run;
	struct buffer hits; /* a line each */
	uint64_t generations, lost;
	struct hit last;
} test;

static void begin(void)
{
	memset(&test, 0, sizeof(test));
	buffer_init(&test.hits, TEXT_BYTES);
}

static void end(void)
{
	for (size_t i = 0; i < test.condition_count; i++)
		condition_release(&test.condition[i]);
	buffer_release(&test.hits);
}

static void look_for(const char *text)
{
	struct buffer why;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	ck_assert_msg(condition_parse(text, &test.condition[test.condition_count++], &why) == 0,
	              "%s: %s", text, why.text);
	buffer_release(&why);
}

static void tick(nsec_t time)
{
	nsec_t last = 0;

	live_run_reach(test.run, time);
	watch_look(test.watch, time);
	while (watch_next(test.watch, &test.last)) {
		ck_assert_uint_ge(test.last.at, last);
		last = test.last.at;
		buffer_printf(&test.hits, "%u: %s\n", (unsigned)(test.last.at / MS),
		              test.last.text);
	}
	if (live_run_renew(test.run))
		watch_turn(test.watch);
}

static void take_record(void *state, const struct live_record *record)
{
	const struct event *event = record->event;

	watch_take_record(state, record);
	if (event && event->kind == EVENT_MARK && event->mark.text.length >= 4 &&
	    memcmp(event->mark.text.at, "tick", 4) == 0)
		tick(event->time);
}

/* Writes the ticks as marks; `turns`: with a new task behind each. */
static void schedule_append(struct buffer *to, const char *body, bool turns)
{
	unsigned newcomers = 0, time;

	buffer_puts(to, "unit ms\ncpus 4\n" TASKS "tasks");
	for (unsigned i = 0; i < NEWCOMERS; i++)
		buffer_printf(to, " Z%u=%u/new", i, 9000 + i);
	buffer_puts(to, "\n0/3 0 sched_switch 0:R > X\n");
	while (*body) {
		size_t length = strcspn(body, "\n");

		if (sscanf(body, "tick %u", &time) == 1) {
			buffer_printf(to, "%u/3 X print tick\n", time);
			if (turns)
				buffer_printf(to, "%u/3 X sched_process_fork X Z%u\n", time,
				              newcomers++);
		} else {
			buffer_append(to, body, length);
			buffer_putc(to, '\n');
		}
		body += length + (body[length] == '\n');
	}
	ck_assert_uint_le(newcomers, NEWCOMERS);
}

static struct source *schedule_open(const char *body, bool turns)
{
	struct source *source;
	struct buffer text, why;
	char path[32];
	int fd;

	buffer_init(&text, TEXT_BYTES);
	buffer_init(&why, 1024);
	schedule_append(&text, body, turns);
	ck_assert_msg(datfile_from_text(text.text, NULL, &fd, &why) == 0, "%s", why.text);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_msg(source_open(path, &source, &why) == 0, "%s", why.text);
	(void)close(fd);
	buffer_release(&text);
	buffer_release(&why);
	return source;
}

static void run(const char *body, bool turns)
{
	const struct watch_setup watch_setup = {
		.condition = test.condition,
		.condition_count = test.condition_count,
		.own = test.own,
		.own_count = test.own_count,
	};
	struct source *source = schedule_open(body, turns);
	struct live_run_setup setup = {
		.source = source,
		.on_span = watch_take_span,
		.on_record = take_record,
		.tracks_max = turns ? 1 : 0,
	};

	buffer_clear(&test.hits);
	buffer_puts(&test.hits, "");
	test.watch = watch_new(&watch_setup);
	setup.state = test.watch;
	test.run = live_run_new(&setup);
	watch_attach(test.watch, test.run, source);
	live_run_read(test.run);
	test.generations = live_run_counts(test.run).generations;
	test.lost = watch_hits_lost(test.watch);
	watch_free(test.watch);
	live_run_free(test.run);
	source_close(source);
}

static void assert_hits(const char *body, const char *hits)
{
	run(body, false);
	ck_assert_str_eq(test.hits.text, hits);
	ck_assert_uint_eq(test.generations, 0);
	run(body, true);
	ck_assert_str_eq(test.hits.text, hits);
	if (strstr(body, "tick") != strrchr(body, 't'))
		ck_assert_uint_gt(test.generations, 0);
}

/* A sleeps for a disk, from 10 to 300. */
static const char for_disk[] =
	"0/0 0 sched_switch 0:R > A\n"
	"0/1 0 sched_switch 0:R > B\n"
	"5/0 A block_rq_issue 254,0 100+8 R\n"
	"10/0 A sched_switch A:D > 0\n"
	"tick 100\n"
	"tick 200\n"
	"298/1 B[h] irq_handler_entry 30 virtio\n"
	"299/1 B[h] block_rq_complete 254,0 100+8 R\n"
	"300/1 B[h] sched_waking A\n"
	"301/1 B[h] irq_handler_exit 30\n"
	"302/0 0 sched_switch 0:R > A\n"
	"tick 400\n"
	"tick 500\n";

#define DISK "for disk 254,0"

START_TEST(wait_fires_at_its_end)
{
	look_for("wait>280ms");
	assert_hits(for_disk, "300: alpha[101] waited 290.000 ms " DISK "\n");
	ck_assert_int_eq(test.last.tid, 101);
	ck_assert_uint_eq(test.last.since, 10 * MS);
	ck_assert_uint_eq(test.last.at, 300 * MS);
	ck_assert_str_eq(test.last.comm, "alpha");
	ck_assert_ptr_eq(test.last.condition, &test.condition[0]);
}
END_TEST

START_TEST(shorter_wait_does_not_fire)
{
	look_for("wait>290ms");
	look_for("disk>290ms");
	look_for("open>190ms");
	look_for("hung>300ms");
	assert_hits(for_disk, "");
}
END_TEST

START_TEST(open_wait_fires_once)
{
	look_for("open>50ms");
	assert_hits(for_disk, "100: alpha[101] has waited 90.000 ms " DISK "\n");
}
END_TEST

START_TEST(open_wait_fires_when_it_is_long_enough)
{
	look_for("open>150ms");
	look_for("hung>180ms");
	assert_hits(for_disk, "200: alpha[101] has waited 190.000 ms " DISK "\n"
	                      "200: alpha[101] has waited 190.000 ms " DISK "\n");
}
END_TEST

START_TEST(disk_fires_while_open)
{
	look_for("disk>50ms");
	look_for("disk>150ms dev=254,0");
	assert_hits(for_disk, "100: alpha[101] has waited 90.000 ms " DISK "\n"
	                      "200: alpha[101] has waited 190.000 ms " DISK "\n");
}
END_TEST

/* A has written, which it need not wait for; B has queued a read long ago, which may have been
   merged into another; C asks for a lock after its read; none of their requests ends. */
static const char for_others[] =
	"0/0 0 sched_switch 0:R > A\n"
	"0/1 0 sched_switch 0:R > B\n"
	"0/2 0 sched_switch 0:R > C\n"
	"5/0 A block_rq_issue 254,0 100+8 W\n"
	"5/1 B block_bio_queue 254,0 200+8 R\n"
	"5/2 C block_rq_issue 254,0 300+8 R\n"
	"6/0 A sched_switch A:D > 0\n"
	"20/1 B sched_switch B:D > 0\n"
	"20/2 C contention_begin 0xd0000200 0x20\n"
	"21/2 C sched_switch C:D > 0\n"
	"tick 100\n"
	"tick 200\n"
	"tick 300\n"
	"tick 400\n";

START_TEST(open_waits_need_not_be_for_a_request)
{
	look_for("disk>50ms");
	look_for("open>50ms");
	assert_hits(for_others,
	            "100: alpha[101] has waited 94.000 ms (cause not recorded)\n"
	            "100: beta[102] has waited 80.000 ms (cause not recorded)\n"
	            "100: gamma[103] has waited 79.000 ms for lock\n");
}
END_TEST

START_TEST(disk_fires_at_its_end)
{
	look_for("disk>200ms dev=254,0");
	look_for("disk>200ms dev=254,1");
	look_for("lock>200ms");
	assert_hits(for_disk, "300: alpha[101] waited 290.000 ms " DISK "\n");
	ck_assert_ptr_eq(test.last.condition, &test.condition[0]);
}
END_TEST

/* A request that completes gives work to an idle worker, which did not wait for it. */
START_TEST(workers_do_not_wait_for_disks)
{
	look_for("disk>100ms");
	look_for("wait>100ms");
	look_for("wait>100ms comm=kthr");
	look_for("hung>100ms");
	assert_hits("0/0 0 sched_switch 0:R > K\n"
	            "0/1 0 sched_switch 0:R > B\n"
	            "5/1 B block_rq_issue 254,0 100+8 R\n"
	            "10/0 K sched_switch K:I > 0\n"
	            "tick 100\n"
	            "tick 200\n"
	            "298/1 B[h] irq_handler_entry 30 virtio\n"
	            "299/1 B[h] block_rq_complete 254,0 100+8 R\n"
	            "300/1 B[h] sched_waking K\n"
	            "301/1 B[h] irq_handler_exit 30\n"
	            "302/0 0 sched_switch 0:R > K\n"
	            "tick 400\n"
	            "tick 500\n",
	            "");
}
END_TEST

START_TEST(every_filter_must_match)
{
	static const char *const fits[] = {
		"wait>200ms comm=alpha",   "wait>200ms comm=al* kind=disk pid=101",
		"wait>200ms dev=254,*",    "wait>200ms name=254,0 kind=disk",
	};
	static const char *const fails[] = {
		"wait>200ms comm=beta",    "wait>200ms comm=al* kind=lock pid=101",
		"wait>200ms dev=vda",      "wait>200ms name=254,1 kind=disk",
		"wait>200ms pid=102",      "wait>200ms cgroup=/a",
		"wait>200ms kind=unknown",
	};

	for (size_t i = 0; i < ARRAY_SIZE(fits); i++)
		look_for(fits[i]);
	for (size_t i = 0; i < ARRAY_SIZE(fails); i++)
		look_for(fails[i]);
	assert_hits(for_disk, "300: alpha[101] waited 290.000 ms " DISK "\n"
	                      "300: alpha[101] waited 290.000 ms " DISK "\n"
	                      "300: alpha[101] waited 290.000 ms " DISK "\n"
	                      "300: alpha[101] waited 290.000 ms " DISK "\n");
	ck_assert_ptr_eq(test.last.condition, &test.condition[3]);
}
END_TEST

START_TEST(own_tasks_are_ignored)
{
	look_for("wait>200ms");
	look_for("open>1ms");
	test.own[test.own_count++] = 101;
	assert_hits(for_disk, "");
}
END_TEST

/* A asks for a lock that B holds, and gets it at 300. */
static const char for_lock[] =
	"0/0 0 sched_switch 0:R > A\n"
	"0/1 0 sched_switch 0:R > B\n"
	"10/0 A contention_begin 0xd0000200 0x20\n"
	"11/0 A sched_switch A:D > 0\n"
	"tick 100\n"
	"tick 200\n"
	"300/1 B sched_waking A\n"
	"302/0 0 sched_switch 0:R > A\n"
	"303/0 A contention_end 0xd0000200 0\n"
	"tick 400\n"
	"tick 500\n";

START_TEST(lock_fires_while_open)
{
	look_for("lock>100ms");
	look_for("open>100ms kind=lock");
	look_for("wait>100ms kind=lock");
	look_for("lock>100ms name=rwsem");
	look_for("disk>100ms");
	assert_hits(for_lock,
	            "200: alpha[101] has waited 189.000 ms for lock\n"
	            "200: alpha[101] has waited 189.000 ms for lock\n"
	            "300: alpha[101] waited 289.000 ms for lock, behind beta[102]\n");
	ck_assert_ptr_eq(test.last.condition, &test.condition[2]);
}
END_TEST

START_TEST(lock_fires_at_its_end)
{
	look_for("lock>200ms");
	assert_hits(for_lock,
	            "300: alpha[101] waited 289.000 ms for lock, behind beta[102]\n");
}
END_TEST

/* B has a lock of a file, whose path is not known, and A gets it after it. */
static const char for_flock[] =
	"0/0 0 sched_switch 0:R > A\n"
	"0/1 0 sched_switch 0:R > B\n"
	"5/1 B flock_lock_inode 254,1 79 1 0\n"
	"10/0 A flock_lock_inode 254,1 79 1 1\n"
	"11/0 A sched_switch A:S > 0\n"
	"12/0 0 sched_blocked_reason A 0 place_of_no_purpose\n"
	"tick 100\n"
	"tick 200\n"
	"300/1 B sched_waking A\n"
	"301/1 B flock_lock_inode 254,1 79 2 0\n"
	"302/0 0 sched_switch 0:R > A\n"
	"303/0 A flock_lock_inode 254,1 79 1 0\n"
	"tick 400\n"
	"tick 500\n";

START_TEST(file_lock_fires_without_its_path)
{
	look_for("lock>100ms");
	look_for("lock>200ms");
	look_for("hung>150ms");
	look_for("open>100ms");
	assert_hits(for_flock,
	            "200: alpha[101] has waited 189.000 ms for lock flock of a file, "
	            "behind beta[102]\n"
	            "200: alpha[101] has waited 189.000 ms for lock flock of a file, "
	            "behind beta[102]\n"
	            "200: alpha[101] has waited 189.000 ms for lock flock of a file, "
	            "behind beta[102]\n"
	            "300: alpha[101] waited 289.000 ms "
	            "(for a flock of a file), behind beta[102]\n");
}
END_TEST

/* A sleeps for a time that it chose; B for A; kernel thread K without work; C in S for a lock. */
static const char sleeps[] =
	"state K S\n"
	"0/0 0 sched_switch 0:R > A\n"
	"1/1 0 sched_switch 0:R > B\n"
	"2/2 0 sched_switch 0:R > C\n"
	"10/0 A hrtimer_start T1 hrtimer_wakeup\n"
	"11/0 A sched_switch A:S > 0\n"
	"12/1 B sched_switch B:S > 0\n"
	"13/2 C contention_begin 0xd0000200 0x20\n"
	"14/2 C sched_switch C:S > 0\n"
	"tick 100\n"
	"tick 200\n"
	"tick 300\n"
	"310/0 0[h] hrtimer_expire_entry T1 hrtimer_wakeup\n"
	"310/0 0[h] sched_waking A\n"
	"310/0 0[h] hrtimer_expire_exit T1\n"
	"311/0 0 sched_switch 0:R > A\n"
	"320/0 A sched_waking B\n"
	"321/1 0 sched_switch 0:R > B\n"
	"322/1 B sched_waking C\n"
	"323/2 0 sched_switch 0:R > C\n"
	"324/2 C contention_end 0xd0000200 0\n"
	"tick 400\n";

#define CHOSEN "310: alpha[101] waited 299.000 ms for timer hrtimer_wakeup\n"
#define BEHIND "320: beta[102] waited 308.000 ms, behind alpha[101]\n"
#define LOCKED "322: gamma[103] waited 308.000 ms for lock, behind beta[102]\n"

/* A and B pass a turn to each other: each sleeps at the futex until the other one wakes it. */
#define TURNS(op, value) \
	"0/0 0 sched_switch 0:R > A\n" \
	"0/1 0 sched_switch 0:R > B\n" \
	"9/0 A sys_enter_futex 0x7f001000 " op " " value "\n" \
	"10/0 A sched_switch A:S > 0\n" \
	"20/1 B sys_enter_futex 0x7f001000 0x81 1\n" \
	"21/1 B sched_waking A\n" \
	"22/1 B sys_exit_futex 1\n" \
	"23/0 0 sched_switch 0:R > A\n" \
	"24/0 A sys_exit_futex 0\n" \
	"25/1 B sys_enter_futex 0x7f001000 " op " " value "\n" \
	"26/1 B sched_switch B:S > 0\n" \
	"40/0 A sys_enter_futex 0x7f001000 0x81 1\n" \
	"41/0 A sched_waking B\n" \
	"42/0 A sys_exit_futex 1\n" \
	"43/1 0 sched_switch 0:R > B\n" \
	"44/1 B sys_exit_futex 0\n" \
	"50/0 A sys_enter_futex 0x7f001000 " op " " value "\n" \
	"51/0 A sched_switch A:S > 0\n" \
	"tick 100\n" \
	"tick 200\n" \
	"299/1 B sys_enter_futex 0x7f001000 0x81 1\n" \
	"300/1 B sched_waking A\n" \
	"301/1 B sys_exit_futex 1\n" \
	"302/0 0 sched_switch 0:R > A\n" \
	"303/0 A sys_exit_futex 0\n" \
	"tick 400\n" \
	"tick 500\n"

/* A condition that two tasks signal to each other is no lock, though its waker has slept there. */
START_TEST(futexes_of_turns_are_no_locks)
{
	look_for("lock>100ms");
	look_for("wait>100ms");
	look_for("open>100ms");
	look_for("hung>100ms");
	assert_hits(TURNS("0x189", "0"), "");
	assert_hits(TURNS("0x80", "0"), "");
}
END_TEST

/* The value 2 is that of a locked mutex with sleepers: what the wait is for is known while it
   lasts. */
START_TEST(futex_fires_as_lock)
{
	look_for("lock>100ms");
	assert_hits(TURNS("0x80", "2"),
	            "200: alpha[101] has waited 149.000 ms (futex), for lock\n");
}
END_TEST

START_TEST(sleeps_that_hold_nothing_up_do_not_fire)
{
	look_for("wait>100ms");
	assert_hits(sleeps, LOCKED);
}
END_TEST

START_TEST(open_sleeps_need_a_known_cause)
{
	look_for("open>50ms");
	assert_hits(sleeps, "100: gamma[103] has waited 86.000 ms for lock\n");
}
END_TEST

START_TEST(sleeps_in_s_fire_for_a_named_task)
{
	look_for("wait>100ms comm=alpha");
	look_for("wait>100ms comm=beta");
	look_for("open>150ms pid=102");
	assert_hits(sleeps, "200: beta[102] has waited 188.000 ms (cause not recorded)\n" BEHIND);
}
END_TEST

/* What ended the wait of A is lost, and so may be other waits in between. */
static const char across_a_loss[] =
	"0/0 0 sched_switch 0:R > A\n"
	"0/1 0 sched_switch 0:R > B\n"
	"10/0 A sched_switch A:D > 0\n"
	"tick 100\n"
	"lost 0 5\n"
	"600/0 0 sched_switch 0:R > A\n"
	"601/0 A sched_switch A:D > 0\n"
	"tick 700\n"
	"750/1 B sched_waking A\n"
	"751/0 0 sched_switch 0:R > A\n"
	"tick 1000\n";

START_TEST(wait_across_a_loss_is_doubtful)
{
	look_for("wait>100ms");
	look_for("open>100ms comm=alpha");
	assert_hits(across_a_loss,
	            "600: alpha[101] waited 590.000 ms (cause not recorded); events were lost, so it may "
	            "have been shorter\n"
	            "750: alpha[101] waited 149.000 ms, behind beta[102]\n");
}
END_TEST

/* A sleeps for a time that it asked for: nothing holds it up, also while that goes on. */
static const char nanosleep_of_a[] =
	"0/0 0 sched_switch 0:R > A\n"
	"10/0 A hrtimer_start T1 hrtimer_wakeup 910000000 softexpires=910000000 mode=1\n"
	"11/0 A sched_switch A:S > 0\n"
	"tick 100\n"
	"tick 200\n"
	"tick 300\n"
	"tick 400\n"
	"tick 500\n"
	"tick 600\n"
	"910/0 0[h] hrtimer_expire_entry T1 hrtimer_wakeup\n"
	"910/0 0[h] sched_waking A\n"
	"910/0 0[h] hrtimer_expire_exit T1\n"
	"tick 1000\n";

START_TEST(chosen_sleeps_do_not_fire_while_open)
{
	look_for("open>50ms comm=alpha");
	look_for("wait>50ms comm=alpha");
	assert_hits(nanosleep_of_a, "");
}
END_TEST

START_TEST(idle_sleeps_fire_for_a_named_cause)
{
	look_for("wait>100ms kind=timer");
	look_for("wait>100ms name=alpha");
	look_for("wait>100ms name=hrtimer_*");
	assert_hits(sleeps, CHOSEN CHOSEN BEHIND);
}
END_TEST

/* A is in the queue of CPU 0 from 10 to 150, then in that of CPU 1 to 350. B has the CPUs. */
static const char delays[] =
	"0/0 0 sched_switch 0:R > A\n"
	"0/1 0 sched_switch 0:R > C\n"
	"10/0 A sched_switch A:R > B\n"
	"tick 100\n"
	"150/1 C sched_migrate_task A 1\n"
	"tick 200\n"
	"tick 300\n"
	"350/1 C sched_switch C:S > A\n"
	"360/1 A sched_switch A:R > 0\n"
	"370/1 0 sched_switch 0:R > A\n"
	"tick 400\n"
	"tick 500\n";

START_TEST(delay_fires_at_its_end)
{
	look_for("delay>330ms");
	look_for("delay>340ms");
	look_for("wait>1ms");
	assert_hits(delays, "350: alpha[101] was queued 340.000 ms\n");
	ck_assert_uint_eq(test.last.since, 10 * MS);
}
END_TEST

START_TEST(delay_fires_while_open_and_not_at_its_end)
{
	look_for("delay>150ms comm=alpha");
	look_for("delay>150ms comm=beta");
	look_for("delay>250ms pid=101");
	assert_hits(delays, "200: alpha[101] has been queued for 190.000 ms\n"
	                    "300: alpha[101] has been queued for 290.000 ms\n");
}
END_TEST

/* Two delays of one task within a tick are two. */
START_TEST(delays_are_told_apart)
{
	look_for("delay>5ms");
	assert_hits("0/0 0 sched_switch 0:R > A\n"
	            "10/0 A sched_switch A:R > B\n"
	            "20/0 B sched_switch B:S > A\n"
	            "30/0 A sched_switch A:R > C\n"
	            "37/0 C sched_switch C:S > A\n"
	            "tick 100\n"
	            "tick 200\n"
	            "tick 300\n",
	            "20: alpha[101] was queued 10.000 ms\n"
	            "37: alpha[101] was queued 7.000 ms\n");
}
END_TEST

/* The wait began before the trace, so its length is not known. */
START_TEST(older_waits_are_longer)
{
	look_for("open>50ms");
	look_for("wait>50ms comm=alpha");
	assert_hits("state A D\n"
	            "tick 0\n"
	            "tick 100\n"
	            "tick 200\n"
	            "tick 300\n"
	            "310/1 0 sched_waking A\n"
	            "tick 400\n",
	            "100: alpha[101] has waited more than 100.000 ms (cause not recorded)\n"
	            "310: alpha[101] waited more than 310.000 ms (woken from idle, cause not recorded)\n");
}
END_TEST

START_TEST(marks_fire)
{
	look_for("mark=late");
	look_for("mark=\"frame late\" comm=alpha");
	look_for("mark=late comm=beta");
	look_for("mark=later");
	assert_hits("0/0 0 sched_switch 0:R > A\n"
	            "10/0 A print the frame late by 3\n"
	            "20/0 A print late\n"
	            "30/0 A print lat e\n"
	            "tick 100\n"
	            "tick 200\n"
	            "tick 300\n"
	            "310/0 A print late again\n"
	            "tick 400\n",
	            "10: mark \"the frame late by 3\" by alpha[101]\n"
	            "10: mark \"the frame late by 3\" by alpha[101]\n"
	            "20: mark \"late\" by alpha[101]\n"
	            "310: mark \"late again\" by alpha[101]\n");
	test.own[test.own_count++] = 101;
	assert_hits("0/0 0 sched_switch 0:R > A\n"
	            "10/0 A print late\n"
	            "tick 100\n",
	            "");
}
END_TEST

START_TEST(ends_of_tasks_fire)
{
	look_for("exit=al*");
	look_for("exit=* pid=102");
	look_for("exit=gamma");
	assert_hits("0/0 0 sched_switch 0:R > A\n"
	            "0/1 0 sched_switch 0:R > B\n"
	            "10/0 A sched_process_exit A\n"
	            "20/0 A sched_switch A:X > 0\n"
	            "tick 100\n"
	            "tick 200\n"
	            "tick 300\n"
	            "310/1 B sched_process_exit B\n"
	            "320/1 B sched_switch B:X > 0\n"
	            "tick 400\n",
	            "10: alpha[101] exited\n"
	            "310: beta[102] exited\n");
	ck_assert_int_eq(test.last.tid, 102);
}
END_TEST

/* Five within a second twice, but those of the first hit do not count again. */
START_TEST(retransmissions_fire)
{
#define SENT "[s] tcp_retransmit_skb sk1 10.0.0.1:51000 10.0.0.2:80\n"
	look_for("retransmit>2/s");
	look_for("retransmit>4/s");
	look_for("retransmit>5/s");
	assert_hits("0/0 0 sched_switch 0:R > A\n"
	            "10/0 A" SENT
	            "600/0 A" SENT
	            "tick 700\n"
	            "1011/0 A" SENT
	            "1100/0 A" SENT
	            "tick 1200\n"
	            "1300/0 A" SENT
	            "1600/0 A" SENT
	            "tick 1700\n"
	            "tick 1800\n"
	            "1850/0 A" SENT
	            "tick 1900\n",
	            "1100: 3 TCP retransmissions in 500.000 ms\n"
	            "1600: 5 TCP retransmissions in 1.000 s\n"
	            "1850: 3 TCP retransmissions in 550.000 ms\n");
	ck_assert_int_eq(test.last.tid, -1);
	ck_assert_uint_eq(test.last.since, 1300 * MS);
}
END_TEST

/* Interrupts are of no task. */
START_TEST(events_fire)
{
	look_for("event:irq:irq_handler_entry");
	look_for("event:irq:irq_handler_entry pid=101");
	look_for("event:timer:hrtimer_start comm=alpha");
	look_for("event:timer:hrtimer_start comm=beta");
	look_for("event:not:there");
	assert_hits("0/0 0 sched_switch 0:R > A\n"
	            "10/0 A hrtimer_start T1 hrtimer_wakeup\n"
	            "20/0 A[h] irq_handler_entry 30 virtio\n"
	            "21/0 A[h] irq_handler_exit 30\n"
	            "tick 100\n"
	            "tick 200\n"
	            "tick 300\n"
	            "310/0 A hrtimer_start T1 hrtimer_wakeup\n"
	            "320/0 A sched_switch A:S > 0\n"
	            "330/0 0 hrtimer_start T2 hrtimer_wakeup\n"
	            "tick 400\n",
	            "10: event timer:hrtimer_start by alpha[101]\n"
	            "20: event irq:irq_handler_entry in an interrupt on CPU 0\n"
	            "310: event timer:hrtimer_start by alpha[101]\n");
}
END_TEST

START_TEST(hits_are_limited)
{
	struct buffer body;

	buffer_init(&body, TEXT_BYTES);
	buffer_puts(&body, "0/0 0 sched_switch 0:R > A\n");
	for (unsigned i = 0; i < HITS_MAX + 3; i++)
		buffer_printf(&body, "%u/0 A print late %u\n", 1 + i / 4, i);
	buffer_puts(&body, "tick 500\n");
	look_for("mark=late");
	run(body.text, false);
	ck_assert_ptr_nonnull(strstr(test.hits.text, "1: mark \"late 0\" by alpha[101]\n1: mark"));
	ck_assert_ptr_nonnull(strstr(test.hits.text, "64: mark \"late 255\" by alpha[101]\n"));
	ck_assert_ptr_null(strstr(test.hits.text, "late 256"));
	ck_assert_uint_eq(test.lost, 3);
	buffer_release(&body);
}
END_TEST

START_TEST(groups_are_matched)
{
	look_for("open>50ms cgroup=db.service");
	look_for("open>50ms cgroup=web.service");
	assert_hits("hierarchies 0\n"
	            "cgroup 0 0 /system.slice/db.service\n"
	            "process A 1 0\n"
	            "0/0 0 sched_switch 0:R > A\n"
	            "10/0 A sched_switch A:D > 0\n"
	            "tick 100\n"
	            "tick 200\n"
	            "tick 300\n",
	            "100: alpha[101] has waited 90.000 ms (cause not recorded)\n");
}
END_TEST

/* Bytes that a terminal might obey are no part of a hit. */
START_TEST(texts_are_clean_and_cut)
{
	struct buffer body;

	buffer_init(&body, TEXT_BYTES);
	buffer_puts(&body, "0/0 0 sched_switch 0:R > A\n10/0 A print late \033[2J");
	for (unsigned i = 0; i < 300; i++)
		buffer_puts(&body, "\xe2\x82\xac");
	buffer_puts(&body, "\ntick 100\n");
	look_for("mark=late");
	run(body.text, false);
	ck_assert_ptr_nonnull(strstr(test.hits.text, "late \\x1b[2J\xe2\x82\xac"));
	ck_assert_ptr_nonnull(strstr(test.hits.text, "..."));
	ck_assert_ptr_null(strchr(test.hits.text, '\033'));
	ck_assert_uint_lt(strlen(test.last.text), HIT_TEXT_BYTES);
	buffer_release(&body);
}
END_TEST

Suite *watch_suite(void)
{
	Suite *suite = suite_create("watch");
	TCase *tcase = tcase_create("watch");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, wait_fires_at_its_end);
	tcase_add_test(tcase, shorter_wait_does_not_fire);
	tcase_add_test(tcase, open_wait_fires_once);
	tcase_add_test(tcase, open_wait_fires_when_it_is_long_enough);
	tcase_add_test(tcase, disk_fires_while_open);
	tcase_add_test(tcase, open_waits_need_not_be_for_a_request);
	tcase_add_test(tcase, disk_fires_at_its_end);
	tcase_add_test(tcase, workers_do_not_wait_for_disks);
	tcase_add_test(tcase, every_filter_must_match);
	tcase_add_test(tcase, own_tasks_are_ignored);
	tcase_add_test(tcase, lock_fires_while_open);
	tcase_add_test(tcase, lock_fires_at_its_end);
	tcase_add_test(tcase, file_lock_fires_without_its_path);
	tcase_add_test(tcase, futexes_of_turns_are_no_locks);
	tcase_add_test(tcase, futex_fires_as_lock);
	tcase_add_test(tcase, sleeps_that_hold_nothing_up_do_not_fire);
	tcase_add_test(tcase, open_sleeps_need_a_known_cause);
	tcase_add_test(tcase, sleeps_in_s_fire_for_a_named_task);
	tcase_add_test(tcase, wait_across_a_loss_is_doubtful);
	tcase_add_test(tcase, chosen_sleeps_do_not_fire_while_open);
	tcase_add_test(tcase, idle_sleeps_fire_for_a_named_cause);
	tcase_add_test(tcase, delay_fires_at_its_end);
	tcase_add_test(tcase, delay_fires_while_open_and_not_at_its_end);
	tcase_add_test(tcase, delays_are_told_apart);
	tcase_add_test(tcase, older_waits_are_longer);
	tcase_add_test(tcase, marks_fire);
	tcase_add_test(tcase, ends_of_tasks_fire);
	tcase_add_test(tcase, retransmissions_fire);
	tcase_add_test(tcase, events_fire);
	tcase_add_test(tcase, hits_are_limited);
	tcase_add_test(tcase, groups_are_matched);
	tcase_add_test(tcase, texts_are_clean_and_cut);
	suite_add_tcase(suite, tcase);
	return suite;
}
