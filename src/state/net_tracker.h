/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets; see net_tracker.c. */
#pragma once

#include "tracker.h"

/* A connection takes in a packet: whether others of this activation are left. */
bool net_take_packet(const struct machine *machine, const struct cpu *cpu);
