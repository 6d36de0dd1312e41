/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which stretch stands for a cost of the summary where evidence is asked for: its longest one. */
#pragma once

#include "cost_list.h"
#include "explanation.h"

/* Chooses the claim of each cost. The costs must be complete. A path is walked once more; without
   one, for each cost the wait that has most of it; the own times of tasks are looked through. */
void costs_claim(struct cost_list *list, const struct explanation *explanation);
