/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/data/array.h"
#include "recorder/machine/task_snapshot.h"
#include "recorder/machine/text_file.h"
#include "suites.h"

static struct peek peek;

#define STATUS(name, state, pid, parent, more)                                                     \
	"Name:\t" name "\nUmask:\t0022\nState:\t" state "\nTgid:\t" pid "\nNgid:\t0\nPid:\t" pid   \
	"\nPPid:\t" parent "\nTracerPid:\t0\n" more
#define MEMORY(threads) "VmPeak:\t  2444 kB\nVmSize:\t  2444 kB\nThreads:\t" threads "\n"

START_TEST(stat_is_read_as_tracepoints_name_tasks)
{
	static const struct {
		const char *text;
		struct task_stat stat;
	} cases[] = {
		{STATUS("init", "S (sleeping)", "1", "0", MEMORY("1")),
		 {1, 'S', 0, false, "init", 1}},
		{STATUS("kthreadd", "S (sleeping)", "2", "0", "Threads:\t1\nKthread:\t1\n"),
		 {2, 'S', 0, true, "kthreadd", 1}},
		/* a name may hold anything; a newline and a backslash are escaped */
		{STATUS("a) R (b)", "D (disk sleep)", "7", "1", MEMORY("37")),
		 {7, 'D', 1, false, "a) R (b)", 37}},
		{STATUS("a\\nState:\tZ", "R (running)", "8", "1", MEMORY("1")),
		 {8, 'R', 1, false, "a?State:\tZ", 1}},
		{STATUS("a\\\\b", "R (running)", "8", "1", MEMORY("1")),
		 {8, 'R', 1, false, "a\\b", 1}},
		{STATUS("", "R (running)", "9", "1", MEMORY("1")), {9, 'R', 1, false, "", 1}},
		/* what /proc adds to a worker's name is not in the events; kernels before 6.8 do
		   not say what a kernel thread is */
		{STATUS("kworker/0:1H-kblockd", "I (idle)", "10", "2", "Threads:\t1\n"),
		 {10, 'I', 2, true, "kworker/0:1H", 1}},
		{STATUS("kworker/u8:2+flush-254:0", "I (idle)", "11", "2", "Kthread:\t1\n"),
		 {11, 'I', 2, true, "kworker/u8:2", 0}},
		{STATUS("kworker/R-kblockd", "I (idle)", "12", "2", ""),
		 {12, 'I', 2, true, "kworker/R-kbloc", 0}},
		{STATUS("systemd-network-daemon", "S (sleeping)", "13", "1", MEMORY("1")),
		 {13, 'S', 1, false, "systemd-network", 1}},
		/* an ending program, and one that a kernel thread started */
		{STATUS("ends", "Z (zombie)", "14", "1", "Threads:\t1\n"),
		 {14, 'Z', 1, false, "ends", 1}},
		{STATUS("modprobe", "S (sleeping)", "15", "2", MEMORY("1")),
		 {15, 'S', 2, false, "modprobe", 1}},
		{STATUS("modprobe", "Z (zombie)", "15", "2", "Kthread:\t0\n"),
		 {15, 'Z', 2, false, "modprobe", 0}},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct task_stat stat;

		ck_assert_int_eq(task_stat_parse(cases[i].text, &stat), 0);
		ck_assert_int_eq(stat.tid, cases[i].stat.tid);
		ck_assert_int_eq(stat.state, cases[i].stat.state);
		ck_assert_int_eq(stat.parent, cases[i].stat.parent);
		ck_assert_int_eq(stat.is_kernel, cases[i].stat.is_kernel);
		ck_assert_str_eq(stat.comm, cases[i].stat.comm);
		ck_assert_int_eq(stat.thread_count, cases[i].stat.thread_count);
	}
}
END_TEST

START_TEST(stat_that_is_none_is_refused)
{
	static const char *const texts[] = {
		"",
		"1",
		"Name:\ta\n",
		"Name:\ta\nState:\tS\nPid:\t1\n",
		"Name:\ta\nState:\tS\nPPid:\t1\n",
		"Name:\ta\nPid:\t2\nPPid:\t1\n",
		"State:\tS\nPid:\t2\nPPid:\t1\n",
		"Name:\ta\nState:\t1\nPid:\t2\nPPid:\t1\n",
		"Name:\ta\nState:\tS\nPid:\tx\nPPid:\t1\n",
		"Name:\ta State:\tS Pid:\t2 PPid:\t1\n",
	};
	struct task_stat stat;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		ck_assert_int_eq(task_stat_parse(texts[i], &stat), -EINVAL);
}
END_TEST

