/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The completion script for bash, made from the command and option tables so that it cannot
 * drift from them; contrib/ftwait.bash is a copy of this output.
 */
#pragma once

#include <stdio.h>

void completion_print(FILE *out);
