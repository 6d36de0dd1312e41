/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_probe.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "text_encoding.h"
#include "text_head.h"
#include "text_layout.h"
#include "text_line.h"
#include "text_unread.h"

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
