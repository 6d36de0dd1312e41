/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record_stacks.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "capture/instance/capture_session.h"

#define KERNEL_STACKS (CAPTURE_STACKS_SLEEP | CAPTURE_STACKS_WAKE)

static const struct {
	const char *name;
	unsigned kind;
} kinds[] = {
	{"sleep", CAPTURE_STACKS_SLEEP},
	{"wake", CAPTURE_STACKS_WAKE},
	{"user", CAPTURE_STACKS_USER},
};

const char *record_stacks_at(size_t index)
{
	return index < ARRAY_SIZE(kinds) ? kinds[index].name : NULL;
}

static unsigned kind_find(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, name, length) == 0)
			return kinds[i].kind;
	return 0;
}

int record_stacks_parse(const struct optional_string *option, unsigned *ret, struct buffer *why)
{
	const char *at = option->text;
	unsigned stacks = 0;

	*ret = option->is_given ? KERNEL_STACKS : 0;
	if (!at)
		return 0;
	for (;;) {
		size_t length = strcspn(at, ",");
		unsigned kind = kind_find(at, length);

		if (!kind) {
			buffer_puts(why, "unknown stacks \"");
			buffer_puts_clean(why, at, length);
			buffer_puts(why, "\" (--stacks); use sleep, wake or user");
			return -EINVAL;
		}
		stacks |= kind;
		if (!at[length])
			break;
		at += length + 1;
	}
	*ret = stacks & KERNEL_STACKS ? stacks : stacks | KERNEL_STACKS;
	return 0;
}

int record_profile_parse(const struct optional_string *option, uint64_t *ret_hz,
                         struct buffer *why)
{
	*ret_hz = 0;
	if (!option->text)
		return 0;
	if (parse_u64(option->text, ret_hz) == 0 && *ret_hz > 0)
		return 0;
	buffer_puts(why, "not a number of times a second: \"");
	buffer_puts_clean(why, option->text, strlen(option->text));
	buffer_puts(why, "\" (--profile)");
	return -EINVAL;
}
