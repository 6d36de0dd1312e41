/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts that CPUs send to each other. They explain a wake-up if no more specific tracker knows
 * the cause.
 *
 * A CPU may leave a wake-up to the CPU where the task shall run: it puts the task on a list there
 * (ttwu_queue() of kernel/sched/core.c) and sends an interrupt, unless that CPU idles in a loop
 * that looks at the list. sched_waking is recorded where the task is woken, sched_wakeup where that
 * is carried out:
 *
 *	CPU 1, holder    sched_waking futex   ipi_raise -> CPU 0
 *	CPU 0, any task                        ipi_entry  sched_wakeup futex  ipi_exit
 *
 * Without sched_waking in the trace (Linux before 4.3 has none), the waker is what sent the
 * interrupt. Where that is not recorded either, it is the task that last sent the sleeper a signal,
 * such as a child that ends; else what ran on the other CPUs then: with two CPUs there is one such
 * task, with more it is a guess, if only one of them was busy.
 */
#include "base/assume.h"
#include "base/data/array.h"
#include "state/trackers.h"

/* With several other CPUs: a task that went to sleep longer ago did not send the interrupt. */
#define SENT_BEFORE_NS 200000

/* Who sent an interrupt to a CPU. */
struct sender {
	struct cause_note note; /* the task, or what the sending CPU was serving */
	bool is_known;
	bool is_mixed; /* several sent it, at a time when none had arrived yet */
};

/* Per CPU. */
struct cpu_ipis {
	struct sender next, last; /* of the interrupt on its way to it, of the last that arrived */
	struct {
		int64_t tid;
		uint32_t sender; /* track */
		nsec_t time;
	} signal; /* the last one that a task sent here; tid 0: none */
};

/* Whether an event of an interrupt that may carry out wake-ups was seen. */
OWN_DATA(ipis_are_shown, bool, IPI)
CPU_DATA(cpu_ipis, struct cpu_ipis, IPI)

/* From Linux 5.8 on a call between CPUs carries out queued wake-ups, before that a rescheduling
   interrupt. */
static enum ipi_reason ipi_reason_of(struct text reason)
{
	static const char *const words[] = {"Rescheduling interrupts", "Function call interrupts",
	                                    "Single function call interrupts"};

	if (reason.length == 0)
		return IPI_UNKNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (text_is(reason, words[i]))
			return IPI_FOR_SCHEDULER;
	return IPI_OTHER;
}

/* As the kernel says it in /proc/interrupts; 0: the recording does not name it. */
static uint32_t ipi_name(struct machine *machine, const struct event *event)
{
	if (event->kind == EVENT_IPI_ENTRY && (event->ipi.reason.length || event->ipi.address))
		return machine_word(machine, event->ipi.reason);
	return intern_adds(&machine->timeline->names, event->kind == EVENT_RESCHEDULE_ENTRY
	                                                      ? "Rescheduling interrupts"
	                                                      : "Function call interrupts");
}

static void on_ipi_entry(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct frame *frame = cpu_innermost(cpu);
	/* Where no event shows the interrupt in which a function is called (x86), the call stands
	   for it. The idle loop, too, calls functions that other CPUs have queued, without any. */
	bool is_call = event->kind == EVENT_CSD_ENTRY &&
	               (cpu->level == LEVEL_TASK || (frame && frame->kind == FRAME_IPI));
	struct cpu_ipis *ipis = cpu_ipis(machine, cpu);
	enum ipi_reason reason = event->kind == EVENT_CSD_ENTRY           ? IPI_OTHER
	                         : event->kind == EVENT_RESCHEDULE_ENTRY ? IPI_FOR_SCHEDULER
	                                                 : ipi_reason_of(event->ipi.reason);

	frame = cpu_enter(machine, cpu, event, FRAME_IPI);
	frame->reason = (uint8_t)reason;
	frame->is_call = is_call;
	frame->name = is_call ? 0 : ipi_name(machine, event);
	if (reason == IPI_OTHER)
		return;
	*ipis_are_shown(machine) = true;
	ipis->last = ipis->next;
	ipis->next = (struct sender){0};
}

static void on_ipi_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)event;
	cpu_leave(machine, cpu, FRAME_IPI, 0);
}

