/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsers of values in the form in which the kernel prints them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "text_line.h"

/* Bit of a record's prev_state: the task was preempted ("R+"). text_events.c has the other bits. */
#define TEXT_STATE_PREEMPTED 0x1000u

/* Each cuts a value off the line's front. It returns false if the line does not begin with such a
   value; the position of the line is undefined then. */

/* "-12", "18446744073709551615" */
bool text_value_decimal(struct text_line *line, uint64_t *ret);
/* The whole word, as "1234.567890"; the step is what its last digit counts. */
bool text_value_seconds(struct text_line word, nsec_t *ret, nsec_t *ret_step);
/* "ff", "0xff"; 0 for an address that the kernel hides: "(____ptrval____)" */
bool text_value_hex(struct text_line *line, uint64_t *ret);
/* "8,1", "8:1", "0x8:0x1", as major << 20 | minor */
bool text_value_device(struct text_line *line, uint64_t *ret);
/* "true", "false", "begin", "end", "1", "0" */
bool text_value_bool(struct text_line *line, uint64_t *ret);
/* "S", "R+"; kernels before 4.14 also print "D|K" */
bool text_value_state(struct text_line *line, uint64_t *ret);
/* The same from the bits that the kernel records. */
uint64_t text_value_raw_state(uint64_t bits);
/* "ABS|PINNED", or the number */
bool text_value_timer_mode(struct text_line *line, uint64_t *ret);
/* "SPIN|READ", "" */
bool text_value_lock_flags(struct text_line *line, uint64_t *ret);
/* "F_RDLCK", or the number */
bool text_value_lock_type(struct text_line *line, uint64_t *ret);

/*
 * System calls that the text names, as "sys_close(fd: 3)" and "sys_close -> 0x0" do; trace-cmd has
 * "sys_enter_close: fd: 0x00000003", options/fields "sys_enter_close: __syscall_nr=0x3 (3) fd=0x3
 * (3)". They become calls by number, those of TEXT_CALL_ARCH: text names no machine.
 */

#define TEXT_CALL_ARCH "x86_64"
#define TEXT_CALL_ARGUMENTS 6

struct text_call {
	bool is_enter;
	uint64_t argument[TEXT_CALL_ARGUMENTS]; /* [0] is the result where it ends */
};

/* The number of the call by the first word of an event: "sys_close", "sys_enter_close"; -1: it
   names no call that is known. */
int64_t text_call_number(struct text_line word);
/* `rest`: what follows the word, and its colon. */
void text_call_parse(struct text_line word, struct text_line rest, struct text_call *ret);
