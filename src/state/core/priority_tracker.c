/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priorities: which one a task competes with, and which are lent. A task that waits for a lock with
 * priority inheritance (rt_mutex: mutexes of PTHREAD_PRIO_INHERIT, and on PREEMPT_RT most of the
 * kernel's) lends its priority to the owner until that releases the lock, and through the owner to
 * the task that the owner waits for:
 *
 *	hi waits for a lock of mid, mid waits for a lock of lo: in hi's context, one by one,
 *	                  mid 120 -> 49     lent by hi
 *	                  lo  120 -> 49     lent by mid, as far as lo is concerned
 *
 * Switches and wake-ups record priorities, too. A priority that differs from the lent one, or
 * changes without a loan, is the task's own.
 */
#include "base/assume.h"
#include "tracker.h"

/* The most owners in a row that each wait for a lock of the next; ends the search in a circle. */
#define LOANS_IN_ROW 64

/* Loans of a task. */
struct task_loan {
	nsec_t begin;      /* begin of the loan to it */
	uint32_t lender;   /* track; TRACK_NONE: not known */
	uint32_t borrower; /* the last task that it lent its priority to; TRACK_NONE: none */
	int16_t own;
	bool is_lent;
};

TASK_DATA(task_loan, struct task_loan, PRIORITY)

static struct task_loan *task_keep_loan(struct machine *machine, uint32_t track)
{
	struct task_loan *loan = task_loan(machine, track);

	if (loan)
		return loan;
	loan = tracker_keep_task(machine, TRACKER_PRIORITY, track);
	ASSUME(!loan->is_lent && !loan->begin);
	loan->lender = loan->borrower = TRACK_NONE;
	return loan;
}

static void task_set_rank(struct machine *machine, uint32_t track, const struct rank *rank)
{
	ASSUME(rank->lender != track && rank->priority <= rank->own);
	machine->task[track].priority = rank->priority;
	timeline_set_rank(machine->timeline, track, machine->now, rank);
}

/* The priority is the task's own. */
static void task_set_own_rank(struct machine *machine, uint32_t track, int16_t priority)
{
	const struct rank rank = {.lender = TRACK_NONE, .priority = priority, .own = priority};

	task_set_rank(machine, track, &rank);
}

enum loan_end {
	LOAN_ENDED,
	LOAN_OPEN,   /* the trace ended */
	LOAN_UNSEEN, /* it was lent at least until then */
};

static void loan_emit(struct machine *machine, uint32_t track, const struct task_loan *loan,
                      nsec_t until, enum loan_end how)
{
	struct interval interval = interval_of(INTERVAL_LOAN, machine->task[track].cpu, track,
	                                       loan->begin, until);

	ASSUME(loan->is_lent && loan->begin <= until);
	interval.is_open = how == LOAN_OPEN;
	interval.other = loan->lender;
	interval.loan = (struct loan_interval){
		.priority = machine->task[track].priority,
		.own = loan->own,
		.is_unfinished = how != LOAN_ENDED,
	};
	machine_emit_interval(machine, &interval);
}

void task_change_priority(struct machine *machine, uint32_t track, int16_t priority)
{
	struct task_loan *loan = task_loan(machine, track);

	if (priority == PRIORITY_UNKNOWN)
		return;
	if (loan && loan->is_lent) {
		loan_emit(machine, track, loan, machine->now, LOAN_ENDED);
		loan->is_lent = false;
	}
	task_set_own_rank(machine, track, priority);
}

/*
 * The task that lends the priority to `track` in its own context: the current task itself, or a
 * task that it has lent its priority to before and that sleeps for the next lock in the row.
 */
static uint32_t loan_find_lender(const struct machine *machine, uint32_t current, uint32_t track)
{
	uint32_t lender = current;

	ASSUME(current != TRACK_NONE && current != track);
	for (unsigned i = 0; i < LOANS_IN_ROW; i++) {
		const struct task_loan *loan = task_loan(machine, lender), *next;

		if (!loan || loan->borrower == TRACK_NONE || loan->borrower == track)
			break;
		next = task_loan(machine, loan->borrower);
		if (!next || !next->is_lent || next->lender != lender ||
		    machine->task[loan->borrower].kind != SEGMENT_WAIT)
			break;
		lender = loan->borrower;
	}
	return lender;
}

/* The current task is the lender for certain only if it has that priority itself. */
static void priority_lend(struct machine *machine, const struct cpu *cpu, uint32_t track,
                          int16_t own, int16_t priority)
{
	struct task_loan *loan = task_keep_loan(machine, track);
	struct rank rank = {.lender = TRACK_NONE, .priority = priority, .own = own};
	uint32_t current = cpu->current;

	ASSUME(priority < own);
	if (cpu_is_in_task(cpu) && current != track && machine->task[current].priority == priority)
		rank.lender = loan_find_lender(machine, current, track);
	if (rank.lender == track)
		rank.lender = TRACK_NONE;
	loan->is_lent = true;
	loan->begin = machine->now;
	loan->lender = rank.lender;
	loan->own = own;
	if (rank.lender != TRACK_NONE)
		task_keep_loan(machine, rank.lender)->borrower = track;
	task_set_rank(machine, track, &rank);
}

/* If a loan ends and the priority is still raised, another task that waits for another lock of this
   owner may lend it. */
static void on_pi_setprio(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	int64_t old = event->pi_setprio.old_priority, new = event->pi_setprio.new_priority;
	uint32_t track = machine_track(machine, cpu, event->pi_setprio.tid);
	int16_t own = (int16_t)old;
	const struct task_loan *loan;

	if (track == TRACK_NONE || event->pi_setprio.tid == 0 || old < PRIORITY_DEADLINE ||
	    new < PRIORITY_DEADLINE || old >= PRIORITY_END || new >= PRIORITY_END || old == new)
		return;
	task_set_priority(machine, track, old);
	loan = task_loan(machine, track);
	if (loan && loan->is_lent) {
		own = loan->own;
		loan_emit(machine, track, loan, machine->now, LOAN_ENDED);
	}
	if (new < own) {
		priority_lend(machine, cpu, track, own, (int16_t)new);
		return;
	}
	if (loan)
		task_keep_loan(machine, track)->is_lent = false;
	task_set_own_rank(machine, track, (int16_t)new);
}

static void loans_close(struct machine *machine, nsec_t end)
{
	TRACKER_TASK_EACH(machine, TRACKER_PRIORITY, track, const struct task_loan, loan)
		if (loan->is_lent)
			loan_emit(machine, track, loan, end, LOAN_OPEN);
}

/* The end of its loan will not be recorded: the task has died, or events were lost. */
static void loan_bury(struct machine *machine, uint32_t track)
{
	const struct task_loan *loan = task_loan(machine, track);

	ASSUME(loan->begin <= machine->now);
	if (loan->is_lent)
		loan_emit(machine, track, loan, machine->now, LOAN_UNSEEN);
}

/* Loans may have ended among the lost events; the next switch shows it. */
static void loans_forget(struct machine *machine)
{
	TRACKER_TASK_EACH(machine, TRACKER_PRIORITY, track, struct task_loan, loan) {
		loan_bury(machine, track);
		loan->is_lent = false;
		loan->borrower = TRACK_NONE;
	}
}

const struct tracker priority_tracker = {
	.handlers = HANDLERS({EVENT_PI_SETPRIO, on_pi_setprio}),
	.task_bytes = sizeof(struct task_loan),
	.bury = loan_bury,
	.close = loans_close,
	.forget = loans_forget,
};
