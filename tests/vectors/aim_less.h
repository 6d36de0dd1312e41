/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two properties of aims. If the end of a recording is cut off at any instant, or if it lacks
 * stacks or system calls, what a wait was for may no longer be known, but never turns into
 * something else.
 */
#pragma once

#include <stdint.h>

#include "builder/datfile.h"

/* Cuts the schedule `events` at a few instants that the seed chooses, and leaves out kinds of
   events; returns how many waits became waits for something else, each with a line on standard
   output. */
unsigned aim_less_check(const char *path, const char *events, const struct machine *machine,
                        uint64_t seed);
