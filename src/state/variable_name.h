/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the variables of programs at which tasks sleep. */
#pragma once

#include "graph/user_variables.h"
#include "state/core/tracker.h"

/* The variable at an address in the memory of the track's process, which has the program of that
   time. NULL: nothing is known of programs, or too many addresses were looked up. */
const struct user_variable *variable_of_track(const struct machine *machine, uint32_t track,
                                              nsec_t time, uint64_t address);