/* "00000000,00000002": the bit of that number, from the right. */
static bool mask_text_has(struct text mask, uint32_t bit)
{
	for (size_t at = mask.length; at-- > 0;) {
		char c = mask.at[at];
		int digit = c >= '0' && c <= '9'   ? c - '0'
		            : c >= 'a' && c <= 'f' ? c - 'a' + 10
		                                   : -1;

		if (digit < 0)
			continue;
		if (bit < 4)
			return (unsigned)digit >> bit & 1;
		bit -= 4;
	}
	return false;
}

/* The same of unsigned longs, as the machine stores them. */
static bool mask_bytes_have(const struct source *source, struct text mask, uint32_t bit)
{
	uint32_t word = source->long_bytes, at = bit / 8;

	if (source->is_big_endian)
		at = at / word * word + (word - 1 - at % word);
	return at < mask.length && (unsigned char)mask.at[at] >> bit % 8 & 1;
}

static void on_ipi_raise(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct ipi_event *ipi = &event->ipi;
	struct cause_note note;

	if (ipi_reason_of(ipi->reason) == IPI_OTHER)
		return;
	if (cpu_doer(cpu) != TRACK_NONE) {
		cause_note_by_task(&note, CONFIDENCE_MEDIUM, cpu->current);
	} else if (cpu->level == LEVEL_TASK) {
		return; /* it passes on a wake-up itself, or wakes a CPU for other reasons */
	} else {
		machine_explain_queueing(machine, cpu, event, &note);
	}
	MACHINE_CPU_EACH(machine, target) {
		uint32_t number = machine_own_cpu(machine, target);
		struct sender *sender = &cpu_ipis(machine, target)->next;

		if (!mask_text_has(ipi->mask, number) &&
		    !mask_bytes_have(machine->setup.source, ipi->targets, number))
			continue;
		sender->is_mixed |= sender->is_known && !cause_note_is_alike(&sender->note, &note);
		sender->note = note;
		sender->is_known = true;
	}
}

void ipi_note_signal(const struct machine *machine, const struct cpu *cpu, int64_t tid)
{
	struct cpu_ipis *ipis = cpu_ipis(machine, cpu);

	ASSUME(ipis->signal.time <= machine->now);
	ipis->signal.sender = cpu_doer(cpu);
	ipis->signal.tid = ipis->signal.sender == TRACK_NONE ? 0 : tid;
	ipis->signal.time = machine->now;
}

/* Whether the CPU of a sched_wakeup only carries it out: in an interrupt from another CPU, in the
   idle loop, or before it moves a task away (migration_cpu_stop). Some kernels record an interrupt
   from another CPU before they flag its events as such, so the level of a frame does not matter. */
static bool wake_is_queued(const struct machine *machine, const struct wake *wake)
{
	const struct cpu *cpu = wake->cpu;
	const struct frame *frame = cpu_innermost(cpu);

	ASSUME(wake->event->kind == EVENT_SCHED_WAKEUP);
	if (wake->event->wake.cpu != (int64_t)machine_own_cpu(machine, cpu) ||
	    cpu->current == TRACK_NONE || wake->level == LEVEL_SOFT)
		return false;
	if (wake->level == LEVEL_TASK)
		return cpu->current == cpu->idle ||
		       machine->task[cpu->current].role == KERNEL_THREAD_STOPPER;
	if (frame)
		return frame->kind == FRAME_IPI && frame->reason != IPI_OTHER;
	/* an interrupt that no event shows: a timer's, and a device's, are shown */
	return !*ipis_are_shown(machine) && (machine->hooks.awake & TRACKER_BIT(IRQ)) &&
	       (machine->hooks.awake & TRACKER_BIT(TIMER));
}

/* The task that ran last on a CPU before t; TRACK_NONE: none, or an interrupt came after it. When
   it left goes to *ret_left; NSEC_NEVER: it is there. */
static uint32_t cpu_ran_before(const struct machine *machine, const struct cpu *cpu, nsec_t t,
                               nsec_t *ret_left)
{
	nsec_t since = cpu->current == TRACK_NONE ? t : machine->task[cpu->current].since;

	ASSUME(t <= machine->now);
	*ret_left = NSEC_NEVER;
	if (cpu->current == TRACK_NONE || (cpu->current != cpu->idle && since <= t))
		return cpu->current;
	*ret_left = since;
	if (cpu->left == cpu->idle || (cpu->interrupted > since && cpu->interrupted <= t))
		return TRACK_NONE;
	return cpu->left;
}

/* Whether that CPU may have sent an interrupt at t, and if so, what did it there. `is_one`: there
   is no other CPU that may have. */
