/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events show that a wait had a cause. Where none of them were recorded, the recording shows
 * the wait under another cause, so that a rule about this one would be kept for the wrong reason.
 */
#pragma once

#include "analysis/analysis.h"
#include "budget.h"

/*
 * Appends the groups of events that can show what the rule is about, and that the recording has no
 * events of, nor says that it recorded: "lock,syscalls"; nothing if there are none. Returns whether
 * all groups that can show it are lacking, so that nothing of it would be seen.
 */
bool lacking_groups_append(struct buffer *to, const struct rule *rule,
                           const struct resolved *resolved);
