/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel_thread.h"

#include <string.h>

#include "base/data/array.h"

/* By prefix. */
static const struct {
	const char *prefix;
	enum kernel_thread thread;
} threads[] = {
	{"cpuhp/", KERNEL_THREAD_OTHER}, {"hwrng", KERNEL_THREAD_OTHER},
	{"irq/", KERNEL_THREAD_OTHER}, {"irq_work/", KERNEL_THREAD_OTHER},
	{"idle_inject/", KERNEL_THREAD_OTHER}, {"jbd2/", KERNEL_THREAD_OTHER},
	{"kworker/", KERNEL_THREAD_WORKER}, {"ksoftirqd/", KERNEL_THREAD_SOFTIRQ},
	{"ktimers/", KERNEL_THREAD_TIMER_SOFTIRQ},
	{"ktimersoftd/", KERNEL_THREAD_TIMER_SOFTIRQ}, /* before 6.1 */
	{"kcompactd", KERNEL_THREAD_OTHER}, {"kswapd", KERNEL_THREAD_OTHER},
	{"khugepaged", KERNEL_THREAD_OTHER}, {"ksmd", KERNEL_THREAD_OTHER},
	{"kdamond.", KERNEL_THREAD_OTHER}, {"kblockd", KERNEL_THREAD_OTHER},
	{"kauditd", KERNEL_THREAD_OTHER}, {"kthreadd", KERNEL_THREAD_OTHER},
	{"migration/", KERNEL_THREAD_STOPPER}, {"napi/", KERNEL_THREAD_NAPI},
	{"oom_reaper", KERNEL_THREAD_OTHER}, {"rcu_", KERNEL_THREAD_RCU},
	{"rcuc/", KERNEL_THREAD_RCU}, {"rcuog/", KERNEL_THREAD_RCU},
	{"rcuop/", KERNEL_THREAD_RCU}, {"rcuos/", KERNEL_THREAD_RCU},
	{"rcub/", KERNEL_THREAD_RCU}, {"scsi_eh_", KERNEL_THREAD_OTHER},
	{"writeback", KERNEL_THREAD_OTHER}, {"watchdog", KERNEL_THREAD_OTHER},
};

enum kernel_thread kernel_thread_of(const char *comm)
{
	for (size_t i = 0; i < ARRAY_SIZE(threads) && threads[i].prefix[0] <= comm[0]; i++)
		if (comm[0] == threads[i].prefix[0] &&
		    strncmp(comm, threads[i].prefix, strlen(threads[i].prefix)) == 0)
			return threads[i].thread;
	return KERNEL_THREAD_NONE;
}
