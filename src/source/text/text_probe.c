/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_probe.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "text_head.h"
#include "text_layout.h"
#include "text_unread.h"

enum text_encoding text_encoding_detect(const void *bytes, size_t size, size_t *ret_mark)
{
	const unsigned char *at = bytes;

	*ret_mark = 2;
	if (size >= 2 && at[0] == 0xff && at[1] == 0xfe)
		return TEXT_UTF16_LITTLE;
	if (size >= 2 && at[0] == 0xfe && at[1] == 0xff)
		return TEXT_UTF16_BIG;
	*ret_mark = 0;
	if (size >= 4 && at[0] && !at[1] && at[2] && !at[3])
		return TEXT_UTF16_LITTLE;
	if (size >= 4 && !at[0] && at[1] && !at[2] && at[3])
		return TEXT_UTF16_BIG;
	if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
		*ret_mark = 3;
	return TEXT_BYTES;
}

size_t text_encoding_decode(enum text_encoding encoding, char *bytes, size_t size)
{
	size_t low = encoding == TEXT_UTF16_BIG;

	if (encoding == TEXT_BYTES)
		return size;
	for (size_t i = 0; i < size / 2; i++) {
		char c = bytes[2 * i + low];

		bytes[i] = bytes[2 * i + 1 - low] || (c & 0x80) ? '?' : c;
	}
	return size / 2;
}

bool text_line_is_escaped(struct text_line line)
{
	static const char *const signs[] = {"=&gt; ", "&lt;idle&gt;-", "&lt;...&gt;-"};

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (memmem(line.at, line_length(line), signs[i], strlen(signs[i])))
			return true;
	return false;
}

char *text_line_unescape(char *at, const char *end)
{
	static const struct {
		const char *entity;
		char byte;
	} rows[] = {
		{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&#39;", '\''},
		{"&#34;", '"'}, {"&nbsp;", ' '},
	};
	char *to = at;

	while (at < end) {
		struct text_line rest = {at, end};
		size_t i = 0;

		while (*at == '&' && i < ARRAY_SIZE(rows) && !line_skip(&rest, rows[i].entity))
			i++;
		if (rest.at > at) {
			at += strlen(rows[i].entity);
			*to++ = rows[i].byte;
		} else {
			*to++ = *at++;
		}
	}
	return to;
}

static bool bytes_are_text(const unsigned char *at, size_t size)
{
	static const char controls[] = "\n\r\t\b\f\033";

	for (size_t i = 0; i < size; i++)
		if ((at[i] < ' ' && !memchr(controls, at[i], sizeof(controls) - 1)) ||
		    at[i] == 0x7f)
			return false;
	return size > 0;
}

/* A copy of the bytes behind their byte order mark, decoded. */
static char *bytes_decode(const void *bytes, size_t size, size_t *ret_size)
{
	char *copy = xmalloc(size + 1);
	size_t mark;
	enum text_encoding encoding = text_encoding_detect(bytes, size, &mark);

	memcpy(copy, (const char *)bytes + mark, size - mark);
	*ret_size = text_encoding_decode(encoding, copy, size - mark);
	return copy;
}

bool text_probe_is_text(const void *bytes, size_t size)
{
	size_t length;
	_cleanup_(freep) char *text = bytes_decode(bytes, size, &length);

	return bytes_are_text((const unsigned char *)text, length);
}

bool text_probe_line_is_event(struct text_line line)
{
	struct text_unread unread = {0};
	struct text_head head;
	char entry[TEXT_WAKEUP_BYTES];
	bool has_time;

	if (text_head_parse(line, NULL, &head) || text_graph_parse(line, &head, &has_time)) {
		text_wakeup_rewrite(&head, entry);
		return text_line_is_event(head.rest);
	}
	return text_unread_see(&unread, line, 0);
}

bool text_probe_has_event(const char *bytes, size_t size)
{
	size_t length;
	_cleanup_(freep) char *text = bytes_decode(bytes, size, &length);
	const char *at = text, *end = text + length;
	struct text_line line;

	if (text_probe_is_page(text, length))
		return true;
	while (line_next(&at, end, &line))
		if (line.end < end && text_probe_line_is_event(line))
			return true;
	return false;
}
