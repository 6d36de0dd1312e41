/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel counts of the whole machine: time that its host stole, and free memory.
 *
 * Steal time of a virtual machine: how long each CPU was able to run while the host did not run it,
 * as /proc/stat counts it (column steal, in ticks of USER_HZ). The difference of two readings is
 * the time that was stolen between them; it is not known when it was stolen.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"

#define STEAL_CPUS_MAX 65536u

struct steal_counters {
	uint64_t *ticks; /* by CPU number; STEAL_UNKNOWN: offline or not counted; owned */
	size_t cpu_count, capacity;
};

#define STEAL_UNKNOWN UINT64_MAX

void steal_counters_release(struct steal_counters *counters);
/*
 * Reads /proc/stat into *ret, which is all zero or released. If it cannot be read, or the kernel is
 * older than the column, no CPU is known.
 */
void steal_counters_read(struct steal_counters *ret);
/* The same from the text of /proc/stat, whose newlines are replaced by NUL. */
void steal_counters_parse(char *text, struct steal_counters *ret);
/* Duration of a USER_HZ tick in ns. */
nsec_t steal_tick(void);
/* Appends "steal CPU NS" lines (ftwait/stream.h) for the CPUs that both readings know. */
void steal_counters_describe(const struct steal_counters *before,
                             const struct steal_counters *after, nsec_t tick, struct buffer *to);

/*
 * Whether this machine is virtual: by the CPU flag `hypervisor`, which every hypervisor of x86
 * sets, or by /sys/hypervisor, which a Xen guest has. Other architectures show nothing as reliable;
 * there only steal time reveals a guest.
 */
bool machine_is_guest(void);
/* Whether the "flags" line in a text of /proc/cpuinfo contains the flag: the first part of
   machine_is_guest(). */
bool cpuinfo_is_guest(const char *text);

/*
 * Memory available without evicting anything: MemAvailable of /proc/meminfo, on kernels without it
 * the free memory of sysinfo(2). Bytes; 0 if unknown.
 */

uint64_t free_memory_bytes(void);
/* The same from the text of /proc/meminfo; 0 without MemAvailable. */
uint64_t free_memory_parse(const char *meminfo);

/* How much memory a ring (flight/stream_ring.h) may take up at most. */

/* Bytes: half of what is free, also to the control group, and of what a process can have, as a copy
   that is written slowly may need as much again. */
uint64_t ring_memory_limit(void);
