/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Help and completion made from the option tables. Everything goes to the stream given; write
 * errors are left to ferror().
 */
#pragma once

#include <stdio.h>

#include "option_parser.h"

/* Usage line, what the command is for, its options in groups. At most 80 columns wide. */
void option_help_print(FILE *out, const struct option_set *set);
