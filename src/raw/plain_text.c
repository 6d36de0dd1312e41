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

struct plain_text {
	const struct source *source;
	struct id_table by_id;        /* formats by the type of their records */
	struct event_format **format; /* by index; NULL: it is not asked for, or cannot be read */
	size_t count;
	bool is_swapped;
};

/* Bytes of a record. */
struct piece {
	const uint8_t *at;
	size_t length;
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

static bool field_is_dynamic(const struct event_field *field)
{
	return field->is_data_loc || field->is_rel_loc;
}

/* The bytes of the field's value; false if they are not all in the record. */
static bool field_piece(const struct plain_text *plain, const struct event_field *field,
                        const struct record *record, struct piece *ret)
{
	size_t offset = field->offset, length = field->size;
	uint32_t place;

	if (offset > record->length || length > record->length - offset)
		return false;
	if (field_is_dynamic(field)) {
		if (length != sizeof(place))
			return false;
		place = load_u32(record->payload + offset, plain->is_swapped);
		offset = (place & UINT16_MAX) + (field->is_rel_loc ? offset + length : 0);
		length = place >> 16;
		if (offset > record->length || length > record->length - offset)
			return false;
	} else if (length == 0 && field->is_array) {
		length = record->length - offset; /* it extends to the end */
	}
	*ret = (struct piece){record->payload + offset, length};
	return true;
}

static size_t text_length(const struct piece *piece)
{
	return strnlen((const char *)piece->at, piece->length);
}

static bool piece_is_printable(const struct piece *piece)
{
	for (size_t i = 0, length = text_length(piece); i < length; i++)
		if (!isprint(piece->at[i]) && !isspace(piece->at[i]))
			return false;
	return true;
}

static void array_write(const struct event_field *field, const struct piece *piece,
                        struct buffer *to)
{
	if (field_is_text(field) && piece_is_printable(piece)) {
		for (size_t i = 0, length = text_length(piece); i < length; i++)
			buffer_putc(to, piece->at[i] == '\n' ? ' ' : (char)piece->at[i]);
		return;
	}
	buffer_puts(to, "ARRAY[");
	for (size_t i = 0; i < piece->length; i++)
		buffer_printf(to, "%s%02x", i ? ", " : "", piece->at[i]);
	buffer_putc(to, ']');
}

/* False if there are no integers of that size. */
static bool piece_number(const struct plain_text *plain, const struct piece *piece, uint64_t *ret)
{
	switch (piece->length) {
	case 1:
		*ret = *piece->at;
		return true;
	case 2:
		*ret = load_u16(piece->at, plain->is_swapped);
		return true;
	case 4:
		*ret = load_u32(piece->at, plain->is_swapped);
		return true;
	case 8:
		*ret = load_u64(piece->at, plain->is_swapped);
		return true;
	default:
		return false;
	}
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

static void field_write(const struct plain_text *plain, const struct event_field *field,
                        const struct record *record, struct buffer *to)
{
	struct piece piece;
	uint64_t value;

	buffer_append(to, field->name.at, field->name.length);
	buffer_putc(to, '=');
	if (!field_piece(plain, field, record, &piece))
		buffer_putc(to, '?');
	else if (field->is_array || field_is_dynamic(field))
		array_write(field, &piece, to);
	else if (piece_number(plain, &piece, &value))
		number_write(field, value, to);
	else
		array_write(field, &piece, to);
}

void plain_text_write(struct plain_text *plain, const struct record *record, struct buffer *to)
{
	uint32_t index = plain_text_format(plain, record);
	const struct event_format *format;
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

		if (field->name.length >= 7 && memcmp(field->name.at, "common_", 7) == 0)
			continue;
		buffer_puts(to, between);
		field_write(plain, field, record, to);
		between = " ";
	}
}
