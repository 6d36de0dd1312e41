/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds runs of printable ASCII, of which nearly all texts consist. Code that cleans, quotes or
 * escapes characters copies such runs as they are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PLAIN_ALL_BYTES(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The highest bit of some byte is set if any byte is 0. */
static inline uint64_t plain_zero_bytes(uint64_t word)
{
	return (word - PLAIN_ALL_BYTES(0x01)) & ~word;
}

static inline bool plain_word(uint64_t word, char without, char nor)
{
	uint64_t below_blank = (word - PLAIN_ALL_BYTES(0x20)) & ~word;
	uint64_t other = word | below_blank | plain_zero_bytes(word ^ PLAIN_ALL_BYTES(0x7f)) |
	                 plain_zero_bytes(word ^ PLAIN_ALL_BYTES((unsigned char)without)) |
	                 plain_zero_bytes(word ^ PLAIN_ALL_BYTES((unsigned char)nor));

	return (other & PLAIN_ALL_BYTES(0x80)) == 0;
}

/* The number of leading bytes that are printable ASCII and neither of the two given bytes, which
   may be 0. */
static inline size_t plain_bytes(const char *text, size_t length, char without, char nor)
{
	size_t at = 0;
	uint64_t word;

	for (; length - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, text + at, sizeof(word));
		if (!plain_word(word, without, nor))
			break;
	}
	/* the end is shorter than a word, if it is not where a byte is not plain: as part of the
	   last word, or of two halves that overlap */
	if (length >= sizeof(word) && length - at < sizeof(word)) {
		memcpy(&word, text + length - sizeof(word), sizeof(word));
		if (plain_word(word, without, nor))
			return length;
	} else if (length >= sizeof(word) / 2 && length < sizeof(word)) {
		uint32_t first, last;

		memcpy(&first, text, sizeof(first));
		memcpy(&last, text + length - sizeof(last), sizeof(last));
		if (plain_word((uint64_t)first << 32 | last, without, nor))
			return length;
	}
	while (at < length && text[at] >= 0x20 && text[at] < 0x7f && text[at] != without &&
	       text[at] != nor)
		at++;
	return at;
}
