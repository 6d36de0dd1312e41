/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control groups of tasks that are born; graph/group_log.h has those of all. */
#pragma once

#include "tracker.h"

/* The task has just been born, and its parent and process are known as far as they will be. */
void group_be_born(struct machine *machine, uint32_t track);