START_TEST(a_task_is_reported_once)
{
	struct task_snapshot snapshot;
	struct buffer tasks, cmdlines;
	char line[64];

	peek_init(&peek, PEEK_PATIENCE_NS);
	task_snapshot_init(&snapshot, &peek);
	buffer_init(&tasks, BUFFER_LIMIT_DEFAULT);
	buffer_init(&cmdlines, BUFFER_LIMIT_DEFAULT);
	ck_assert_int_eq(task_snapshot_take(&snapshot, SNAPSHOT_BEFORE, &tasks, &cmdlines), 0);
	(void)snprintf(line, sizeof(line), "task %d %d R - ", (int)getpid(), (int)getpid());
	ck_assert_ptr_nonnull(strstr(tasks.text, line));
	(void)snprintf(line, sizeof(line), "%d ", (int)getpid());
	ck_assert_ptr_nonnull(strstr(cmdlines.text, line));
	(void)snprintf(line, sizeof(line), "process %d %d ", (int)getpid(), (int)getppid());
	ck_assert_ptr_nonnull(strstr(tasks.text, line));
	buffer_clear(&tasks);
	ck_assert_int_eq(task_snapshot_take(&snapshot, SNAPSHOT_END, &tasks, &cmdlines), 0);
	(void)snprintf(line, sizeof(line), "task %d ", (int)getpid());
	ck_assert_ptr_null(strstr(tasks.text, line));
	buffer_release(&tasks);
	buffer_release(&cmdlines);
	task_snapshot_release(&snapshot);
	peek_release(&peek);
}
END_TEST

static uint64_t monotonic_now(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Each process's own: the last one before its lines. */
START_TEST(a_snapshot_has_its_time)
{
	uint64_t begin = monotonic_now(), end, is_read, before = begin;
	struct task_snapshot snapshot;
	struct buffer tasks, cmdlines;
	char *at, task[64];

	peek_init(&peek, PEEK_PATIENCE_NS);
	task_snapshot_init(&snapshot, &peek);
	buffer_init(&tasks, BUFFER_LIMIT_DEFAULT);
	buffer_init(&cmdlines, BUFFER_LIMIT_DEFAULT);
	ck_assert_int_eq(task_snapshot_take(&snapshot, SNAPSHOT_BEGIN, &tasks, &cmdlines), 0);
	end = monotonic_now();
	ck_assert_int_eq(strncmp(tasks.text, "read ", 5), 0);
	for (at = tasks.text; at && sscanf(at, "read %" SCNu64, &is_read) == 1;
	     at = at ? at + 1 : NULL) {
		ck_assert_uint_ge(is_read, before);
		ck_assert_uint_le(is_read, end);
		before = is_read;
		ck_assert_int_eq(strncmp(strchr(at, '\n') + 1, "task ", 5), 0);
		at = strstr(at, "\nread ");
	}
	(void)snprintf(task, sizeof(task), "task %d %d R - ", (int)getpid(), (int)getpid());
	ck_assert_ptr_nonnull(strstr(tasks.text, task));
	buffer_release(&tasks);
	buffer_release(&cmdlines);
	task_snapshot_release(&snapshot);
	peek_release(&peek);
}
END_TEST

/* The parent of a vfork is in D until its child ends. */
static pid_t task_in_d_start(void)
{
	pid_t parent = fork();

	ck_assert_int_ge(parent, 0);
	if (parent == 0) {
		(void)setpgid(0, 0);
		if (vfork() == 0) {
			(void)pause();
			_exit(0);
		}
		_exit(0);
	}
	return parent;
}

static bool task_is_in(pid_t tid, char state)
{
	struct task_stat stat = {0};
	struct buffer text;
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	buffer_init(&text, 4096);
	ck_assert_int_eq(text_file_read(path, &text), 0);
	ck_assert_int_eq(task_stat_parse(text.text, &stat), 0);
	buffer_release(&text);
	return stat.state == state;
}

START_TEST(who_stays_in_d_is_reported_again)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	pid_t hung = task_in_d_start();
	struct task_snapshot snapshot;
	struct buffer tasks, cmdlines;
	char line[64];

	while (!task_is_in(hung, 'D'))
		(void)nanosleep(&nap, NULL);
	peek_init(&peek, PEEK_PATIENCE_NS);
	task_snapshot_init(&snapshot, &peek);
	buffer_init(&tasks, BUFFER_LIMIT_DEFAULT);
	buffer_init(&cmdlines, BUFFER_LIMIT_DEFAULT);
	(void)snprintf(line, sizeof(line), "still %d\n", (int)hung);
	ck_assert_int_eq(task_snapshot_take(&snapshot, SNAPSHOT_BEFORE, &tasks, &cmdlines), 0);
	ck_assert_ptr_null(strstr(tasks.text, line));
	ck_assert_int_eq(task_snapshot_take(&snapshot, SNAPSHOT_END, &tasks, &cmdlines), 0);
	ck_assert_ptr_nonnull(strstr(tasks.text, line));
	(void)kill(-hung, SIGKILL);
	(void)waitpid(hung, NULL, 0);
	buffer_clear(&tasks);
	ck_assert_int_eq(task_snapshot_take(&snapshot, SNAPSHOT_END, &tasks, &cmdlines), 0);
	ck_assert_ptr_null(strstr(tasks.text, line));
	buffer_release(&tasks);
	buffer_release(&cmdlines);
	task_snapshot_release(&snapshot);
	peek_release(&peek);
}
END_TEST

