/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tracker of files: whether a task makes room in memory. */
#pragma once

#include "state/core/tracker.h"

/* Whether the task is in a reclaim or compaction, by which it may write memory to swap. */
bool memory_is_reclaimed_by(const struct machine *machine, uint32_t track);
