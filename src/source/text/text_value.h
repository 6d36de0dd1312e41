/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values as the kernel prints them in lines of events. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "source/text_line.h"

/* Bits of a state in a record; text_events.c names them. */
#define TEXT_STATE_PREEMPTED 0x1000u

/*
 * Each takes a value off the line's front, and returns false, with the line as it was or further
 * on, if it does not begin with one.
 */
/* "-12", "18446744073709551615" */
bool text_value_decimal(struct text_line *line, uint64_t *ret);
/* "ff", "0xff"; what stands for an address that the kernel hides is 0. */
bool text_value_hex(struct text_line *line, uint64_t *ret);
/* "8,1", "8:1", "0x8:0x1", as major << 20 | minor */
bool text_value_device(struct text_line *line, uint64_t *ret);
/* "true", "false", "begin", "end", "1", "0" */
bool text_value_bool(struct text_line *line, uint64_t *ret);
/* "S", "R+", and "D|K" of kernels before 4.14 */
bool text_value_state(struct text_line *line, uint64_t *ret);
/* "ABS|PINNED", or the number */
bool text_value_timer_mode(struct text_line *line, uint64_t *ret);
/* "SPIN|READ", "" */
bool text_value_lock_flags(struct text_line *line, uint64_t *ret);
/* "F_RDLCK", or the number */
bool text_value_lock_type(struct text_line *line, uint64_t *ret);
