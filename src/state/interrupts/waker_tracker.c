/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the code that woke a task was doing, from the stack recorded right after the wake-up. The
 * stack of an interrupt goes on with what it interrupted, which is unrelated: it is cut where the
 * interrupt began, and dropped if that is not known.
 *
 *	try_to_wake_up < hrtimer_wakeup < __hrtimer_run_queues < hrtimer_interrupt < ...
 *	< asm_sysvec_apic_timer_interrupt | clear_page_erms < do_anonymous_page ...
 *	  \_ left out: where it began       \_ left out: a bystander
 */
#include "base/assume.h"
#include "base/code/code_part.h"
#include "base/data/array.h"
#include "state/core/held_wait.h"
#include "state/tasks/stack_event.h"
#include "state/trackers.h"

/* Functions that carry out a wake-up for their callers: they do not show what the waker did. */
static const char *const waking_functions[] = {
	"try_to_wake_up", "wake_up_process", "wake_up_state", "default_wake_function",
	"autoremove_wake_function", "woken_wake_function", "wake_up_q", "wake_up_q_add",
	"__wake_up_common", "__wake_up_common_lock", "__wake_up", "__wake_up_sync",
	"__wake_up_sync_key", "__wake_up_locked", "__wake_up_locked_key",
	"__wake_up_locked_sync_key", "__wake_up_on_current_cpu", "__wake_up_pollfree",
	"__wake_up_bit", "wake_up_bit", "wake_bit_function", "wake_page_function",
	"wake_up_var", "swake_up_locked", "swake_up_one", "swake_up_all", "swake_up_all_locked",
	"complete", "complete_all", "complete_with_flags", "complete_on_current_cpu",
	"rcuwait_wake_up", "ep_autoremove_wake_function", "ep_poll_callback", "pollwake",
	"__pollwait", "io_poll_wake", "signal_wake_up_state", "call_timer_fn", "process_timeout",
};

/* Where interrupts begin, soft ones too: frames further out were interrupted, or run them. */
static const char *const entry_functions[] = {
	/* all machines */
	"irq_exit", "irq_exit_rcu", "__irq_exit_rcu", "do_softirq", "__local_bh_enable_ip",
	"__local_bh_enable", "_local_bh_enable", "local_bh_enable", "do_softirq_own_stack",
	"__do_softirq_own_stack", "do_softirq_post_smp_call_flush", "invoke_softirq",
	"run_ksoftirqd", "run_ktimerd", "handle_softirqs", "__do_softirq",
	"generic_handle_arch_irq", "handle_arch_irq", "flush_smp_call_function_queue",
	"flush_smp_call_function_from_idle",
	/* x86 */
	"common_interrupt", "do_IRQ", "ret_from_intr", "apic_timer_interrupt",
	"smp_apic_timer_interrupt", "reschedule_interrupt", "smp_reschedule_interrupt",
	"call_function_interrupt", "smp_call_function_interrupt", "call_function_single_interrupt",
	"smp_call_function_single_interrupt", "hyperv_callback_vector", "exc_nmi", "nmi",
	"xen_evtchn_do_upcall", "xen_pv_evtchn_do_upcall", "irq_work_interrupt", "fred_extint",
	/* arm, arm64 */
	"__irq_svc", "__irq_usr", "asm_do_IRQ", "gic_handle_irq", "call_on_irq_stack",
	"do_interrupt_handler", "el0_irq", "el0_irq_naked", "el1_irq", "el1_interrupt",
	"el0_interrupt", "__el0_irq_handler_common", "el1h_64_irq_handler", "el1h_64_irq",
	"handle_IPI", "call_with_stack", "bcm2835_handle_irq", "bcm2836_arm_irqchip_handle_irq",
	/* riscv, s390, powerpc, mips, loongarch, sparc */
	"do_irq", "handle_riscv_irq", "riscv_intc_irq", "ret_from_exception", "handle_exception",
	"do_io_irq", "do_ext_irq", "io_int_handler", "ext_int_handler", "do_irq_async",
	"do_IRQ_mips", "__do_IRQ", "__do_irq", "timer_interrupt", "hardware_interrupt_common",
	"hardware_interrupt_common_virt", "decrementer_common", "decrementer_common_virt",
	"doorbell_super_common", "doorbell_super_common_virt", "interrupt_return",
	"plat_irq_dispatch",
	"handle_int", "do_vint", "handle_loongarch_irq", "handler_irq", "tl0_irq1",
};

