/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "ftwait/report.h"
#include "graph/competitors.h"

/*
 * Prints the table of what had the CPU while a task was runnable, most time first: tasks,
 * interrupts, idle, and, for `throttled` ns, the limit that held the task back.
 */
void competitor_list_report(const struct competitors *competitors, nsec_t throttled,
                            const struct output *to);