START_TEST(a_stack_is_known_by_its_functions)
{
	static const struct {
		const char *text, *functions;
	} cases[] = {
		{"", ""},
		{"[<0>] ep_poll+0x31/0x3b0\n[<0>] do_epoll_wait+0xc/0xd\n", "ep_poll;do_epoll_wait"},
		{"[<ffffffff81023456>] ext4_sync+0x1/0x2 [ext4]\n[<ffffffffffffffff>] 0xffffffffffffffff\n",
		 "ext4_sync"},
		{"[<0>] pause", "pause"},
		{"nonsense\n\n[<0>]\n[<0>] \n", ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buffer functions;

		buffer_init(&functions, 1000);
		task_stack_append(cases[i].text, &functions);
		ck_assert_str_eq(functions.text, cases[i].functions);
		buffer_release(&functions);
	}
}
END_TEST

/* The place of one that was asked for, where the kernel tells it, and of nobody else in S. */
START_TEST(who_is_asked_for_has_a_place)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	pid_t sleeper = fork();
	int32_t asked = sleeper;
	struct task_snapshot snapshot;
	struct buffer tasks, cmdlines;
	char line[64];

	ck_assert_int_ge(sleeper, 0);
	if (sleeper == 0) {
		(void)pause();
		_exit(0);
	}
	while (!task_is_in(sleeper, 'S'))
		(void)nanosleep(&nap, NULL);
	peek_init(&peek, PEEK_PATIENCE_NS);
	task_snapshot_init(&snapshot, &peek);
	snapshot.asked = &asked;
	snapshot.asked_count = 1;
	buffer_init(&tasks, BUFFER_LIMIT_DEFAULT);
	buffer_init(&cmdlines, BUFFER_LIMIT_DEFAULT);
	ck_assert_int_eq(task_snapshot_take(&snapshot, SNAPSHOT_BEFORE, &tasks, &cmdlines), 0);
	/* where this runs in emulation the sleeper has another thread */
	for (const char *at = tasks.text; (at = strstr(at, "\nplace ")); at++) {
		(void)snprintf(line, sizeof(line), "\ntask %ld %d ",
		               strtol(at + strlen("\nplace "), NULL, 10), (int)sleeper);
		ck_assert(strstr(tasks.text, line) || strstr(tasks.text, " D "));
	}
	buffer_clear(&tasks);
	ck_assert_int_eq(task_snapshot_take(&snapshot, SNAPSHOT_END, &tasks, &cmdlines), 0);
	(void)snprintf(line, sizeof(line), "still %d\n", (int)sleeper);
	ck_assert_ptr_nonnull(strstr(tasks.text, line));
	(void)kill(sleeper, SIGKILL);
	(void)waitpid(sleeper, NULL, 0);
	buffer_release(&tasks);
	buffer_release(&cmdlines);
	task_snapshot_release(&snapshot);
	peek_release(&peek);
}
END_TEST

START_TEST(a_task_that_nobody_has_reaped_is_gone)
{
	pid_t task = fork();
	siginfo_t end;

	if (task == 0)
		_exit(0);
	ck_assert(!task_is_gone(getpid()));
	ck_assert_int_eq(waitid(P_PID, (id_t)task, &end, WEXITED | WNOWAIT), 0);
	ck_assert(task_is_gone(task));
	ck_assert_int_eq(waitpid(task, NULL, 0), task);
	ck_assert(task_is_gone(task));
}
END_TEST

