/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much memory can be had without pushing anything out: MemAvailable of /proc/meminfo, where
 * that is missing what sysinfo(2) calls free. Bytes; 0 where nobody tells.
 */
#pragma once

#include <stdint.h>

uint64_t free_memory_bytes(void);
/* The same from the text of /proc/meminfo; 0 where it does not say. */
uint64_t free_memory_parse(const char *meminfo);
