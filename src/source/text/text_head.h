/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head of a line of ftrace text, which names the task, the CPU and the time:
 *
 *	          <idle>-0     (-----) [001] d.h2.  1234.567890: irq_handler_exit: irq=45
 *
 * The columns TGID and flags may be missing. TGID may stand before or after the CPU, and the flags
 * have three to seven letters. This covers kernels from 3.x on, trace-cmd report and atrace. The
 * name of a task may itself look like the begin of a head: of all dashes that may separate a name
 * from a tid, the first that is followed by valid columns is taken.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "source/text/text_line.h"

#define TEXT_CPUS_MAX 8192 /* no kernel is built for more */

struct text_head {
	struct text_line comm; /* name of the task, as printed; "<...>": not known to the kernel */
	int32_t tid;
	int32_t tgid;          /* -1: not known */
	uint32_t cpu;          /* less than TEXT_CPUS_MAX */
	bool has_flags, has_tgid; /* the line has these columns */
	uint8_t flags;         /* enum event_flags */
	uint8_t preempt_count;
	nsec_t time;
	nsec_t step;           /* resolution of the printed time: 1000 for microseconds */
	struct text_line rest; /* the event, without blanks before it */
};

/* Returns false if the line does not begin with a head; *ret is undefined then. */
bool text_head_parse(struct text_line line, struct text_head *ret);
