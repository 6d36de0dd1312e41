/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The purpose of a kernel thread, by its name. Any task may have such a name: if a recording knows
 * which tasks are the kernel's, check that first.
 */
#pragma once

enum kernel_thread {
	KERNEL_THREAD_NONE, /* not a known name */
	KERNEL_THREAD_RCU,
	KERNEL_THREAD_NAPI,          /* polls a network device */
	KERNEL_THREAD_SOFTIRQ,       /* serves soft interrupts in place of an interrupt */
	KERNEL_THREAD_TIMER_SOFTIRQ, /* PREEMPT_RT: the same, for timers alone */
	KERNEL_THREAD_STOPPER,       /* migration/N */
	KERNEL_THREAD_WORKER,        /* of a work queue */
	KERNEL_THREAD_OTHER,
	KERNEL_THREAD_COUNT,
};

enum kernel_thread kernel_thread_of(const char *comm);
