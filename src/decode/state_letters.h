/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the bits of sched_switch's prev_state mean. They differ between kernels, so they are read
 * from that trace's own print format: the __print_flags table names the bits, and the expression
 * before `? "+" : ""` is the bit that says "preempted, still runnable".
 *
 * Some kernels record something else than their own print format says (see enum state_form). If
 * the print format does not show the form, the kernel's release and the values that occur do:
 * values are examined until only one form is left.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/event.h"

#define STATE_BITS 32
#define STATES_KNOWN 4u /* a power of 2 */

/* How prev_state holds the one state that Linux reports from 4.14 on; before, it holds all
   bits. */
enum state_form {
	STATE_BY_BIT,
	/* 4.14.0 to 4.14.62: R 0, S 1, D 2, T 3 ... I 8 (efb40f588b43, fixed in 3f5fe9fef5b2) */
	STATE_BY_INDEX,
	/* then, to 4.20: R 1, S 2, D 4 ... I 0x100, which is "preempted" too (till 3054426dc68e) */
	STATE_SHIFTED,
};

struct state_letters {
	char letter[STATE_BITS]; /* by bit number; 0: no name */
	uint64_t preempted;      /* mask; 0: this kernel does not record it */
	enum state_form form;
	uint8_t possible;        /* mask by enum state_form: the forms that no value has ruled out
	                            so far */
	/* The last lookups, by the low bits of the raw state. */
	struct {
		uint64_t raw;
		char letter; /* 0: none */
	} known[STATES_KNOWN];
};

/*
 * Falls back to the table of Linux 4.18 and later if the print format cannot be read. `release`:
 * of the kernel that wrote the trace; NULL: not known.
 */
void state_letters_parse(struct text print_format, const char *release,
                         struct state_letters *ret);
/* Whether values may still show another form than `form`. */
static inline bool state_letters_are_open(const struct state_letters *letters)
{
	return letters->possible != 1u << letters->form;
}
/* Examines a raw state; `is_idle`: that of the idle task, which never sleeps. */
void state_letters_learn(struct state_letters *letters, uint64_t raw, bool is_idle);
/* The letter of a raw state, 'R' for none; '?' for bits without a name. */
char state_letters_get(const struct state_letters *letters, uint64_t raw);
/* Whether the raw state was looked up recently, as is the case for nearly every switch. */
static inline bool state_letters_know(const struct state_letters *letters, uint64_t raw)
{
	size_t at = raw & (STATES_KNOWN - 1);

	return letters->known[at].raw == raw && letters->known[at].letter;
}
/* The letter of a raw state for which state_letters_know() is true. */
static inline char state_letters_known(const struct state_letters *letters, uint64_t raw)
{
	return letters->known[raw & (STATES_KNOWN - 1)].letter;
}
/* The letter of a raw state; remembers it for state_letters_know(). */
static inline char state_letters_get_again(struct state_letters *letters, uint64_t raw)
{
	size_t at = raw & (STATES_KNOWN - 1);

	if (!state_letters_know(letters, raw)) {
		letters->known[at].raw = raw;
		letters->known[at].letter = state_letters_get(letters, raw);
	}
	return letters->known[at].letter;
}
