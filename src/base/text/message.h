/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages on standard error: one line each, which begins with "ftwait: ". Only commands print
 * messages; the other folders do not. Names of files and options come from outside, so
 * buffer_puts_clean() cleans the finished line: it stays one line, and contains nothing that a
 * terminal obeys.
 */
#pragma once

#include <stdbool.h>

#include "buffer.h"

/* Notes are dropped when quiet; errors and warnings never are. */
void message_set_quiet(bool is_quiet);
/* Returns `result`: return message_fail(STATUS_FAILED, "..."). */
int message_fail(int result, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define message_error(...) ((void)message_fail(0, __VA_ARGS__))
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on lines are shown, if standard error is a terminal and `is_wanted`. */
void status_line_begin(bool is_wanted);
/* From now on each line goes to standard error although that is no terminal: to another process of
   ours, which shows it. A line begins with CR. */
void status_line_pass_on(void);
/* Whether a line would be visible. Call before a text that is costly to compute. */
bool status_line_is_on(void);
/* Replaces the line. `text` is cleaned as buffer_puts_clean() does it, and cut, at a comma if it
   has any. */
void status_line_show(const char *text);
void status_line_clear(void);
