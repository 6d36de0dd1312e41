/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a virtual machine knows of its own absence: how long each CPU wanted to run and the host did
 * not let it, as /proc/stat counts it (column steal, in ticks of USER_HZ). The difference of two
 * readings is the time that was stolen between them; when within, nobody tells.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "ftwait/nsec.h"

#define STEAL_CPUS_MAX 65536u

struct steal_counters {
	uint64_t *ticks; /* by CPU number; STEAL_UNKNOWN: the CPU is off, or tells nothing; owned */
	size_t cpu_count, capacity;
};

#define STEAL_UNKNOWN UINT64_MAX

void steal_counters_release(struct steal_counters *counters);
/*
 * Reads /proc/stat into *ret, which is all zero or was released. Where it cannot be read, or the
 * kernel is older than the column, no CPU is known.
 */
void steal_counters_read(struct steal_counters *ret);
/* The same from its text, in which newlines become NUL. */
void steal_counters_parse(char *text, struct steal_counters *ret);
/* How long one of the kernel's ticks is, in ns. */
nsec_t steal_tick(void);
/* Appends "steal CPU NS" lines (ftwait/stream.h) for the CPUs that both readings know. */
void steal_counters_describe(const struct steal_counters *before,
                             const struct steal_counters *after, nsec_t tick, struct buffer *to);

/*
 * Whether this machine is a virtual one: the flag `hypervisor` of the CPU, which every hypervisor
 * of x86 sets, or /sys/hypervisor, which a guest of Xen has. Elsewhere nothing is as sure; there
 * only stolen time gives a guest away.
 */
bool machine_is_guest(void);
/* The first part: the text of /proc/cpuinfo has a "flags" line with that word. */
bool cpuinfo_tells_guest(const char *text);
