/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Help and completion from the option tables. Everything goes to the given stream; write errors
 * are left to ferror().
 */
#pragma once

#include <stdio.h>

#include "option_parser.h"

/* Usage line, purpose of the command, its options in groups. At most 80 columns wide. */
void option_help_print(FILE *out, const struct option_set *set);
