/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is summed by key. A tally has rows, all of one size and found by their keys; the caller adds
 * to the members of a row what it sums: times, counts, votes (voter.h).
 *
 * A row begins with its key, and a new row is zero behind it. There are three sorts of keys:
 *
 *	number  tally_of() and tally_get() take a uint64_t. A row need not have it as a member: then
 *		tally_make() makes what tally_get() has not found, as a copy of a whole row.
 *	bytes   tally_row() and tally_find() compare keys as bytes. A key must have no padding, and
 *		a size that 4 divides.
 *	any     tally_row_of() and tally_find_of() take a hash of the key, and a function that
 *		compares a row with what is wanted: for keys of which some members do not
 *		count, or that are alike without being equal. Keys that are alike have one hash.
 *
 * One tally has keys of one sort. Rows are numbered in the order in which they were made, and stay
 * where they are, so a number may stand for a row: in the key of a row of another tally, the shares
 * of the first one, it says of which row that is a share.
 *
 * Of what is beyond `most` rows, calls are only counted, in left_out.
 *
 * A union shows the rows by their type, as the first members of a tally are `row` and `count`:
 *
 *	struct stay_sum {
 *		struct {uint32_t cpu, task;} key;
 *		nsec_t total;
 *	};
 *	struct x {
 *		TALLY(stays, struct stay_sum, stay, stay_count);
 *	};
 *
 *	tally_init(&x->stays, sizeof(*x->stay), sizeof(x->stay->key), STAYS_MAX);
 *	sum = tally_row(&x->stays, &key);			// for each stay
 *	if (sum)
 *		sum->total += end - begin;
 *	...
 *	for (size_t i = 0; i < x->stay_count; i++)		// or TALLY_EACH()
 *		... x->stay[i].total ...
 *	tally_release(&x->stays);
 *
 * A row costs its own bytes and at most 64 in the map. Finding or making one is O(1) expected; the
 * pointer is valid until another one is made. What rows own is the caller's to release.
 *
 * Order of calls: init; then any of row, add, find; then sort, after which no key is found until
 * tally_clear(); release. Only tally_sort() and tally_keep() move rows.
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assume.h"
#include "base/data/map.h"
#include "ftwait/nsec.h"

#define TALLY_NO_LIMIT UINT32_MAX

struct tally {
	void *row;
	size_t count;
	uint64_t left_out; /* calls for a new row for which there was no room */
	size_t capacity, row_bytes, key_bytes, most;
	struct map by_hash;
};

/* A tally as a member of that name, and its rows by their type. */
#define TALLY(name, type, row_name, count_name)                                                \
	union {                                                                                \
		struct tally name;                                                             \
		struct {                                                                       \
			type *row_name;                                                        \
			size_t count_name;                                                     \
		};                                                                             \
	}

/* Each row, in order; `at` points to the type of the rows. */
#define TALLY_EACH(of, at)                                                                     \
	for ((at) = (of)->row; tally_has(of, at, sizeof(*(at))); (at)++)

/* The same, with a pointer of its own. */
#define TALLY_ROWS(of, type, at)                                                               \
	for (type *(at) = (of)->row; tally_has(of, at, sizeof(*(at))); (at)++)

/* Whether the row is the `wanted` one, as far as keys go. */
typedef bool tally_alike(const void *row, const void *wanted);

/* key_bytes: how much of what is wanted a new row takes over; 0: rows have no keys, and only
   tally_add() makes them. */
void tally_init(struct tally *tally, size_t row_bytes, size_t key_bytes, size_t most);
void tally_release(struct tally *tally);
/* Forgets all rows; the memory stays. */
void tally_clear(struct tally *tally);
/* The row with that key; it is made if there is none. NULL: there is no room. */
void *tally_row(struct tally *tally, const void *key);
/* The row with that key; NULL: there is none. */
void *tally_find(const struct tally *tally, const void *key);
/* A new row without a key, all zero. NULL: there is no room. */
void *tally_add(struct tally *tally);
/* Makes the row that tally_find_of() has not found by its hash, or tally_get() by its number. NULL:
   there is no room. */
void *tally_make(struct tally *tally, uint64_t hash, const void *wanted);
/* Forgets the rows that are not `is_kept`, which may change a row but for its key; the others keep
   their order. For keys that are numbers. */
void tally_keep(struct tally *tally, bool (*is_kept)(void *row, void *state), void *state);
/* Sorts the rows as qsort_r() does; `state` goes to the comparison. */
void tally_sort(struct tally *tally, int (*compare)(const void *a, const void *b, void *state),
                void *state);

