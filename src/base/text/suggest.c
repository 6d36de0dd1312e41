/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "suggest.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Compares two bytes without case. */
static bool bytes_differ(char a, char b)
{
	a = a >= 'A' && a <= 'Z' ? (char)(a - 'A' + 'a') : a;
	b = b >= 'A' && b <= 'Z' ? (char)(b - 'A' + 'a') : b;
	return a != b;
}

/* Both words are at most SUGGEST_BYTES_MAX long. */
static unsigned word_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	/* Rows of the classic table, by index modulo 3: a swap looks two rows back. */
	unsigned row[3][SUGGEST_BYTES_MAX + 1];

	for (size_t j = 0; j <= b_bytes; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_bytes; i++) {
		unsigned *now = row[i % 3];
		const unsigned *above = row[(i + 2) % 3];
		const unsigned *two_above = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= b_bytes; j++) {
			now[j] = min3(above[j] + 1, now[j - 1] + 1,
			              above[j - 1] + bytes_differ(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && !bytes_differ(a[i - 1], b[j - 2]) &&
			    !bytes_differ(a[i - 2], b[j - 1]) && two_above[j - 2] + 1 < now[j])
				now[j] = two_above[j - 2] + 1;
		}
	}
	return row[a_bytes % 3][b_bytes];
}

const char *suggest(const char *word, const char *const *candidates, size_t count)
{
	size_t word_bytes = strlen(word);
	const char *best = NULL;
	unsigned best_distance = (unsigned)(word_bytes + 1) / 3 + 1; /* rounded */

	if (word_bytes == 0 || word_bytes > SUGGEST_BYTES_MAX)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t bytes = candidates[i] ? strlen(candidates[i]) : 0;
		unsigned distance;

		if (bytes == 0 || bytes > SUGGEST_BYTES_MAX)
			continue;
		distance = word_distance(word, word_bytes, candidates[i], bytes);
		if (distance >= best_distance && word_bytes > 1 && best == NULL &&
		    strncasecmp(word, candidates[i], word_bytes) == 0)
			distance = best_distance - 1;
		if (distance < best_distance && distance < bytes) {
			best_distance = distance;
			best = candidates[i];
		}
	}
	return best;
}
