/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `record --label KEY=VALUE` says about a recording, such as the board's firmware. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define LABELS_MAX       64
#define LABEL_KEY_MAX    63  /* bytes */
#define LABEL_VALUE_MAX  255 /* bytes */

struct label {
	const char *key;   /* letters, digits, "_", "-" and "."; never empty */
	const char *value; /* UTF-8 or not; may be empty */
};

static inline bool label_key_has(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.';
}

/* Whether the `length` bytes are a key. */
static inline bool label_key_is_valid(const char *key, size_t length)
{
	if (length == 0 || length > LABEL_KEY_MAX)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!label_key_has(key[i]))
			return false;
	return true;
}
