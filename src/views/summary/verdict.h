/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first lines of a short summary (`ftwait why`): whether the asked tasks are busy, queued,
 * idle, stopped or hang, and what they did when the recording ended.
 */
#pragma once

#include "summary_times.h"

/* `total`: of the asked tasks, `tasks` of them. */
void verdict_print(const struct summary *summary, const struct hangs *hangs,
                   const struct times *total, size_t tasks, const struct output *to);
/* Prints what asked tasks waited for when the recording ended, of waits for others that lasted
   long, as far as the recorder saw these. */
void verdict_print_ends(const struct summary *summary, const struct hangs *hangs,
                        const struct output *to);
