/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "draining.h"

#include <errno.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "base/thread.h"

#define DRAIN_NICE     (-15)
#define DRAIN_REALTIME 1

void drain_priority_begin(struct drain_priority *priority)
{
	const struct sched_param realtime = {.sched_priority = DRAIN_REALTIME};

	*priority = (struct drain_priority){.nice_before = getpriority(PRIO_PROCESS, 0)};
	(void)setpriority(PRIO_PROCESS, 0, DRAIN_NICE);
	/* a user who runs ftwait under chrt(1) has chosen a policy */
	if (sched_getscheduler(0) != SCHED_OTHER)
		return;
	priority->is_realtime =
		sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &realtime) == 0;
	priority->error = priority->is_realtime ? 0 : -errno;
}

void drain_priority_end(struct drain_priority *priority)
{
	const struct sched_param ordinary = {0};

	if (priority->is_realtime)
		(void)sched_setscheduler(0, SCHED_OTHER, &ordinary);
	(void)setpriority(PRIO_PROCESS, 0, priority->nice_before);
}

/* A half-full buffer wakes the drain earlier. If the kernel does not do that, less than half of a
   buffer fills in this time. */
#define DRAIN_MS 50

struct slow_call {
	int (*call)(void *state);
	void *state;
	int result;
	int done_fd;
};

static void *slow_call_make(void *argument)
{
	struct slow_call *slow = argument;
	struct drain_priority priority;

	/* so that it gets the lock before the tasks that keep the machine busy */
	drain_priority_begin(&priority);
	slow->result = slow->call(slow->state);
	(void)eventfd_write(slow->done_fd, 1);
	return NULL;
}

int drain_while(struct ring_reader *reader, struct page_queue *queue, int (*call)(void *state),
                void *state)
{
	_cleanup_(closep) int done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct slow_call slow = {.call = call, .state = state, .done_fd = done_fd};
	eventfd_t done = 0;
	pthread_t thread;
	int r = 0;

	if (done_fd < 0 || thread_begin(&thread, slow_call_make, &slow) < 0)
		return call(state);
	while (eventfd_read(done_fd, &done) < 0) {
		ring_reader_wait(reader, done_fd, DRAIN_MS);
		if (r == 0)
			r = ring_reader_drain(reader, queue);
	}
	(void)pthread_join(thread, NULL);
	return slow.result < 0 || r == 0 ? slow.result : r;
}
