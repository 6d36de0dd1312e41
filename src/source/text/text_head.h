/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head of a line of ftrace text, which names the task, the CPU and the time:
 *
 *	          <idle>-0     (-----) [001] d.h2.  1234.567890: irq_handler_exit: irq=45
 *
 * Kernels from 3.x on, trace-cmd report and atrace print it with or without the columns TGID and
 * flags, which may have four or more letters, and with TGID before or after the CPU. A name may
 * contain anything: the leftmost place at which a head can be read counts.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "source/text_line.h"

#define TEXT_CPUS_MAX 8192 /* no kernel is built for more */

struct text_head {
	struct text_line comm; /* as printed; "<...>": the kernel did not know it */
	int32_t tid;
	int32_t tgid;          /* -1: not known */
	uint32_t cpu;          /* less than TEXT_CPUS_MAX */
	bool has_flags, has_tgid; /* whether the line has these columns */
	uint8_t flags;         /* enum event_flags */
	uint8_t preempt_count;
	nsec_t time;
	nsec_t step;           /* of the printed time: 1000 for microseconds */
	struct text_line rest; /* the event, without blanks before it */
};

/* False: the line is no event; then *ret is undefined. */
bool text_head_parse(struct text_line line, struct text_head *ret);
