/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A property of aims: if the end of a recording is cut off at any instant, what a wait was for may
 * no longer be known, but never turns into something else.
 */
#pragma once

#include <stdint.h>

#include "builder/datfile.h"

/* Cuts the schedule `events` at a few instants that the seed chooses; returns how many waits became
   waits for something else, each with a line on standard output. */
unsigned aim_cuts_check(const char *path, const char *events, const struct machine *machine,
                        uint64_t seed);
