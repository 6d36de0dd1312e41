/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory available without evicting anything: MemAvailable of /proc/meminfo, on kernels without it
 * the free memory of sysinfo(2). Bytes; 0 if unknown.
 */
#pragma once

#include <stdint.h>

uint64_t free_memory_bytes(void);
/* The same from the text of /proc/meminfo; 0 without MemAvailable. */
uint64_t free_memory_parse(const char *meminfo);

/* How much memory a ring (flight/stream_ring.h) may take up at most. */

/* Bytes: half of what is free, also to the control group, and of what a process can have, as a copy
   that is written slowly may need as much again. */
uint64_t ring_memory_limit(void);
