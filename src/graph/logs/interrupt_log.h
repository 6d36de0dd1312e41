/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When each CPU was in interrupts, hard or soft, of any kind: stretches without overlap, read from
 * the last one back.
 *
 *	irq           |---|                     added in order of their ends
 *	timer          |-|          |-|
 *	softirq           |------|
 *	irq                 |--|
 *	kept          |---|------|  |-|         what lies in another one is part of it
 *
 * Memory: 16 bytes a stretch. Cost: O(1) a stretch, to add and to read. A log that is all zero
 * is empty.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

struct logged_stretch {
	nsec_t begin, end;
};

struct interrupt_cpu {
	struct logged_stretch *stretch;
	size_t count, capacity;
	nsec_t forgotten; /* end of the last stretch that is forgotten */
};

struct interrupt_log {
	struct interrupt_cpu *cpu; /* by number */
	size_t cpu_count, cpu_capacity;
};

/* A stretch of the log, and how many are before it; all 0: there is none. */
struct interrupt_cursor {
	const struct logged_stretch *stretch;
	size_t count;
	union {
		struct logged_stretch at;
		struct { nsec_t begin, end; };
	};
};

void interrupt_log_release(struct interrupt_log *log);
/*
 * The CPU was in an interrupt from begin to end. Calls for one CPU come in order of the ends. A
 * stretch that begins within an earlier one, and not before that one, counts from the end of the
 * earlier one on.
 */
void interrupt_log_add(struct interrupt_log *log, uint32_t cpu, nsec_t begin, nsec_t end);
/* Forgets stretches that had ended by t. */
void interrupt_log_trim(struct interrupt_log *log, nsec_t t);
/* Starts at the CPU's last stretch. Nothing may be added to the log while it is read. */
void interrupt_cursor_init(struct interrupt_cursor *cursor, const struct interrupt_log *log,
                           uint32_t cpu);
/* One for each CPU of the log; the caller frees them. */
struct interrupt_cursor *interrupt_cursors_new(const struct interrupt_log *log);
/* Goes back to the last stretch that begins before t; false: there is none. */
bool interrupt_cursor_find(struct interrupt_cursor *cursor, nsec_t t);
