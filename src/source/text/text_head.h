/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head of a line of ftrace text, which names the task, the CPU and the time:
 *
 *	          <idle>-0     (-----) [001] d.h2.  1234.567890: irq_handler_exit: irq=45
 *
 *	  <idle>-0         1d.h2. 1234567890us+: irq_handler_exit: irq=45
 *
 * The second form is the latency format, which dumps of the buffers to the console have, too. A log
 * may put anything before the name. The columns TGID and flags may be missing. TGID may stand
 * before or after the CPU, and the flags have three to twelve letters. This covers kernels from 3.x
 * on, trace-cmd report and atrace. The name of a task may itself look like the begin of a head: of
 * all dashes that may separate a name from a tid, the first that is followed by valid columns is
 * taken.
 *
 * Or the head of a line of perf script, which has no flags. The process (-F +pid) and more columns
 * may stand in it, and the task may be missing:
 *
 *	         swapper     0 [001]  1234.567890: irq:irq_handler_exit: irq=45
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "text_line.h"

#define TEXT_CPUS_MAX   8192 /* no kernel is built for more */
#define PERF_LOSS "PERF_RECORD_LOST lost " /* begin of `rest` where perf script shows a loss */
#define TEXT_SHORT_COMM 8    /* bytes of a name in the latency format */

/* Which letters of the flags mean what, as the comment lines at the begin of the text say. */
struct text_legend {
	uint8_t columns; /* of the flags, so far */
	uint8_t context; /* the one of hardirq/softirq; 0: no such line was seen */
};

struct text_head {
	struct text_line comm; /* name of the task, as printed; "<...>", "": not known */
	int32_t tid;           /* -1: not known, or ended; only where is_perf */
	int32_t tgid;          /* -1: not known */
	uint32_t cpu;          /* less than TEXT_CPUS_MAX */
	bool has_flags, has_tgid; /* the line has these columns */
	bool is_perf;          /* of perf script; `rest` begins behind "SYSTEM:" */
	bool is_short;         /* names of more than TEXT_SHORT_COMM bytes are cut */
	uint8_t flags;         /* enum event_flags */
	uint8_t preempt_count;
	nsec_t time;
	nsec_t step;           /* resolution of the printed time: 1000 for microseconds */
	struct text_line rest; /* the event, without blanks before it */
};

/* Returns false if the line has no head; *ret is undefined then. `legend` may be NULL. */
bool text_head_parse(struct text_line line, const struct text_legend *legend,
                     struct text_head *ret);
/* Whether the end of the name may be missing. */
static inline bool text_head_is_cut(const struct text_head *head)
{
	return head->is_short && line_length(head->comm) >= TEXT_SHORT_COMM;
}

/* Takes in a comment line, as "#    / _----=> need-resched". */
void text_legend_see(struct text_legend *legend, struct text_line line);

/*
 * Finds the events that occurred in an interrupt, for text without the column of flags, such as the
 * output of trace-cmd report. An event counts as part of an interrupt if it lies between the entry
 * and exit events of that interrupt on the same CPU. Interrupts without recorded entry events are
 * not detected.
 */

struct text_context {
	uint16_t open[TEXT_CPUS_MAX]; /* bit mask of rows with a begin but no end so far */
	bool has_any, has_timers;     /* interrupts are recorded; those of timers are among them */
	bool has_chains;              /* call chains show what woke */
};

/* Adds EVENT_HARDIRQ and EVENT_SOFTIRQ to the head's flags. Call it for each event, in order. */
void text_context_see(struct text_context *context, struct text_head *head);
