/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers that a seed determines (splitmix64). Good enough for tests, useless for secrets.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* 0 .. limit - 1, where the limit fits into an unsigned; 0 where it is 0. */
static inline unsigned random_below(struct random *random, size_t limit)
{
	return limit ? (unsigned)(random_next(random) % limit) : 0;
}

static inline bool random_chance(struct random *random, unsigned percent)
{
	return random_below(random, 100) < percent;
}
