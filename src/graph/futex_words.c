/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "futex_words.h"

/* The most words that are remembered; of others only the calls of each wait count. */
#define WORDS_MAX (1u << 16)

static uint64_t word_key(uint64_t process, uint64_t address)
{
	return hash_mix(process, address >> 3);
}

void futex_words_init(struct futex_words *words)
{
	map_init(&words->signs_by_word);
}

void futex_words_release(struct futex_words *words)
{
	map_release(&words->signs_by_word);
}

void futex_words_add(struct futex_words *words, uint64_t process, uint64_t address, uint32_t sign)
{
	uint32_t known = futex_words_find(words, process, address);

	if ((known & sign) != sign && (known || words->signs_by_word.count < WORDS_MAX))
		map_put(&words->signs_by_word, word_key(process, address), known | sign);
}

uint32_t futex_words_find(const struct futex_words *words, uint64_t process, uint64_t address)
{
	uint32_t signs = map_get(&words->signs_by_word, word_key(process, address));

	return signs == MAP_NONE ? 0 : signs;
}
