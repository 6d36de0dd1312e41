/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the terminal that something is written to can show. A file or pipe is none, without limits.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Columns: what COLUMNS says, else the terminal itself, else 80, as a serial line knows of none.
   0: not a terminal. */
unsigned terminal_width(FILE *out);
/* Whether it is a terminal that obeys escape sequences: TERM is neither "dumb" nor missing. */
bool terminal_has_escapes(FILE *out);
/* Whether the locale, which must be set, is of UTF-8. */
bool terminal_has_utf8(void);
