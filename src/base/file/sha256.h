/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 (FIPS 180-4), and HMAC with it (RFC 2104), of texts in memory. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32

struct sha256 {
	uint32_t word[8];
	uint8_t block[64]; /* what of the text fills no block so far */
	uint64_t length;   /* bytes of the text so far */
};

void sha256_begin(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *text, size_t bytes);
void sha256_end(struct sha256 *hash, uint8_t ret[SHA256_BYTES]);

void hmac_sha256(const void *key, size_t key_bytes, const void *text, size_t text_bytes,
                 uint8_t ret[SHA256_BYTES]);
