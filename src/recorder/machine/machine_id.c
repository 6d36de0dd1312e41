/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_id.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/file/sha256.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "text_file.h"

#define LINE_BYTES_MAX 256

char *boot_line(void)
{
	struct buffer line;
	char *copy = NULL;

	buffer_init(&line, LINE_BYTES_MAX);
	buffer_puts(&line, "boot ");
	if (text_file_read("/proc/sys/kernel/random/boot_id", &line) == 0)
		copy = xstrdup(line.text); /* ends with a newline */
	buffer_release(&line);
	return copy;
}

#define ID_BYTES       16
#define FILE_BYTES_MAX 64

/* As sd_id128_get_machine_app_specific(3) does: the hash of this number, with the ID as its key. */
static const uint8_t ftwait_id[ID_BYTES] = {
	0x6a, 0x98, 0x74, 0x7a, 0x5e, 0xe8, 0x43, 0x02,
	0x9d, 0xda, 0x91, 0x7e, 0x9c, 0xde, 0xcd, 0x34,
};

static int digit_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* 32 digits and perhaps a newline. All of them 0 is no ID. */
static bool id_parse(const char *text, uint8_t ret[ID_BYTES])
{
	static const uint8_t none[ID_BYTES];

	for (unsigned i = 0; i < ID_BYTES; i++) {
		int high = digit_value(text[2 * i]);
		int low = high < 0 ? -1 : digit_value(text[2 * i + 1]);

		if (low < 0)
			return false;
		ret[i] = (uint8_t)(high << 4 | low);
	}
	text += (size_t)2 * ID_BYTES;
	return (*text == '\0' || strcmp(text, "\n") == 0) && memcmp(ret, none, ID_BYTES) != 0;
}

static void id_print(const uint8_t id[ID_BYTES], char ret[MACHINE_ID_DIGITS + 1])
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned i = 0; i < ID_BYTES; i++) {
		ret[2 * i] = digits[id[i] >> 4];
		ret[2 * i + 1] = digits[id[i] & 0xf];
	}
	ret[MACHINE_ID_DIGITS] = '\0';
}

int machine_id_read(const char *path, char ret[MACHINE_ID_DIGITS + 1])
{
	uint8_t id[ID_BYTES], hash[SHA256_BYTES];
	struct buffer text;
	int r;

	buffer_init(&text, FILE_BYTES_MAX);
	r = text_file_read(path, &text);
	if (r == 0 && !id_parse(text.text, id))
		r = -ENOENT;
	buffer_release(&text);
	if (r < 0)
		return r;
	hmac_sha256(id, sizeof(id), ftwait_id, sizeof(ftwait_id), hash);
	/* the bits that say that it is a UUID of random numbers */
	hash[6] = (uint8_t)((hash[6] & 0x0f) | 0x40);
	hash[8] = (uint8_t)((hash[8] & 0x3f) | 0x80);
	id_print(hash, ret);
	return 0;
}
