/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kind and the name of an aim as one cell: parts of paths, costs. */
#pragma once

#include "ftwait/report.h"
#include "graph/timeline.h"

#define AIM_BRIEF_CELLS 2

/* What that track waited for, by the cause of a part of its wait; NULL: it is none. Empty if
   nothing shows it. `cells` must outlive the cell. */
struct cell aim_cell_of_cause(const struct timeline *timeline, uint32_t track,
                              const struct cause_note *note,
                              struct cell cells[AIM_BRIEF_CELLS]);
