/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory a ring (flight/stream_ring.h) may take up at most. */
#pragma once

#include <stdint.h>

/* Bytes: half of what is free, also to the control group, and of what a process can have, as a copy
   that is written slowly may need as much again. */
uint64_t ring_memory_limit(void);
