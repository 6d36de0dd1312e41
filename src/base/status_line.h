/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Progress on one line of the terminal on standard error. The line is overwritten again and again,
 * and removed at the end. Nothing is shown if standard error is no terminal. The line needs no
 * escape sequences, only carriage returns, and is never wider than the terminal.
 *
 * A process has only one such line. Other code that writes to the terminal clears it first, as
 * message.h does. Only commands use it, as they do messages.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text/buffer.h"

/* From now on lines are shown, if standard error is a terminal and `is_wanted`. */
void status_line_begin(bool is_wanted);
/* Whether a line would be visible. Call before a text that is costly to compute. */
bool status_line_is_on(void);
/* Replaces the line. `text` is cleaned as buffer_puts_clean() does it, and cut, at a comma if it
   has any. */
void status_line_show(const char *text);
void status_line_clear(void);
/*
 * Appends as much of `text`, which is valid UTF-8, as fits into that many columns. "?" replaces
 * each character beyond ASCII, as a terminal may show it two columns wide, or garbled. Returns
 * whether some of the text did not fit.
 */
bool status_line_fit(struct buffer *to, const char *text, size_t columns);
