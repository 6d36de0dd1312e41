/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far something is, on one line of the terminal that standard error is, which is written over
 * again and again and gone in the end. Nothing where standard error is no terminal. It needs no
 * escape sequences, only carriage returns, and is never wider than the terminal.
 *
 * There is one such line in a process. Whoever else writes to the terminal clears it first;
 * message.h does. For cmd only, as messages are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"

/* Lines are shown from now on, if standard error is a terminal and `is_wanted`. */
void status_line_begin(bool is_wanted);
/* Whether what is shown would be seen: it may be costly to find out. */
bool status_line_is_on(void);
/* In place of what is shown. `text` is cleaned as buffer_puts_clean() does it, and cut, at a comma
   if it has any. */
void status_line_show(const char *text);
void status_line_clear(void);
/*
 * What of `text`, which is valid UTF-8, fits into so many columns of a terminal on which characters
 * beyond ASCII may be two columns wide, or a mess: there is one "?" instead of each. Returns
 * whether something did not fit.
 */
bool status_line_fit(struct buffer *to, const char *text, size_t columns);
