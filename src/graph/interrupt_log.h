/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When each CPU was in interrupts, hard or soft, whatever they were: stretches without overlap, to
 * be read from the last one back.
 *
 *	irq           |---|                     told in order of their ends
 *	timer          |-|          |-|
 *	softirq           |------|
 *	irq                 |--|
 *	kept          |---|------|  |-|         what lies in another one is part of it
 *
 * Each is two numbers, how long nothing was before it and how long it was: of 32 bits both where
 * that is enough, which is nearly always so.
 *
 * Memory: 8 bytes a stretch. Cost: O(1) a stretch, to add and to read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

/* Where one number is too large both follow in elements of their own, and before them, as it is
   read backwards, behind them in memory, one of LOGGED_LARGE. */
struct logged_stretch {
	uint32_t before, length; /* ns */
};

#define LOGGED_LARGE UINT32_MAX

struct interrupt_cpu {
	struct logged_stretch *stretch;
	size_t count, capacity; /* elements */
	nsec_t end;             /* of the last stretch */
};

struct interrupt_log {
	struct interrupt_cpu *cpu; /* by number */
	size_t cpu_count, cpu_capacity;
};

/* A stretch that is read, and where those before it lie; all 0: there is none. */
struct interrupt_cursor {
	const struct logged_stretch *stretch;
	size_t count;   /* elements of those before it */
	nsec_t before;  /* end of the one before it */
	nsec_t begin, end;
};

void interrupt_log_init(struct interrupt_log *log);
void interrupt_log_release(struct interrupt_log *log);
/*
 * That CPU was in an interrupt from begin to end. Of one CPU in order of the ends; what began
 * before an earlier one has ended, and not before that began, is told from its end on.
 */
void interrupt_log_add(struct interrupt_log *log, uint32_t cpu, nsec_t begin, nsec_t end);
/* Forgets those that had ended by t. */
void interrupt_log_trim(struct interrupt_log *log, nsec_t t);
/* At the CPU's last stretch. The log gets no more while it is read. */
void interrupt_cursor_init(struct interrupt_cursor *cursor, const struct interrupt_log *log,
                           uint32_t cpu);
/* Goes back to the last stretch that begins before t; false: there is none. */
bool interrupt_cursor_find(struct interrupt_cursor *cursor, nsec_t t);
