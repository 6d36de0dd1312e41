/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block requests; see block_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* Fills in the request that the sleeping task has submitted itself and is likely to wait for, which
   has not completed; false: there is none. */
bool block_pending_of(const struct machine *machine, uint32_t track, struct cause_note *ret);
