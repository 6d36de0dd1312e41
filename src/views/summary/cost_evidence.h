/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which stretch stands for a cost of the summary where evidence is asked for: its longest one. */
#pragma once

#include "cost_list.h"
#include "explanation.h"

/* Chooses the claim of each cost. The costs must be complete; of a path its parts are walked once
   more, else the nodes of the waits' tree say when their longest walk began. */
void costs_claim(struct cost_list *list, const struct explanation *explanation);
