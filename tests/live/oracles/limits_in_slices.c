/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task waits for a worker, each time for at most 60 ms, by a timer of the kind that the argument
 * names: io_uring, timerfd, timer (a signal interrupts the wait). The worker ends the last wait, so
 * that all of it is for the worker.
 */
#if __has_include(<linux/io_uring.h>)
#include <linux/io_uring.h>
#endif
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

#define ROUNDS   4
#define LIMIT_NS 60000000u
#define WORK_NS  320000000u
#define ENTRIES  4

static int asked, done; /* eventfds */
static int worker_tid;
static uint64_t done_at;

/* Waits once, at most until the limit: returns whether the worker is done. */
struct limit {
	const char *name;
	void (*begin)(void);
	bool (*wait)(void);
};

static void event_put(int file)
{
	truth_must(eventfd_write(file, 1) == 0, "eventfd_write");
}

static bool event_take(int file)
{
	eventfd_t count;

	return eventfd_read(file, &count) == 0;
}

static void *worker_run(void *unused)
{
	sigset_t alarm;

	(void)sigemptyset(&alarm);
	(void)sigaddset(&alarm, SIGALRM);
	(void)pthread_sigmask(SIG_BLOCK, &alarm, NULL); /* it is for the waiter */
	worker_tid = truth_tid();
	for (int i = 0; i < ROUNDS; i++) {
		(void)event_take(asked);
		truth_spin(WORK_NS);
		done_at = truth_now();
		event_put(done);
	}
	return unused;
}

static const struct itimerspec limit_once = {.it_value = {.tv_nsec = LIMIT_NS}};

static int timer_file, epoll_file;

static void timerfd_begin(void)
{
	struct epoll_event event = {.events = EPOLLIN};

	timer_file = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	epoll_file = epoll_create1(0);
	event.data.fd = timer_file;
	truth_must(epoll_ctl(epoll_file, EPOLL_CTL_ADD, timer_file, &event) == 0, "epoll_ctl");
	event.data.fd = done;
	truth_must(epoll_ctl(epoll_file, EPOLL_CTL_ADD, done, &event) == 0, "epoll_ctl");
}

static bool timerfd_wait(void)
{
	struct epoll_event event;

	truth_must(timerfd_settime(timer_file, 0, &limit_once, NULL) == 0, "timerfd_settime");
	truth_must(epoll_wait(epoll_file, &event, 1, -1) == 1, "epoll_wait");
	return event.data.fd == done && event_take(done);
}

static timer_t signal_timer;

static void on_alarm(int number)
{
	(void)number;
}

static void timer_begin(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	struct sigaction action = {.sa_handler = on_alarm};

	truth_must(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
	truth_must(timer_create(CLOCK_MONOTONIC, &event, &signal_timer) == 0, "timer_create");
}

static bool timer_wait(void)
{
	truth_must(timer_settime(signal_timer, 0, &limit_once, NULL) == 0, "timer_settime");
	return event_take(done);
}

#ifdef IORING_ENTER_EXT_ARG
static struct uring {
	int file;
	char *submitted, *completed;
	struct io_uring_sqe *entry;
	struct io_uring_params setup;
	bool is_asked;
} uring;

static unsigned *uring_number(char *ring, unsigned offset)
{
	return (unsigned *)(void *)(ring + offset);
}

static void *uring_map(size_t bytes, off_t offset)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, uring.file, offset);

	truth_must(at != MAP_FAILED, "mmap");
	return at;
}

static void uring_begin(void)
{
	struct io_uring_params *setup = &uring.setup;

	uring.file = (int)syscall(SYS_io_uring_setup, ENTRIES, setup);
	truth_may(uring.file >= 0 && setup->features & IORING_FEAT_EXT_ARG, "io_uring_setup");
	uring.submitted = uring_map(setup->sq_off.array + setup->sq_entries * sizeof(unsigned),
	                            IORING_OFF_SQ_RING);
	uring.completed = uring_map(setup->cq_off.cqes +
	                            setup->cq_entries * sizeof(struct io_uring_cqe),
	                            IORING_OFF_CQ_RING);
	uring.entry = uring_map(setup->sq_entries * sizeof(*uring.entry), IORING_OFF_SQES);
}

/* Asks the ring to tell when the worker is done. */
static void uring_ask(void)
{
	unsigned *tail = uring_number(uring.submitted, uring.setup.sq_off.tail);
	unsigned at = *tail & *uring_number(uring.submitted, uring.setup.sq_off.ring_mask);

	uring.entry[at] = (struct io_uring_sqe){
		.opcode = IORING_OP_POLL_ADD, .fd = done, .poll32_events = POLLIN};
	uring_number(uring.submitted, uring.setup.sq_off.array)[at] = at;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	truth_must(syscall(SYS_io_uring_enter, uring.file, 1, 0, 0, NULL, 0) == 1,
	           "io_uring_enter");
	uring.is_asked = true;
}

static bool uring_wait(void)
{
	struct __kernel_timespec limit = {.tv_nsec = LIMIT_NS};
	struct io_uring_getevents_arg argument = {.ts = (uintptr_t)&limit};
	unsigned *head = uring_number(uring.completed, uring.setup.cq_off.head);
	const unsigned *tail = uring_number(uring.completed, uring.setup.cq_off.tail);

	if (!uring.is_asked)
		uring_ask();
	(void)syscall(SYS_io_uring_enter, uring.file, 0, 1,
	              IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &argument, sizeof(argument));
	if (*head == __atomic_load_n(tail, __ATOMIC_ACQUIRE))
		return false;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	uring.is_asked = false;
	return event_take(done);
}

#else
static void uring_begin(void)
{
	truth_skip("the headers of this machine have no io_uring with time limits");
}

static bool uring_wait(void)
{
	return true;
}
#endif

static const struct limit limits[] = {
	{"io_uring", uring_begin, uring_wait},
	{"timerfd", timerfd_begin, timerfd_wait},
	{"timer", timer_begin, timer_wait},
};

static void wait_in_slices(const struct limit *limit)
{
	struct truth_wait wait;
	int tid = truth_tid();

	event_put(asked);
	truth_wait_begin(&wait);
	while (!limit->wait())
		;
	truth_wait_end(&wait);
	/* preempted between two sleeps it set no equal limits */
	if (!wait.is_sure)
		return;
	truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d depth=1 state=running|runnable\n",
	          tid, wait.begin, done_at, WORK_NS / 4 * 3, worker_tid);
	truth_add("path tid=%d begin=%ju end=%ju most=0 kind=timer of=%d\n", tid, wait.begin,
	          done_at, tid);
}

int main(int argc, char **argv)
{
	const struct limit *limit = limits;
	pthread_t worker;

	while (argc > 1 && strcmp(limit->name, argv[1]) != 0)
		if (++limit == limits + sizeof(limits) / sizeof(*limits))
			return 1;
	asked = eventfd(0, 0);
	done = eventfd(0, 0);
	limit->begin();
	worker = truth_thread(worker_run, NULL);
	for (int i = 0; i < ROUNDS; i++)
		wait_in_slices(limit);
	(void)pthread_join(worker, NULL);
	return truth_print();
}
