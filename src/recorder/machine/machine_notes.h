/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is noted of the whole machine: which it is, its disks, what its kernel counts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "base/text/buffer.h"
#include "ftwait/nsec.h"

/*
 * Steal time of a virtual machine: how long each CPU was able to run while the host did not run it,
 * as /proc/stat counts it (column steal, in ticks of USER_HZ). The difference of two readings is
 * the time that was stolen between them; it is not known when it was stolen.
 */

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

/*
 * Which machine this is. machine-id(5) is confidential: it must not get into files that are sent
 * around. So recordings have a hash of it that only ftwait makes. The ID cannot be found from it,
 * and other programs' hashes of the same ID cannot be matched with it.
 */

#define MACHINE_ID_FILE   "/etc/machine-id"
#define MACHINE_ID_DIGITS 32

/* The hash of the ID in the file, in lower-case hexadecimal digits: what `systemd-id128 machine-id
   --app-specific=6a98747a5ee843029dda917e9cdecd34` prints. Returns 0 or -errno: -ENOENT, also if
   the file has no ID so far, as at a first boot. */
int machine_id_read(const char *path, char ret[MACHINE_ID_DIGITS + 1]);

/* "boot ID\n" (ftwait/stream.h) for the running kernel; NULL if unknown. The caller frees it. */
char *boot_line(void);

/*
 * Names of the block devices, as sysfs has them, for the lines `device` of ftwait/stream.h. A look
 * takes at most BLOCK_DEVICES_NS; the next one notes what it left out.
 */

#define BLOCK_DEVICES_FOLDER "/sys/class/block"
#define BLOCK_DEVICES_NS     50000000u

/* Appends a line for each device of the folder that has not been noted with that name. `noted`: a
   map of the caller's, which this fills with hashes of the lines. */
void block_devices_look(struct map *noted, const char *folder, struct buffer *to);
