/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control groups that a task ever was in, as far as known. */
#pragma once

#include "graph/timeline/timeline.h"

/* Whether the task was at any time in a control group of which the path fulfils the condition. */
bool timeline_was_in_group(const struct timeline *timeline, uint32_t track,
                           bool (*is_meant)(const void *state, const char *path),
                           const void *state);
