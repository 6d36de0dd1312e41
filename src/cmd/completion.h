/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scripts by which shells complete the program's command lines. They pass the line to the
 * program (completion_answer.h) and show its answer, so they do not depend on the tables of
 * commands, options or values. contrib/ has copies of them.
 */
#pragma once

#include <stdio.h>

#include "completion_answer.h"

void completion_print(FILE *out, enum completion_shell shell);
