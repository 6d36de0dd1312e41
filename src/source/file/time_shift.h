/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How stamps of a virtual machine become those of its host, as `trace-cmd record -A` measured it
 * (option TIME_SHIFT of trace.dat): for each CPU some samples, that is, instants and what the
 * clocks differed by. Applied as libtracecmd does it, which everybody compares with: to stamps as
 * they are in the pages, before they are converted to nanoseconds.
 *
 * With one exception: differences that are interpolated were measured by messages, on each CPU by
 * itself, and each may be wrong by half a round trip. Applied to each CPU, they would change the
 * order of events on two CPUs, which have one clock. So those of the first CPU hold for all.
 *
 *	8 bytes  id of the host's trace          then, for each CPU:
 *	4 bytes  flags, bit 0: interpolate       4 bytes  number of samples
 *	4 bytes  number of CPUs                  8 bytes each: instants, differences, factors
 *	                                         at last, if there is more: for each CPU
 *	                                         8 bytes each: bits after the point of the factors
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct time_shift_sample {
	uint64_t time;
	int64_t offset;
	uint64_t factor, bits; /* a stamp is multiplied by factor / 2^bits */
	size_t number; /* in the file */
};

struct time_shift_cpu {
	struct time_shift_sample *sample; /* by time, no two of which are equal */
	size_t count;
};

struct time_shift {
	uint64_t host_id; /* of the host's trace */
	bool interpolates;
	struct time_shift_cpu *cpu;
	size_t count; /* 0: there is none */
	size_t first; /* CPU that has samples */
};

/*
 * Takes the bytes of the option. Returns 0, or with an empty *ret -EBADMSG, if they make no sense,
 * or -ERANGE, if the two clocks count different units. trace-cmd 3.1.6 to 3.4 write such samples
 * without the option -C: then they record by the TSC, but compare the TSC of the one machine with
 * the nanoseconds of the other one.
 */
int time_shift_read(struct time_shift *ret, const uint8_t *bytes, size_t size, bool is_swapped);
/* Whether each of so many CPUs has samples, or needs none. */
bool time_shift_has_all(const struct time_shift *shift, uint32_t cpus);
/* By how much the samples of other CPUs differ at most from those of the first one, in the unit of
   stamps, if these hold for all CPUs; else 0. */
uint64_t time_shift_spread(const struct time_shift *shift);
/* The stamp on the host's clock; without samples for the CPU it is left as it is. */
uint64_t time_shift_apply(const struct time_shift *shift, uint32_t cpu, uint64_t stamp);
void time_shift_release(struct time_shift *shift);
