/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one time type. Every instant and every duration in ftwait is an unsigned count of
 * nanoseconds in the trace's own clock. Stamps up to 2^62 are accepted; the sum of two never
 * overflows, so intervals may be compared by subtraction of the smaller from the larger.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t nsec_t;

/* "Not yet" and "unknown" for instants; later than every instant of a trace. */
#define NSEC_NEVER UINT64_MAX

/* t * part / whole, rounded down; part is not larger than whole. 0 if whole is 0. */
static inline nsec_t nsec_share(nsec_t t, uint32_t part, uint32_t whole)
{
	return whole ? t / whole * part + t % whole * part / whole : 0;
}

/* 0..1; 0 if whole is 0. */
static inline double nsec_ratio(nsec_t part, nsec_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* `count` in `time` as so many a second; 0 if time is 0. Saturates: a damaged trace may claim more
   than any number. */
static inline uint64_t nsec_per_second(uint64_t count, nsec_t time)
{
	double rate = time ? (double)count * 1e9 / (double)time : 0;

	return rate < 0x1p63 ? (uint64_t)rate : UINT64_MAX;
}

static inline nsec_t nsec_min(nsec_t a, nsec_t b)
{
	return a < b ? a : b;
}

static inline nsec_t nsec_max(nsec_t a, nsec_t b)
{
	return a > b ? a : b;
}

/* Cuts a stretch to [from, to]; false if nothing of it is left. An empty stretch stays. */
static inline bool nsec_clip(nsec_t *begin, nsec_t *end, nsec_t from, nsec_t to)
{
	bool has_length = *begin < *end;

	*begin = nsec_max(*begin, from);
	*end = nsec_min(*end, to);
	return has_length ? *begin < *end : *begin <= *end;
}
