/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sha256.h"

#include <string.h>

#define BLOCK_BYTES 64
#define ROUNDS      64

/* Of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
static const uint32_t round_constant[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

static uint32_t word_at(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

/* The words that the rounds take: those of the block, then what is derived from these. */
static void schedule_fill(uint32_t schedule[ROUNDS], const uint8_t *block)
{
	for (unsigned i = 0; i < 16; i++)
		schedule[i] = word_at(block + 4 * (size_t)i);
	for (unsigned i = 16; i < ROUNDS; i++) {
		uint32_t early = schedule[i - 15], late = schedule[i - 2];

		schedule[i] = schedule[i - 16] + schedule[i - 7] +
		              (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) +
		              (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
	}
}

static void block_take(uint32_t word[8], const uint8_t *block)
{
	uint32_t schedule[ROUNDS], w[8];

	schedule_fill(schedule, block);
	memcpy(w, word, sizeof(w));
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint32_t first = w[7] + (rotate(w[4], 6) ^ rotate(w[4], 11) ^ rotate(w[4], 25)) +
		                 ((w[4] & w[5]) ^ (~w[4] & w[6])) + round_constant[i] + schedule[i];
		uint32_t second = (rotate(w[0], 2) ^ rotate(w[0], 13) ^ rotate(w[0], 22)) +
		                  ((w[0] & w[1]) ^ (w[0] & w[2]) ^ (w[1] & w[2]));

		memmove(w + 1, w, 7 * sizeof(w[0]));
		w[4] += first;
		w[0] = first + second;
	}
	for (unsigned i = 0; i < 8; i++)
		word[i] += w[i];
}

void sha256_begin(struct sha256 *hash)
{
	/* of the square roots of the first 8 primes (FIPS 180-4, 5.3.3) */
	*hash = (struct sha256){
		.word = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
	                 0x1f83d9ab, 0x5be0cd19},
	};
}

void sha256_add(struct sha256 *hash, const void *text, size_t bytes)
{
	const uint8_t *at = text;

	while (bytes > 0) {
		size_t used = hash->length % BLOCK_BYTES;
		size_t taken = bytes < BLOCK_BYTES - used ? bytes : BLOCK_BYTES - used;

		memcpy(hash->block + used, at, taken);
		hash->length += taken;
		at += taken;
		bytes -= taken;
		if (used + taken == BLOCK_BYTES)
			block_take(hash->word, hash->block);
	}
}

void sha256_end(struct sha256 *hash, uint8_t ret[SHA256_BYTES])
{
	uint64_t bits = hash->length * 8;
	uint8_t length[8];

	for (unsigned i = 0; i < 8; i++)
		length[i] = (uint8_t)(bits >> (56 - 8 * i));
	sha256_add(hash, "\x80", 1);
	while (hash->length % BLOCK_BYTES != BLOCK_BYTES - sizeof(length))
		sha256_add(hash, "", 1);
	sha256_add(hash, length, sizeof(length));
	for (unsigned i = 0; i < SHA256_BYTES; i++)
		ret[i] = (uint8_t)(hash->word[i / 4] >> (24 - 8 * (i % 4)));
}

/* The hash of the key, each byte of which is changed by `pad`, and then the text. */
static void padded_hash(const uint8_t key[BLOCK_BYTES], uint8_t pad, const void *text, size_t bytes,
                        uint8_t ret[SHA256_BYTES])
{
	uint8_t padded[BLOCK_BYTES];
	struct sha256 hash;

	for (unsigned i = 0; i < BLOCK_BYTES; i++)
		padded[i] = key[i] ^ pad;
	sha256_begin(&hash);
	sha256_add(&hash, padded, sizeof(padded));
	sha256_add(&hash, text, bytes);
	sha256_end(&hash, ret);
}

void hmac_sha256(const void *key, size_t key_bytes, const void *text, size_t text_bytes,
                 uint8_t ret[SHA256_BYTES])
{
	uint8_t block[BLOCK_BYTES] = {0}, inner[SHA256_BYTES];
	struct sha256 hash;

	if (key_bytes > BLOCK_BYTES) {
		sha256_begin(&hash);
		sha256_add(&hash, key, key_bytes);
		sha256_end(&hash, block);
	} else {
		memcpy(block, key, key_bytes);
	}
	padded_hash(block, 0x36, text, text_bytes, inner);
	padded_hash(block, 0x5c, inner, sizeof(inner), ret);
}
