/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the asked tasks' time is explained. What is unknown of other tasks, or outside the
   window, does not affect the answer. */
#pragma once

#include "analysis/analysis.h"
#include "ftwait/health.h"

/* Sets asked_ns and asked_explained_ns of the health, unless all time of all tasks is asked for, or
   it is not known, as no view keeps the history of a window. The question must be resolved. */
void asked_share_take(const struct question *question, struct health *health);
