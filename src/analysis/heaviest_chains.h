/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heaviest chains in words, for the summary: who waited most, for what, behind whom. Only from
 * a history that was short enough to be kept; else a line tells where to look.
 */
#pragma once

#include "analysis.h"

/* `waiting`: of the asked tasks, which shares are of; 0: nothing is told. */
void heaviest_chains_tell(const struct question *question, nsec_t waiting,
                          const struct presenter *presenter, void *to);
