/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Help from the option tables. Everything goes to the given stream; write errors
 * are left to ferror().
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "option_parser.h"

/* Usage line, purpose of the command, its options in groups. At most `width` columns wide, and at
   most 80; `width` 0: 80. */
void option_help_print(FILE *out, unsigned width, const struct option_set *set);
/* The same on standard output, as wide as its terminal, and through a pager (pager.h) if one is
   wanted. */
void option_help_show(const struct option_set *set, bool has_pager);
