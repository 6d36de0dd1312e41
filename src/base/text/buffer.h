/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text builder with a limit. `text` is always terminated by NUL; it is never NULL after
 * buffer_init(). A buffer of zeroes is empty, too: its limit is BUFFER_LIMIT_DEFAULT, and its text
 * is NULL until something is appended. Text beyond `limit` bytes is cut; then `is_cut` is set.
 * Embedded bytes of value 0 are allowed through buffer_append().
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer {
	char *text;
	size_t length; /* bytes without the closing NUL */
	size_t capacity;
	size_t limit; /* largest length */
	bool is_cut;
};

#define BUFFER_LIMIT_DEFAULT (1u << 20)

void buffer_init(struct buffer *buffer, size_t limit);
/* The same as an initialiser. */
static inline struct buffer buffer_of(size_t limit)
{
	struct buffer buffer;

	buffer_init(&buffer, limit);
	return buffer;
}

void buffer_release(struct buffer *buffer);
void buffer_clear(struct buffer *buffer);
/* Shortens the text to `length` bytes. */
void buffer_truncate(struct buffer *buffer, size_t length);
/* Cuts valid UTF-8 to so many columns, the last of which are `mark`, which is ASCII; a text that
   fits stays. */
void buffer_cut_columns(struct buffer *text, size_t columns, const char *mark);
/*
 * For callers that write many small pieces: returns room for `length` bytes, without the NUL, at
 * the end of the text; NULL if that exceeds the limit. Call buffer_end() with the new end of the
 * text.
 */
char *buffer_room(struct buffer *buffer, size_t length);
static inline void buffer_end(struct buffer *buffer, char *end)
{
	*end = '\0';
	buffer->length = (size_t)(end - buffer->text);
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t length);
void buffer_puts(struct buffer *buffer, const char *text);
/* The slow path of buffer_putc(): there may be no room. */
void buffer_putc_growing(struct buffer *buffer, char c);
static inline void buffer_putc(struct buffer *buffer, char c)
{
	if (buffer->length + 1 >= buffer->capacity || buffer->length >= buffer->limit) {
		buffer_putc_growing(buffer, c);
		return;
	}
	buffer->text[buffer->length++] = c;
	buffer->text[buffer->length] = '\0';
}
/* Whole numbers, as %PRIu64 and %PRId64 write them. */
void buffer_put_u64(struct buffer *buffer, uint64_t value);
void buffer_put_i64(struct buffer *buffer, int64_t value);
void buffer_put_blanks(struct buffer *buffer, size_t count);
void buffer_printf(struct buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same; returns `result`: return buffer_fail(why, -EINVAL, "..."). */
int buffer_fail(struct buffer *buffer, int result, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments)
	__attribute__((format(printf, 2, 0)));
/* Appends bytes of unknown origin as printable UTF-8: invalid bytes and control characters become
   \xNN. */
void buffer_puts_clean(struct buffer *buffer, const char *text, size_t length);