OWN_DATA(wakers, struct object_pool, WAKER)

static bool function_wakes(const char *name)
{
	/* the tracing itself is innermost of all */
	return strncmp(name, "trace_event_raw_event_", 22) == 0 ||
	       strncmp(name, "__traceiter_", 12) == 0 ||
	       function_is_any(name, waking_functions, ARRAY_SIZE(waking_functions));
}

static bool function_is_entry(const char *name)
{
	/* those of x86 that the kernel names after their vector */
	return strncmp(name, "asm_", 4) == 0 || strncmp(name, "sysvec_", 7) == 0 ||
	       strncmp(name, "__sysvec_", 9) == 0 ||
	       function_is_any(name, entry_functions, ARRAY_SIZE(entry_functions));
}

/* Index of the frame where the innermost interrupt began; `count` if that is not known. */
static size_t stack_entry(const char *const *name, size_t count)
{
	size_t at = 0;

	while (at < count && !(name[at] && function_is_entry(name[at])))
		at++;
	return at;
}

size_t stack_interrupt_end(const char *const *name, size_t count)
{
	size_t at = stack_entry(name, count);

	while (at < count && name[at] && function_is_entry(name[at]))
		at++;
	return at;
}

static uint32_t waker_name(struct machine *machine, const uint64_t *frame, size_t count,
                           bool is_interrupt)
{
	const char *name[FRAMES_MAX];
	size_t first = 0, entry;

	ASSUME(count > 0 && count <= FRAMES_MAX);
	stack_name(machine, frame, count, name);
	entry = stack_entry(name, count);
	if (is_interrupt) /* its own frames; none if it is not known where it began */
		count = entry < count ? entry : 0;
	while (first < count && name[first] && function_wakes(name[first]))
		first++;
	if (count && first == count) { /* it did nothing but wake */
		if (is_interrupt) /* where it began, such as soft ones that go on in ksoftirqd */
			count++;
		else
			first--;
	}
	return first < count ? stack_intern(machine, frame, name, first, count) : 0;
}

void wakers_note_stack(struct machine *machine, const struct cpu *cpu,
                       const struct stack_event *stack)
{
	struct held_wait *last = machine->task[cpu->woken].held;
	struct held_wait *held = /* if the wake-up ended it */
		last && last->span.kind == SEGMENT_WAIT && cpu->woken_slept ? last : NULL;
	const struct cause_note *cause = held ? &held->cause : task_pending_cause(machine, cpu);
	uint64_t frame[FRAMES_MAX];
	struct named_stack *known;
	bool is_interrupt, is_new;
	size_t count;

	ASSUME(machine_owns(machine, cpu->woken));
	if (!cause) /* it ended no wait, and cannot do so later */
		return;
	count = stack_event_read(machine, stack, frame);
	if (count == 0)
		return;
	/* in an interrupt, too, its task makes the wake-up if it sends a packet to this machine */
	is_interrupt = cpu->level != LEVEL_TASK &&
	               (cause->kind != CAUSE_NET || cause->originator == TRACK_NONE ||
	                cause->originator != cpu->current);
	known = stack_keep(wakers(machine), frame, count, is_interrupt, &is_new);
	if (is_new)
		known->name = waker_name(machine, frame, count, is_interrupt);
	if (known->name && held)
		wait_set_waker(held, known->name);
	else if (known->name)
		task_pending_set_waker(machine, cpu, known->name);
}

const struct tracker waker_tracker = {
	.own_bytes = sizeof(struct object_pool),
	.stores = STORES(POOL_AT(0, struct named_stack, OBJECTS_MAX, NULL, NULL)),
	.keeps_stores = true,
};
