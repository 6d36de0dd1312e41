/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Progress on one line of the terminal on standard error, which is overwritten again and again and
 * removed in the end. Nothing if standard error is no terminal. It needs no escape sequences, only
 * carriage returns, and is never wider than the terminal.
 *
 * There is one such line in a process. Other code that writes to the terminal clears it first;
 * message.h does. For cmd only, as messages are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"

/* Lines are shown from now on, if standard error is a terminal and `is_wanted`. */
void status_line_begin(bool is_wanted);
/* Whether a line would be visible: its text may be costly to compute. */
bool status_line_is_on(void);
/* Replaces the line. `text` is cleaned as buffer_puts_clean() does it, and cut, at a comma if it
   has any. */
void status_line_show(const char *text);
void status_line_clear(void);
/*
 * The part of `text`, which is valid UTF-8, that fits into so many columns. "?" replaces each
 * character beyond ASCII: a terminal may show it two columns wide, or garbled. Returns whether
 * something did not fit.
 */
bool status_line_fit(struct buffer *to, const char *text, size_t columns);
