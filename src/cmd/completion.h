/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scripts by which shells complete command lines of ours. They hand the line to the program
 * (completion_answer.h) and show what it answers: so there is nothing in them that a change of the
 * tables of commands, options or values could make wrong. contrib/ has copies of them.
 */
#pragma once

#include <stdio.h>

#include "completion_answer.h"

void completion_print(FILE *out, enum completion_shell shell);
