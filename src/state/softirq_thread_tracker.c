/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads that serve soft interrupts in place of an interrupt, ksoftirqd and ktimers: they are
 * woken for the work that is left. This tracker is asked early, because the threads are not woken
 * for what the interrupt has served by then, such as a packet or a request. If a timer's callback
 * is open, the timer is the cause, as its callback raises the vector. On some kernels (PREEMPT_RT)
 * they are woken when the flags say task again: the interrupted task is a bystander even so.
 */
#include "irq_tracker.h"

static bool softirq_thread_explain(const struct machine *machine, const struct wake *wake,
                                   struct cause_note *ret)
{
	int32_t vector = softirq_pending(machine, wake->cpu, wake->level);

	if (vector < 0 && wake->level == LEVEL_TASK)
		return false;
	if (vector < 0) {
		cause_note_init(ret, CAUSE_INTERRUPT, CONFIDENCE_LOW);
		return true;
	}
	cause_note_init(ret, CAUSE_SOFTIRQ, CONFIDENCE_MEDIUM);
	ret->as.softirq.vector = vector;
	ret->name = softirq_name(machine, vector);
	return true;
}

const struct tracker softirq_thread_tracker = {
	.name = "softirq thread",
	.is_always = true,
	.explain = softirq_thread_explain,
	.explains = IN_TASK | IN_IRQ,
	.explains_roles = 1u << KERNEL_THREAD_SOFTIRQ | 1u << KERNEL_THREAD_TIMER_SOFTIRQ,
};
