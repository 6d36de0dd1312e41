/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The overview that `ftwait help` and `ftwait --help` print.
 */
#pragma once

#include <stdio.h>

void help_overview_print(FILE *out);
