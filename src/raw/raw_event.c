/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "raw_event.h"

#include <string.h>

#include "base/byte_order.h"
#include "ftwait/host.h"

/* Of an integer of 1, 2, 4 or 8 bytes; false: of any other size. */
static bool number_load(const uint8_t *at, const struct event_field *field, bool is_swapped,
                        uint64_t *ret)
{
	switch (field->size) {
	case 1:
		*ret = field->is_signed ? (uint64_t)(int64_t)(int8_t)*at : *at;
		return true;
	case 2:
		*ret = load_u16(at, is_swapped);
		*ret = field->is_signed ? (uint64_t)(int64_t)(int16_t)*ret : *ret;
		return true;
	case 4:
		*ret = load_u32(at, is_swapped);
		*ret = field->is_signed ? (uint64_t)(int64_t)(int32_t)*ret : *ret;
		return true;
	case 8:
		*ret = load_u64(at, is_swapped);
		return true;
	default:
		return false;
	}
}

/* Where the bytes of a field lie whose place is in the record itself; false: beyond it. */
static bool find_dynamic(const struct raw_event *event, const struct event_field *field,
                         uint32_t *ret_offset, uint32_t *ret_size)
{
	uint32_t place = load_u32(event->record->payload + field->offset, event->is_swapped);

	*ret_size = place >> 16;
	*ret_offset = place & UINT16_MAX;
	if (field->is_rel_loc)
		*ret_offset += field->offset + field->size;
	return *ret_offset <= event->record->length &&
	       *ret_size <= event->record->length - *ret_offset;
}

struct raw_value raw_event_value(const struct raw_event *event, const struct event_field *field)
{
	const struct record *record = event->record;
	struct raw_value value = {.kind = field->is_signed ? RAW_SIGNED : RAW_UNSIGNED};
	bool is_dynamic = field->is_data_loc || field->is_rel_loc;
	uint32_t offset = field->offset, size = field->size;

	/* an array at the end of a record may be declared without a size */
	if (field->is_array && size == 0 && offset <= record->length)
		size = record->length - offset;
	if (offset > record->length || size > record->length - offset ||
	    (is_dynamic && (size != sizeof(uint32_t) ||
	                    !find_dynamic(event, field, &offset, &size))))
		return (struct raw_value){.kind = RAW_NONE};
	if (!is_dynamic && !field->is_array &&
	    number_load(record->payload + offset, field, event->is_swapped, &value.number))
		return value;
	value.kind = field->is_text ? RAW_TEXT : RAW_BYTES;
	value.text = (struct text){(const char *)record->payload + offset, size};
	if (field->is_text)
		value.text.length = (uint32_t)strnlen(value.text.at, size);
	return value;
}

struct raw_value raw_event_value_of(const struct raw_event *event, const char *name)
{
	const struct event_field *field =
		event->format ? event_format_find(&event->format->format, name) : NULL;

	return field ? raw_event_value(event, field) : (struct raw_value){.kind = RAW_NONE};
}

int32_t raw_event_task(const struct raw_event *event, const struct event_field *field)
{
	const struct raw_value pid = raw_event_value(event, field);

	if (pid.kind != RAW_SIGNED && pid.kind != RAW_UNSIGNED)
		return -1;
	return hosts_process_id(event->host, (int32_t)pid.number);
}

bool raw_format_is(const struct raw_format *format, const char *name)
{
	const char *colon = strpbrk(name, ":/");
	size_t length = colon ? (size_t)(colon - name) : 0;

	if (colon && (strncmp(format->system, name, length) != 0 || format->system[length]))
		return false;
	return strcmp(format->name, colon ? colon + 1 : name) == 0;
}
