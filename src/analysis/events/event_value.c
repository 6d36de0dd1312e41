/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_value.h"

#include <inttypes.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "graph/timeline/timeline.h"
#include "sentences/say.h"
#include "words/endpoint.h"

/* Deeper frames are left out. */
#define FRAMES_MAX 64
/* Addresses of a kernel of 64 bits begin there; smaller numbers are shown as decimals. */
#define KERNEL_HALF (UINT64_C(1) << 63)

enum event_by event_by_read(const char *word)
{
	static const char *const words[] = {
		[EVENT_BY_EVENT] = "event", [EVENT_BY_TASK] = "task", [EVENT_BY_CPU] = "cpu",
		[EVENT_BY_STACK] = "stack",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcmp(words[i], word) == 0)
			return (enum event_by)i;
	return EVENT_BY_FIELD;
}

static bool name_is_one_of(const struct text *name, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_is(*name, words[i]))
			return true;
	return false;
}

bool event_field_is_code(const struct event_field *field)
{
	static const char *const words[] = {
		"function", "func",     "location", "caller",
		"call_site", "callsite", "ip",      "parent_ip",
	};

	return !field->is_array && name_is_one_of(&field->name, words, ARRAY_SIZE(words));
}

static bool field_is_device(const struct event_field *field)
{
	static const char *const words[] = {"dev", "s_dev", "old_dev"};

	return !field->is_array && field->size == sizeof(uint32_t) &&
	       name_is_one_of(&field->name, words, ARRAY_SIZE(words));
}

static bool field_is_address(const struct event_field *field)
{
	static const char *const words[] = {"saddr", "daddr", "saddr_v6", "daddr_v6"};

	return name_is_one_of(&field->name, words, ARRAY_SIZE(words));
}

static void bytes_append(struct buffer *to, const struct event_field *field,
                         const struct text *bytes)
{
	/* a longer one is a struct sockaddr, which has the port behind its family */
	bool has_port = bytes->length > ADDRESS_BYTES;
	uint64_t port = has_port ? (uint64_t)(uint8_t)bytes->at[2] << 8 | (uint8_t)bytes->at[3] : 0;
	struct endpoint endpoint;

	if (field_is_address(field) && endpoint_read(bytes, port, &endpoint)) {
		if (has_port)
			endpoint_append(to, &endpoint);
		else
			endpoint_append_address(to, &endpoint);
		return;
	}
	for (uint32_t i = 0; i < bytes->length; i++)
		buffer_printf(to, "%02x", (unsigned char)bytes->at[i]);
}

/* Returns whether the value has a name. */
static bool name_append(struct buffer *to, const struct asked_events *events,
                        const struct raw_event *event, const struct event_field *field,
                        uint64_t number)
{
	size_t number_of_field = (size_t)(field - event->format->format.field);
	struct value_names names;
	struct text name;
	const char *function;

	if (event_field_is_code(field)) {
		function = raw_reading_function(events->reading, event->host, number);
		if (function)
			buffer_puts_clean(to, function, strlen(function));
		return function;
	}
	value_names_parse(event->format->format.print_format,
	                  event->format->field_name[number_of_field], &names);
	name = value_names_get(&names, number);
	buffer_puts_clean(to, name.at ? name.at : "", name.length);
	value_names_release(&names);
	return name.length > 0;
}

void event_value_append(struct buffer *to, const struct asked_events *events,
                        const struct raw_event *event, const struct event_field *field)
{
	const struct raw_value value = raw_event_value(event, field);

	switch (value.kind) {
	case RAW_NONE:
		return;
	case RAW_TEXT:
		buffer_puts_clean(to, value.text.at, value.text.length);
		return;
	case RAW_BYTES:
		bytes_append(to, field, &value.text);
		return;
	case RAW_SIGNED:
	case RAW_UNSIGNED:
		break;
	}
	if (name_append(to, events, event, field, value.number))
		return;
	if (field_is_device(field))
		buffer_puts(to, DEVICE_TEXT((uint32_t)value.number));
	else if (value.kind == RAW_SIGNED)
		buffer_put_i64(to, (int64_t)value.number);
	else if (value.number >= KERNEL_HALF || event_field_is_code(field))
		buffer_printf(to, "0x%" PRIx64, value.number);
	else
		buffer_put_u64(to, value.number);
}

bool event_is_kernel_stack(const struct raw_event *event)
{
	return event->format && raw_format_is(event->format, "ftrace:kernel_stack");
}

bool event_is_user_stack(const struct raw_event *event)
{
	return event->format && raw_format_is(event->format, "ftrace:user_stack");
}

/* The frames up to the end of the record: formats give older kernels' stacks a fixed size. */
static size_t frames_of(const struct raw_event *event, uint32_t long_bytes,
                        const uint8_t **ret_first)
{
	const struct event_field *callers = event_format_find(&event->format->format, "caller");
	const struct raw_value size = raw_event_value_of(event, "size");
	const struct record *record = event->record;
	uint64_t count;

	if (!callers || callers->offset > record->length)
		return 0;
	count = (record->length - callers->offset) / long_bytes;
	if (size.kind != RAW_NONE && size.number < count)
		count = size.number;
	*ret_first = record->payload + callers->offset;
	return count < FRAMES_MAX ? (size_t)count : FRAMES_MAX;
}

/* Whether it is a function by which the kernel writes events. */
static bool function_is_of_tracing(const char *name)
{
	static const char *const begins[] = {"trace_event_", "__traceiter_"};

	for (size_t i = 0; name && i < ARRAY_SIZE(begins); i++)
		if (strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

void event_stack_append(struct buffer *to, const struct asked_events *events,
                        const struct raw_event *event)
{
	const struct source *source = raw_reading_source(events->reading, event->host);
	const uint8_t *at = NULL;
	size_t count, shown = 0;

	if (!event_is_kernel_stack(event))
		return;
	count = frames_of(event, source->long_bytes, &at);
	for (size_t i = 0; i < count; i++, at += source->long_bytes) {
		uint64_t frame = source->long_bytes == 4 ? load_u32(at, event->is_swapped)
		                                         : load_u64(at, event->is_swapped);
		/* a return address may lie behind a function that ends with the call */
		const char *name = raw_reading_function(events->reading, event->host, frame - 1);

		if (shown == 0 && function_is_of_tracing(name))
			continue;
		if (shown++ > 0)
			buffer_putc(to, ';');
		if (name)
			buffer_puts_clean(to, name, strlen(name));
		else
			buffer_printf(to, "0x%" PRIx64, frame);
	}
}
