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
