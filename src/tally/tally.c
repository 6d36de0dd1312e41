/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tally.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/order.h"
#include "base/xalloc.h"

void tally_init(struct tally *tally, size_t row_bytes, size_t key_bytes, size_t most)
{
	assert(key_bytes <= row_bytes && most <= TALLY_NO_LIMIT);
	*tally = (struct tally){.row_bytes = row_bytes, .key_bytes = key_bytes, .most = most};
	map_init(&tally->by_hash);
}

void tally_release(struct tally *tally)
{
	free(tally->row);
	map_release(&tally->by_hash);
	*tally = (struct tally){0};
}

void tally_clear(struct tally *tally)
{
	tally->count = 0;
	tally->left_out = 0;
	map_clear(&tally->by_hash);
}

void *tally_add(struct tally *tally)
{
	if (tally->count >= tally->most) {
		tally->left_out++;
		return NULL;
	}
	if (tally->count == tally->capacity) {
		tally->capacity = tally->capacity ? tally->capacity * 2 : 8;
		tally->row = xreallocarray(tally->row, tally->capacity, tally->row_bytes);
	}
	assert(tally->row_bytes && tally->count < tally->capacity);
	return memset(tally_at(tally, tally->count++), 0, tally->row_bytes);
}

void *tally_make(struct tally *tally, uint64_t hash, const void *wanted)
{
	void *row = tally_add(tally);

	assert(tally->key_bytes && map_get(&tally->by_hash, hash) == MAP_NONE);
	if (!row)
		return NULL;
	map_put(&tally->by_hash, hash, (uint32_t)tally->count - 1);
	return memcpy(row, wanted, tally->key_bytes);
}

static uint64_t key_hash(const char *key, size_t bytes)
{
	uint64_t hash = 0, word;
	uint32_t half;

	for (; bytes >= sizeof(word); bytes -= sizeof(word), key += sizeof(word)) {
		memcpy(&word, key, sizeof(word));
		hash = hash_mix(hash, word);
	}
	if (bytes == 0)
		return hash;
	memcpy(&half, key, sizeof(half));
	return hash_mix(hash, half);
}

/* Keys are so short that a call of memcmp() would take longer. */
static bool key_is(const char *a, const char *b, size_t bytes)
{
	for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t)) {
		if (memcmp(a, b, sizeof(uint64_t)) != 0)
			return false;
		a += sizeof(uint64_t);
		b += sizeof(uint64_t);
	}
	return bytes == 0 || memcmp(a, b, sizeof(uint32_t)) == 0;
}

/* The row with that key, or NULL and in *ret_hash the hash to make it by. */
static inline void *find_bytes(const struct tally *tally, const void *key, uint64_t *ret_hash)
{
	uint64_t hash = key_hash(key, tally->key_bytes);
	uint32_t number;

	ASSUME(tally->key_bytes && tally->key_bytes % sizeof(uint32_t) == 0);
	MAP_HASH_EACH(&tally->by_hash, hash, number)
		if (key_is(tally_at(tally, number), key, tally->key_bytes))
			return tally_at(tally, number);
	*ret_hash = hash;
	return NULL;
}

void *tally_find(const struct tally *tally, const void *key)
{
	uint64_t hash;

	return find_bytes(tally, key, &hash);
}

void *tally_row(struct tally *tally, const void *key)
{
	uint64_t hash = 0; /* find_bytes() sets it; some compilers cannot see that */
	void *row = find_bytes(tally, key, &hash);

	return row ? row : tally_make(tally, hash, key);
}

void tally_keep(struct tally *tally, bool (*is_kept)(void *row, void *state), void *state)
{
	size_t count = tally->count;
	uint64_t key;

	assert(tally->key_bytes == sizeof(key));
	tally_clear(tally);
	for (size_t i = 0; i < count; i++) {
		char *row = (char *)tally->row + i * tally->row_bytes;

		if (!is_kept(row, state))
			continue;
		memcpy(&key, row, sizeof(key));
		map_put(&tally->by_hash, key, (uint32_t)tally->count);
		memmove(tally_at(tally, tally->count++), row, tally->row_bytes);
	}
}

void tally_sort(struct tally *tally, int (*compare)(const void *a, const void *b, void *state),
                void *state)
{
	map_clear(&tally->by_hash);
	if (tally->count > 1)
		qsort_r(tally->row, tally->count, tally->row_bytes, compare, state);
}

void keyed_sums_init(struct keyed_sums *sums, size_t element_bytes, size_t most)
{
	assert(element_bytes >= sizeof(struct keyed_sum));
	sums->total = 0;
	tally_init(&sums->tally, element_bytes, sizeof(uint64_t),
	           most < TALLY_NO_LIMIT ? most : TALLY_NO_LIMIT);
}

static int sum_compare(const void *a, const void *b, void *state)
{
	const struct keyed_sum *x = a, *y = b;

	(void)state;
	return ORDER_BY(FALLING(x, y, total), RISING(x, y, key));
}

void keyed_sums_sort(struct keyed_sums *sums)
{
	tally_sort(&sums->tally, sum_compare, NULL);
}

static void forget_lighter_half(struct keyed_sums *sums)
{
	assert(sums->count > 1);
	keyed_sums_sort(sums);
	sums->count /= 2;
	for (size_t i = 0; i < sums->count; i++) {
		const struct keyed_sum *sum = keyed_sums_at(sums, i);

		map_put(&sums->tally.by_hash, sum->key, (uint32_t)i);
	}
}

void *keyed_sums_of(struct keyed_sums *sums, uint64_t key)
{
	void *sum = keyed_sums_find(sums, key);

	if (sum)
		return sum;
	if (sums->count == sums->tally.most)
		forget_lighter_half(sums);
	return tally_of(&sums->tally, key);
}

void keyed_sums_add(struct keyed_sums *sums, const struct keyed_sum *more)
{
	struct keyed_sum *sum = keyed_sums_of(sums, more->key);

	ASSUME(sum->key == more->key);
	sum->total += more->total;
	sum->count += more->count;
	sum->extra += more->extra;
	sums->total += more->total;
}

void keyed_sums_add_time(struct keyed_sums *sums, uint64_t key, nsec_t time)
{
	if (time)
		keyed_sums_add(sums, &(struct keyed_sum){.key = key, .total = time});
}

const struct keyed_sum *keyed_sums_most(const struct keyed_sums *sums)
{
	const struct keyed_sum *most = NULL;

	for (size_t i = 0; i < sums->count; i++) {
		const struct keyed_sum *sum = keyed_sums_at(sums, i);

		if (!most || sum->total > most->total)
			most = sum;
	}
	return most;
}