static void *thread_run(void *state)
{
	(void)state;
	(void)poll(NULL, 0, 10000);
	return NULL;
}

START_TEST(a_process_lives_in_its_other_threads)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	pid_t process = fork();
	pthread_t thread;

	if (process == 0) {
		ck_assert_int_eq(pthread_create(&thread, NULL, thread_run, NULL), 0);
		pthread_exit(NULL);
	}
	while (!task_is_in(process, 'Z'))
		(void)nanosleep(&nap, NULL);
	ck_assert(!task_is_gone(process));
	(void)kill(process, SIGKILL);
	(void)waitpid(process, NULL, 0);
}
END_TEST

static void *gated_run(void *gate)
{
	char byte;

	(void)!read(*(int *)gate, &byte, 1);
	return NULL;
}

static unsigned count_lines(const struct buffer *text, const char *word)
{
	unsigned count = 0;

	for (const char *line = text->text; (line = strstr(line, word)); line++)
		count += line == text->text || line[-1] == '\n';
	return count;
}

/* Of processes that are known: one that had no thread but its first, and one that had two. */
START_TEST(the_end_has_new_threads)
{
	struct task_snapshot snapshot;
	struct buffer tasks, cmdlines;
	pthread_t thread[2];
	int gate[2];
	char line[64];

	ck_assert_int_eq(pipe(gate), 0);
	peek_init(&peek, PEEK_PATIENCE_NS);
	task_snapshot_init(&snapshot, &peek);
	buffer_init(&tasks, BUFFER_LIMIT_DEFAULT);
	buffer_init(&cmdlines, BUFFER_LIMIT_DEFAULT);
	ck_assert_int_eq(task_snapshot_take(&snapshot, SNAPSHOT_BEFORE, &tasks, &cmdlines), 0);
	for (unsigned i = 0; i < 2; i++) {
		char *task;
		int tid;

		ck_assert_int_eq(pthread_create(&thread[i], NULL, gated_run, &gate[0]), 0);
		buffer_clear(&tasks);
		buffer_clear(&cmdlines);
		ck_assert_int_eq(task_snapshot_take(&snapshot, SNAPSHOT_END, &tasks, &cmdlines), 0);
		(void)snprintf(line, sizeof(line), " %d - - ", (int)getpid());
		task = strstr(tasks.text, line);
		ck_assert_ptr_nonnull(task);
		while (task > tasks.text && task[-1] != '\n')
			task--;
		ck_assert_int_eq(sscanf(task, "task %d ", &tid), 1);
		ck_assert_int_ne(tid, getpid());
		(void)snprintf(line, sizeof(line), "%d ", tid);
		ck_assert_uint_eq(count_lines(&cmdlines, line), 1);
	}
	(void)close(gate[1]);
	for (unsigned i = 0; i < 2; i++)
		(void)pthread_join(thread[i], NULL);
	(void)close(gate[0]);
	buffer_release(&tasks);
	buffer_release(&cmdlines);
	task_snapshot_release(&snapshot);
	peek_release(&peek);
}
END_TEST

Suite *task_snapshot_suite(void)
{
	Suite *suite = suite_create("task_snapshot");
	TCase *tests = tcase_create("task_snapshot");
	TCase *kernel = tcase_create("kernel");

	tcase_add_test(tests, stat_is_read_as_tracepoints_name_tasks);
	tcase_add_test(tests, stat_that_is_none_is_refused);
	tcase_add_test(tests, a_task_is_reported_once);
	tcase_add_test(tests, a_snapshot_has_its_time);
	tcase_add_test(tests, a_stack_is_known_by_its_functions);
	tcase_add_test(tests, who_is_asked_for_has_a_place);
	tcase_add_test(tests, a_task_that_nobody_has_reaped_is_gone);
	tcase_add_test(tests, a_process_lives_in_its_other_threads);
	tcase_add_test(tests, the_end_has_new_threads);
	suite_add_tcase(suite, tests);
	/* an emulator of one program forks where that program asks for vfork: none is in D */
	tcase_set_tags(kernel, "kernel");
	tcase_add_test(kernel, who_stays_in_d_is_reported_again);
	suite_add_tcase(suite, kernel);
	return suite;
}
