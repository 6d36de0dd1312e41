/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/file/sha256.h"

#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "suites.h"

static void check_hash(const uint8_t hash[SHA256_BYTES], const char *digits)
{
	char text[2 * SHA256_BYTES + 1];

	for (size_t i = 0; i < SHA256_BYTES; i++)
		(void)snprintf(text + 2 * i, 3, "%02x", hash[i]);
	ck_assert_str_eq(text, digits);
}

/* The examples of FIPS 180-2, appendix B, and those of NIST for more and for no text. */
START_TEST(hashes_are_those_of_the_standard)
{
	static const struct {
		const char *text, *hash;
	} cases[] = {
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		{"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq"
	         "klmnopqrlmnopqrsmnopqrstnopqrstu",
	         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint8_t hash[SHA256_BYTES];
		struct sha256 sha256;

		sha256_begin(&sha256);
		sha256_add(&sha256, cases[i].text, strlen(cases[i].text));
		sha256_end(&sha256, hash);
		check_hash(hash, cases[i].hash);
	}
}
END_TEST

/* A million times "a", however it is cut into pieces. */
START_TEST(pieces_change_nothing)
{
	static const size_t pieces[] = {1, 55, 56, 63, 64, 65, 1000, 1000000};
	static char text[1000000];

	memset(text, 'a', sizeof(text));
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		uint8_t hash[SHA256_BYTES];
		struct sha256 sha256;

		sha256_begin(&sha256);
		for (size_t at = 0; at < sizeof(text); at += pieces[i])
			sha256_add(&sha256, text + at,
			           at + pieces[i] > sizeof(text) ? sizeof(text) - at : pieces[i]);
		sha256_end(&sha256, hash);
		check_hash(hash,
		           "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	}
}
END_TEST

static void fill(struct buffer *text, char byte, size_t count)
{
	buffer_init(text, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < count; i++)
		buffer_putc(text, byte);
}

/* The cases of RFC 4231; 6 and 7 have keys longer than a block. */
START_TEST(keyed_hashes_are_those_of_the_standard)
{
	static const char jefe[] = "what do ya want for nothing?";
	static const char larger[] = "This is a test using a larger than block-size key and a larger "
		"than block-size data. The key needs to be hashed before being used by the HMAC "
		"algorithm.";
	static const struct {
		char key;
		size_t key_bytes;
		const char *text; /* NULL: 50 times 0xdd */
		const char *hash;
	} cases[] = {
		{'\x0b', 20, "Hi There",
	         "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
		{'\xaa', 20, NULL,
	         "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
		{'\xaa', 131, "Test Using Larger Than Block-Size Key - Hash Key First",
	         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
		{'\xaa', 131, larger,
	         "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
	};
	uint8_t hash[SHA256_BYTES];

	hmac_sha256("Jefe", 4, jefe, strlen(jefe), hash);
	check_hash(hash, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buffer key, text;

		fill(&key, cases[i].key, cases[i].key_bytes);
		fill(&text, '\xdd', cases[i].text ? 0 : 50);
		if (cases[i].text)
			buffer_puts(&text, cases[i].text);
		hmac_sha256(key.text, key.length, text.text, text.length, hash);
		check_hash(hash, cases[i].hash);
		buffer_release(&key);
		buffer_release(&text);
	}
}
END_TEST

Suite *sha256_suite(void)
{
	Suite *suite = suite_create("sha256");
	TCase *tests = tcase_create("sha256");

	tcase_add_test(tests, hashes_are_those_of_the_standard);
	tcase_add_test(tests, pieces_change_nothing);
	tcase_add_test(tests, keyed_hashes_are_those_of_the_standard);
	suite_add_tcase(suite, tests);
	return suite;
}