static bool cpu_may_send(const struct machine *machine, struct cpu *cpu, const struct wake *wake,
                         nsec_t t, bool is_one, struct cause_note *ret)
{
	uint32_t track;
	nsec_t left;

	/* it serves an interrupt that it entered before */
	if (cpu->level != LEVEL_TASK && cpu->depth && cpu_innermost(cpu)->entered <= t) {
		machine_explain_queueing(machine, cpu, wake->event, ret);
		return true;
	}
	track = cpu_ran_before(machine, cpu, t, &left);
	if (track == TRACK_NONE || track == wake->wakee ||
	    (!is_one && left < t && t - left > SENT_BEFORE_NS))
		return false;
	cause_note_by_task(ret, CONFIDENCE_MEDIUM, track);
	return true;
}

/* Who last sent the sleeper a signal on another CPU, as it slept; false: none did. */
static bool wake_find_signaller(const struct machine *machine, const struct wake *wake,
                                struct cause_note *ret)
{
	nsec_t latest = machine->task[wake->wakee].since;
	bool is_found = false;

	ASSUME(machine_owns(machine, wake->wakee));
	MACHINE_CPU_EACH(machine, cpu) {
		const struct cpu_ipis *ipis = cpu_ipis(machine, cpu);

		if (cpu == wake->cpu || ipis->signal.tid != wake->event->wake.tid ||
		    ipis->signal.time < latest)
			continue;
		latest = ipis->signal.time;
		cause_note_by_task(ret, CONFIDENCE_MEDIUM, ipis->signal.sender);
		is_found = true;
	}
	return is_found;
}

/* Who may have sent the interrupt, by what the other CPUs did; false: none did anything, or
   several. */
static bool wake_guess_sender(const struct machine *machine, const struct wake *wake,
                              struct cause_note *ret)
{
	const struct frame *frame = cpu_innermost(wake->cpu);
	nsec_t sent = frame ? frame->entered : machine->now;
	uint32_t others = 0, busy = 0;

	MACHINE_CPU_EACH(machine, cpu)
		others += cpu != wake->cpu;
	MACHINE_CPU_EACH(machine, cpu)
		if (cpu != wake->cpu)
			busy += cpu_may_send(machine, cpu, wake, sent, others == 1, ret);
	if (busy == 1)
		ret->confidence = others > 1 ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM;
	return busy == 1;
}

bool ipi_explain_queued(const struct machine *machine, const struct wake *wake,
                        struct cause_note *ret)
{
	const struct sender *sender = &cpu_ipis(machine, wake->cpu)->last;

	if (!wake_is_queued(machine, wake))
		return false;
	if (sender->is_known && cpu_innermost(wake->cpu)) {
		*ret = sender->note;
		ret->confidence = sender->is_mixed ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM;
		return true;
	}
	/* its sched_waking comes with the other CPU's events, which a live pass may read later */
	if (machine->found.has_waking || (!wake_find_signaller(machine, wake, ret) &&
	                            !wake_guess_sender(machine, wake, ret))) {
		cause_note_init(ret, CAUSE_UNKNOWN, CONFIDENCE_LOW);
		ret->as.unknown.is_remote = true;
	}
	return true;
}

static bool ipi_explain(const struct machine *machine, const struct wake *wake,
                        struct cause_note *ret)
{
	const struct frame *frame = cpu_top(wake->cpu, wake->level);

	if (wake->event->kind == EVENT_SCHED_WAKEUP && ipi_explain_queued(machine, wake, ret))
		return true;
	if (!frame || frame->kind != FRAME_IPI)
		return false;
	cause_note_init(ret, CAUSE_IPI, CONFIDENCE_MEDIUM);
	return true;
}

const struct tracker ipi_tracker = {
	.is_always = true, /* some kernels show such interrupts by no event */
	.handlers = HANDLERS(
		{EVENT_IPI_ENTRY, on_ipi_entry}, {EVENT_RESCHEDULE_ENTRY, on_ipi_entry},
		{EVENT_CSD_ENTRY, on_ipi_entry}, {EVENT_IPI_EXIT, on_ipi_exit},
		{EVENT_IPI_RAISE, on_ipi_raise}),
	.explain = {ipi_explain, IN_IRQ, 0},
	.own_bytes = sizeof(bool),
	.cpu_bytes = sizeof(struct cpu_ipis),
	.forgets_cpu = true,
};
