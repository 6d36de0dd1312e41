/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all calls together show of words at which tasks sleep as for a condition or a semaphore,
 * enum futex_sign: the calls of one wait alone seldom show which of both it is. By process and by
 * the 8 bytes that the word lies in: a condition variable of glibc has two words there, a semaphore
 * has one.
 */
#pragma once

#include "base/data/map.h"

struct futex_words {
	struct map signs_by_word;
};

void futex_words_init(struct futex_words *words);
void futex_words_release(struct futex_words *words);
/* Adds a sign. `process` is any number that all threads of a process share. */
void futex_words_add(struct futex_words *words, uint64_t process, uint64_t address,
                     uint32_t sign);
/* All signs that were added; 0: none. */
uint32_t futex_words_find(const struct futex_words *words, uint64_t process, uint64_t address);
