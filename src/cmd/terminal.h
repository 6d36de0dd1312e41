/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The abilities of the terminal that output goes to. Files and pipes are no terminals, and have no
 * limits.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "ftwait/report.h"

/* Columns: COLUMNS, else the terminal itself, else 80, as a serial line does not know its width.
   0: not a terminal. */
unsigned terminal_width(FILE *out);
/* Whether `out` is a terminal that obeys escape sequences: TERM is set, and is not "dumb". */
bool terminal_has_escapes(FILE *out);
/* Whether the locale, which must be set, is of UTF-8. */
bool terminal_has_utf8(void);
/* Sets what depends on the terminal that a report goes to, but for colours. Call it before a pager
   begins. */
void terminal_fit(FILE *out, struct presenter_options *options);
