/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plain_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/xalloc.h"
#include "raw_event.h"
#include "raw_formats.h"

struct plain_text {
	struct raw_formats formats;
	bool is_swapped;
};

struct plain_text *plain_text_new(const struct source *source)
{
	struct plain_text *plain = xcalloc(1, sizeof(*plain));

	raw_formats_init(&plain->formats, source);
	plain->is_swapped = source->is_big_endian != byte_order_is_big();
	return plain;
}

struct plain_text *plain_text_free(struct plain_text *plain)
{
	if (!plain)
		return NULL;
	raw_formats_release(&plain->formats);
	free(plain);
	return NULL;
}

static uint32_t record_type(const struct plain_text *plain, const struct record *record)
{
	return load_u16(record->payload, plain->is_swapped);
}

/* NULL: the record has none that can be read. */
static const struct raw_format *record_format(struct plain_text *plain, const struct record *record)
{
	return record->length < 2
	               ? NULL
	               : raw_formats_find(&plain->formats, record_type(plain, record));
}

const struct raw_format *plain_text_find(struct plain_text *plain, uint32_t id)
{
	return raw_formats_find(&plain->formats, id);
}

uint32_t plain_text_format(struct plain_text *plain, const struct record *record)
{
	const struct raw_format *format = record_format(plain, record);

	return format ? format->index : PLAIN_FORMAT_NONE;
}

static bool type_has(const struct event_field *field, const char *word)
{
	return memmem(field->type.at, field->type.length, word, strlen(word)) != NULL;
}

static bool field_is_text(const struct event_field *field)
{
	return type_has(field, "char") || type_has(field, "u8") || type_has(field, "s8");
}

static bool text_is_printable(const struct text *text)
{
	for (uint32_t i = 0; i < text->length; i++)
		if (!isprint((unsigned char)text->at[i]) && !isspace((unsigned char)text->at[i]))
			return false;
	return true;
}

static void array_write(const struct event_field *field, const struct text *bytes,
                        struct buffer *to)
{
	const struct text text = {bytes->at, (uint32_t)strnlen(bytes->at, bytes->length)};

	if (field_is_text(field) && text_is_printable(&text)) {
		for (uint32_t i = 0; i < text.length; i++)
			buffer_putc(to, text.at[i] == '\n' ? ' ' : text.at[i]);
		return;
	}
	buffer_puts(to, "ARRAY[");
	for (uint32_t i = 0; i < bytes->length; i++)
		buffer_printf(to, "%s%02x", i ? ", " : "", (uint8_t)bytes->at[i]);
	buffer_putc(to, ']');
}

static void number_write(const struct event_field *field, uint64_t value, struct buffer *to)
{
	bool is_long = type_has(field, "long");

	if (memchr(field->type.at, '*', field->type.length) ||
	    (is_long && (!field->is_signed || field->size == 4)))
		buffer_printf(to, "0x%" PRIx64, value);
	else if (!field->is_signed)
		buffer_put_u64(to, value);
	else if (field->size == 8)
		buffer_put_i64(to, (int64_t)value);
	else if (field->size == 4)
		buffer_put_i64(to, (int32_t)value);
	else if (field->size == 2)
		buffer_printf(to, "%2d", (int16_t)value);
	else
		buffer_put_i64(to, (int8_t)value);
}

static void field_write(const struct raw_event *event, const struct event_field *field,
                        struct buffer *to)
{
	const struct raw_value value = raw_event_value(event, field);

	buffer_append(to, field->name.at, field->name.length);
	buffer_putc(to, '=');
	if (value.kind == RAW_NONE)
		buffer_putc(to, '?');
	else if (value.kind == RAW_TEXT || value.kind == RAW_BYTES)
		array_write(field, &value.text, to);
	else
		number_write(field, value.number, to);
}

void plain_text_write(struct plain_text *plain, const struct record *record, struct buffer *to)
{
	const struct raw_format *known = record_format(plain, record);
	const struct event_format *format;
	const struct raw_event event = {.record = record, .is_swapped = plain->is_swapped};
	const char *between = "";

	if (!known) {
		if (record->length < 2)
			buffer_printf(to, "unknown event, %" PRIu32 " bytes", record->length);
		else
			buffer_printf(to, "unknown event %" PRIu32 ", %" PRIu32 " bytes",
			              record_type(plain, record), record->length);
		return;
	}
	format = &known->format;
	for (size_t i = 0; i < format->field_count; i++) {
		const struct event_field *field = &format->field[i];

		if (raw_field_is_common(field))
			continue;
		buffer_puts(to, between);
		field_write(&event, field, to);
		between = " ";
	}
}
