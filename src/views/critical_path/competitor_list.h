/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "ftwait/report.h"
#include "graph/competitors.h"

/*
 * The table of who had the CPU while a task was runnable, whoever that is, in order of time:
 * tasks, interrupts, nobody (idle), and the limit that kept it off its CPU for `throttled`.
 */
void competitor_list_report(const struct competitors *competitors, nsec_t throttled,
                            const struct presenter *presenter, void *to);
