/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the asked processes a signal or the OOM killer ended: those that start others, such as
   make, lose these and live on. */
#pragma once

#include "ftwait/report.h"

struct question;

/*
 * Prints what ended processes in the window: a line each about the first faults and kills of the
 * OOM killer; then, unless the answer is about a whole machine, one about the other signals. First
 * the track `leading`, of which the end is news whatever the signal; TRACK_NONE: no track is it.
 */
void deaths_print(const struct question *question, uint32_t leading, bool is_of_machine,
                  const struct output *to);
