/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "buffer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain_bytes.h"
#include "base/xalloc.h"
#include "format.h"
#include "utf8.h"

void buffer_init(struct buffer *buffer, size_t limit)
{
	*buffer = (struct buffer){.limit = limit, .capacity = 64};
	buffer->text = xmalloc(buffer->capacity);
	buffer->text[0] = '\0';
}

void buffer_release(struct buffer *buffer)
{
	free(buffer->text);
	*buffer = (struct buffer){0};
}

void buffer_clear(struct buffer *buffer)
{
	buffer->length = 0;
	buffer->is_cut = false;
	if (buffer->text)
		buffer->text[0] = '\0';
}

void buffer_truncate(struct buffer *buffer, size_t length)
{
	buffer->length = length;
	buffer->text[length] = '\0';
}

/* Whether `length` more bytes fit without growing, and within the limit. */
static inline bool buffer_has_room(const struct buffer *buffer, size_t length)
{
	return length < buffer->capacity - buffer->length &&
	       length <= buffer->limit - buffer->length;
}

static size_t buffer_grow(struct buffer *buffer, size_t length)
{
	size_t room;

	if (!buffer->text && buffer->limit == 0)
		buffer->limit = BUFFER_LIMIT_DEFAULT;
	room = buffer->limit - buffer->length;
	if (length > room) {
		buffer->is_cut = true;
		length = room;
	}
	if (buffer->length + length + 1 > buffer->capacity) {
		while (buffer->length + length + 1 > buffer->capacity)
			buffer->capacity = buffer->capacity ? buffer->capacity * 2 : 64;
		buffer->text = xrealloc(buffer->text, buffer->capacity);
	}
	return length;
}

/* Makes room for `length` more bytes; returns how many of them fit within the limit. */
static inline size_t buffer_reserve(struct buffer *buffer, size_t length)
{
	return buffer_has_room(buffer, length) ? length : buffer_grow(buffer, length);
}

char *buffer_room(struct buffer *buffer, size_t length)
{
	if (!buffer->text)
		(void)buffer_grow(buffer, 0);
	if (length > buffer->limit - buffer->length)
		return NULL;
	(void)buffer_reserve(buffer, length);
	return buffer->text + buffer->length;
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t length)
{
	length = buffer_reserve(buffer, length);
	assert(buffer->text); /* there is always room for the closing NUL */
	memcpy(buffer->text + buffer->length, bytes, length);
	buffer->length += length;
	buffer->text[buffer->length] = '\0';
}

void buffer_puts(struct buffer *buffer, const char *text)
{
	buffer_append(buffer, text, strlen(text));
}

void buffer_putc_growing(struct buffer *buffer, char c)
{
	if (buffer_reserve(buffer, 1) == 0)
		return;
	buffer->text[buffer->length++] = c;
	buffer->text[buffer->length] = '\0';
}

void buffer_put_u64(struct buffer *buffer, uint64_t value)
{
	char *to = buffer_room(buffer, DIGITS_MAX), digits[DIGITS_MAX];

	if (to)
		buffer_end(buffer, digits_put(to, value));
	else
		buffer_append(buffer, digits, (size_t)(digits_put(digits, value) - digits));
}

void buffer_put_i64(struct buffer *buffer, int64_t value)
{
	if (value < 0)
		buffer_putc(buffer, '-');
	buffer_put_u64(buffer, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void buffer_put_blanks(struct buffer *buffer, size_t count)
{
	count = buffer_reserve(buffer, count);
	memset(buffer->text + buffer->length, ' ', count);
	buffer->length += count;
	buffer->text[buffer->length] = '\0';
}

void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments)
{
	size_t room = buffer->capacity - buffer->length, fits; /* with the closing NUL */
	va_list again;
	int length;

	if (room > buffer->limit - buffer->length)
		room = buffer->limit - buffer->length + 1;
	va_copy(again, arguments);
	length = vsnprintf(room ? buffer->text + buffer->length : NULL, room, format, arguments);
	fits = length > 0 ? (size_t)length : 0;
	if (fits >= room) {
		fits = buffer_reserve(buffer, fits);
		(void)vsnprintf(buffer->text + buffer->length, fits + 1, format, again);
	}
	va_end(again);
	buffer->length += fits;
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	buffer_vprintf(buffer, format, arguments);
	va_end(arguments);
}

int buffer_fail(struct buffer *buffer, int result, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	buffer_vprintf(buffer, format, arguments);
	va_end(arguments);
	return result;
}

/* Appends one character that is not plain; returns its size in bytes. */
static size_t foreign_append(struct buffer *buffer, const char *text, size_t length)
{
	uint32_t code = 0;
	size_t size = utf8_decode(text, length, &code);

	if (size == 0 || utf8_is_control(code)) {
		/* The continuation bytes of a control character are then handled alone: they are no
		   UTF-8. */
		buffer_printf(buffer, "\\x%02x", (unsigned char)text[0]);
		return 1;
	}
	buffer_append(buffer, text, size);
	return size;
}

void buffer_puts_clean(struct buffer *buffer, const char *text, size_t length)
{
	while (length > 0) {
		size_t size = plain_bytes(text, length, '\0', '\0');

		if (size > 0)
			buffer_append(buffer, text, size);
		else
			size = foreign_append(buffer, text, length);
		text += size;
		length -= size;
	}
}

void buffer_cut_columns(struct buffer *text, size_t columns, const char *mark)
{
	if (utf8_columns(text->text) <= columns)
		return;
	buffer_truncate(text, utf8_prefix(text->text, columns - strlen(mark)));
	buffer_puts(text, mark);
}
