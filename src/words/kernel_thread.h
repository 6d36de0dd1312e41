/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a thread of the kernel is for, told by its name. Anybody may name a task like that: where a
 * recording knows which tasks are the kernel's, that is asked first.
 */
#pragma once

enum kernel_thread {
	KERNEL_THREAD_NONE, /* no such name, as far as these are known */
	KERNEL_THREAD_RCU,
	KERNEL_THREAD_NAPI,          /* polls a network device */
	KERNEL_THREAD_SOFTIRQ,       /* serves soft interrupts in an interrupt's stead */
	KERNEL_THREAD_TIMER_SOFTIRQ, /* PREEMPT_RT: the same, of timers alone */
	KERNEL_THREAD_STOPPER,       /* migration/N */
	KERNEL_THREAD_WORKER,        /* of a work queue */
	KERNEL_THREAD_OTHER,
	KERNEL_THREAD_COUNT,
};

enum kernel_thread kernel_thread_of(const char *comm);
