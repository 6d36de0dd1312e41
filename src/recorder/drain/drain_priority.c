/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drain_priority.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

#define DRAIN_NICE     (-15)
#define DRAIN_REALTIME 1

void drain_priority_begin(struct drain_priority *priority)
{
	*priority = (struct drain_priority){.nice_before = getpriority(PRIO_PROCESS, 0)};
	(void)setpriority(PRIO_PROCESS, 0, DRAIN_NICE);
}

void drain_priority_raise(struct drain_priority *priority)
{
	const struct sched_param realtime = {.sched_priority = DRAIN_REALTIME};

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
