/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plain_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/data/id_table.h"
#include "base/xalloc.h"
#include "raw_event.h"

struct plain_text {
	const struct source *source;
	struct id_table by_id;        /* formats by the type of their records */
	struct event_format **format; /* by index; NULL: it is not asked for, or cannot be read */
	size_t count;
	bool is_swapped;
};

struct plain_text *plain_text_new(const struct source *source)
{
	struct plain_text *plain = xcalloc(1, sizeof(*plain));

	plain->source = source;
	plain->count = source->format_count;
	plain->format = xcalloc(plain->count, sizeof(struct event_format *));
	plain->is_swapped = source->is_big_endian != byte_order_is_big();
	id_table_init(&plain->by_id);
	/* of several formats with one ID libtraceevent prints by the first, too */
	for (size_t i = plain->count; i-- > 0;) {
		const struct format_text *text = &source->formats[i];
		struct text name;
		uint32_t id;

		if (event_format_parse_head(text->text, text->length, &name, &id) == 0)
			id_table_put(&plain->by_id, id, (uint32_t)i);
	}
	return plain;
}

struct plain_text *plain_text_free(struct plain_text *plain)
{
	if (!plain)
		return NULL;
	for (size_t i = 0; i < plain->count; i++)
		free(plain->format[i]);
	free(plain->format);
	id_table_release(&plain->by_id);
	free(plain);
	return NULL;
}

static uint32_t record_type(const struct plain_text *plain, const struct record *record)
{
	return load_u16(record->payload, plain->is_swapped);
}

uint32_t plain_text_format(struct plain_text *plain, const struct record *record)
{
	const struct format_text *text;
	struct event_format *format;
	uint32_t index, id;

	if (record->length < 2)
		return PLAIN_FORMAT_NONE;
	id = record_type(plain, record);
	index = id_table_get(&plain->by_id, id);
	if (index == ID_TABLE_NONE || plain->format[index])
		return index == ID_TABLE_NONE ? PLAIN_FORMAT_NONE : index;
	format = xmalloc(sizeof(*format));
	text = &plain->source->formats[index];
	if (event_format_parse(text->text, text->length, format) < 0) {
		id_table_drop(&plain->by_id, id);
		free(format);
		return PLAIN_FORMAT_NONE;
	}
	plain->format[index] = format;
	return index;
}

const struct event_format *plain_text_get(const struct plain_text *plain, uint32_t format)
{
	return plain->format[format];
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
	uint32_t index = plain_text_format(plain, record);
	const struct event_format *format;
	const struct raw_event event = {.record = record, .is_swapped = plain->is_swapped};
	const char *between = "";

	if (index == PLAIN_FORMAT_NONE) {
		if (record->length < 2)
			buffer_printf(to, "unknown event, %" PRIu32 " bytes", record->length);
		else
			buffer_printf(to, "unknown event %" PRIu32 ", %" PRIu32 " bytes",
			              record_type(plain, record), record->length);
		return;
	}
	format = plain_text_get(plain, index);
	for (size_t i = 0; i < format->field_count; i++) {
		const struct event_field *field = &format->field[i];

		if (raw_field_is_common(field))
			continue;
		buffer_puts(to, between);
		field_write(&event, field, to);
		between = " ";
	}
}