static inline void *tally_at(const struct tally *tally, size_t number)
{
	ASSUME(number <= tally->count); /* that behind the last one ends a loop */
	return (char *)tally->row + number * tally->row_bytes;
}

/* The inverse of tally_at(). */
static inline uint32_t tally_number(const struct tally *tally, const void *row)
{
	ASSUME((const char *)row >= (const char *)tally->row &&
	       (const char *)row < (const char *)tally->row + tally->count * tally->row_bytes);
	return (uint32_t)((size_t)((const char *)row - (const char *)tally->row) /
	                  tally->row_bytes);
}

/* For TALLY_EACH(). */
static inline bool tally_has(const struct tally *tally, const void *row, size_t row_bytes)
{
	assert(tally->count == 0 || row_bytes == tally->row_bytes);
	return tally->count && row < tally_at(tally, tally->count);
}

/* As tally_find(), for a key that is a number. */
static inline void *tally_get(const struct tally *tally, uint64_t key)
{
	uint32_t number = map_get(&tally->by_hash, key);

	return number == MAP_NONE ? NULL : tally_at(tally, number);
}

/* As tally_row(), for a key that is a number. */
static inline void *tally_of(struct tally *tally, uint64_t key)
{
	void *row = tally_get(tally, key);

	assert(tally->key_bytes == sizeof(key));
	return row ? row : tally_make(tally, key, &key);
}

/* As tally_find(), for keys of any sort. If there is no such row, *hash becomes the hash by which
   tally_make() makes it. Inline, and so is the comparison where it is known. */
static inline void *tally_find_of(const struct tally *tally, uint64_t *hash, const void *wanted,
                                  tally_alike *is_alike)
{
	uint32_t number;

	MAP_HASH_EACH(&tally->by_hash, *hash, number)
		if (is_alike(tally_at(tally, number), wanted))
			return tally_at(tally, number);
	return NULL;
}

/* As tally_row(), for keys of any sort. */
static inline void *tally_row_of(struct tally *tally, uint64_t hash, const void *wanted,
                                 tally_alike *is_alike)
{
	void *row = tally_find_of(tally, &hash, wanted, is_alike);

	return row ? row : tally_make(tally, hash, wanted);
}

/*
 * Sums by key. An element begins with a struct keyed_sum and may be larger. Of sums with a limit
 * only the heaviest sums matter: if there are more than KEYED_SUMS_HEAVY, the lighter half is
 * forgotten, along with the other members of these elements. So there the sum of a key that comes
 * in small pieces among very many other keys may be too low, but never too high. O(1) amortised.
 */

#define KEYED_SUMS_HEAVY 2048

struct keyed_sum {
	uint64_t key;
	nsec_t total;
	uint64_t count, extra; /* extra: a second sum, for the caller's use */
};

struct keyed_sums {
	/* by first sight until one is forgotten or they are sorted */
	TALLY(tally, void, element, count);
	nsec_t total; /* of all that was added; the caller may add what belongs to no key */
};

/* element_bytes: size of an element. most: KEYED_SUMS_HEAVY, or SIZE_MAX: nothing is forgotten. */
void keyed_sums_init(struct keyed_sums *sums, size_t element_bytes, size_t most);
static inline void keyed_sums_release(struct keyed_sums *sums)
{
	tally_release(&sums->tally);
}

static inline void *keyed_sums_at(const struct keyed_sums *sums, size_t index)
{
	return tally_at(&sums->tally, index);
}

/* The element of the key; NULL: there is none. Not once the elements are sorted. */
static inline void *keyed_sums_find(const struct keyed_sums *sums, uint64_t key)
{
	return tally_get(&sums->tally, key);
}

/* The same, but makes one of zeroes if there is none. Valid until the next call. */
void *keyed_sums_of(struct keyed_sums *sums, uint64_t key);
/* Adds `more` to the sum of its key. */
void keyed_sums_add(struct keyed_sums *sums, const struct keyed_sum *more);
/* Adds a time, unless it is 0. */
void keyed_sums_add_time(struct keyed_sums *sums, uint64_t key, nsec_t time);
/* The first one of the heaviest sums; NULL: there are none. */
const struct keyed_sum *keyed_sums_most(const struct keyed_sums *sums);
/* Sorts them, the largest total first. Call once, after everything is added. */
void keyed_sums_sort(struct keyed_sums *sums);
