/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_option.h"

#include <string.h>

#include "datfile_head.h"

bool datfile_option_next(const struct buffer *options, size_t *at, struct option_place *ret)
{
	size_t head = sizeof(ret->id) + sizeof(ret->bytes);

	if (options->length - *at < head)
		return false;
	memcpy(&ret->id, options->text + *at, sizeof(ret->id));
	memcpy(&ret->bytes, options->text + *at + sizeof(ret->id), sizeof(ret->bytes));
	ret->text = options->text + *at + head;
	if (ret->bytes > options->length - *at - head)
		return false;
	*at += head + ret->bytes;
	return true;
}

bool datfile_find_clock(const struct buffer *options, const char **ret, uint64_t *ret_bytes)
{
	struct option_place option;
	size_t at = 0;

	while (datfile_option_next(options, &at, &option)) {
		const char *open = NULL, *close = NULL;

		if (option.id == DATFILE_OPTION_CLOCK)
			open = memchr(option.text, '[', option.bytes);
		if (open)
			close = memchr(open, ']', option.bytes - (size_t)(open - option.text));
		if (close) {
			*ret = open;
			*ret_bytes = (uint64_t)(close - open) + 1;
			return true;
		}
	}
	return false;
}
