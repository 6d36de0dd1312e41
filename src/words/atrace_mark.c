/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "atrace_mark.h"

#include <string.h>

/* Takes the next field, up to a bar or the end. */
static struct text take_field(struct text *rest)
{
	const char *bar = memchr(rest->at, '|', rest->length);
	struct text field = {rest->at, bar ? (uint32_t)(bar - rest->at) : rest->length};
	uint32_t taken = bar ? field.length + 1 : field.length;

	rest->at += taken;
	rest->length -= taken;
	return field;
}

static bool read_process(struct text field, int32_t *ret)
{
	int32_t tgid = 0;

	for (uint32_t i = 0; i < field.length; i++) {
		int digit = field.at[i] - '0';

		if (digit < 0 || digit > 9 || tgid > (INT32_MAX - digit) / 10)
			return false;
		tgid = tgid * 10 + digit;
	}
	*ret = tgid;
	return true;
}

/* The name may contain bars: the cookie follows the last bar. */
static void split_cookie(struct text rest, struct atrace_mark *mark)
{
	const char *bar = memrchr(rest.at, '|', rest.length);

	mark->name = rest;
	if (!bar)
		return;
	mark->name.length = (uint32_t)(bar - rest.at);
	mark->cookie = (struct text){bar + 1, rest.length - mark->name.length - 1};
}

bool atrace_mark_parse(struct text text, struct atrace_mark *ret)
{
	static const char kinds[] = "BESFCIGHN";

	text.length = (uint32_t)strnlen(text.at, text.length);
	while (text.length && text.at[text.length - 1] == '\n')
		text.length--;
	if (text.length == 0 || !memchr(kinds, text.at[0], sizeof(kinds) - 1))
		return false;
	*ret = (struct atrace_mark){.kind = text.at[0], .name = {"", 0}, .cookie = {"", 0}};
	if (text.length == 1)
		return ret->kind == 'E';
	if (text.at[1] != '|')
		return false;
	text.at += 2;
	text.length -= 2;
	if (!read_process(take_field(&text), &ret->tgid))
		return false;
	if (ret->kind == 'S' || ret->kind == 'F' || ret->kind == 'C')
		split_cookie(text, ret);
	else if (ret->kind == 'B' || ret->kind == 'I')
		ret->name = text;
	return ret->kind == 'E' || text.length > 0;
}
