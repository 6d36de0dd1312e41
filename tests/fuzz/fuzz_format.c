/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of an event, records of it, and a filter, all of them any bytes: through libtraceevent
 * in its child, which may crash, but must not take anything else with it, and through the readers
 * of our own.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/xalloc.h"
#include "decode/event_format.h"
#include "format_input.h"
#include "fuzz_target.h"
#include "raw/event_text.h"
#include "raw/raw_event.h"

#define RECORDS_MAX 31

struct input {
	struct source source;
	struct format_text format;
	char *part[PART_COUNT];
	struct event_text_item item[RECORDS_MAX];
	struct record record[RECORDS_MAX];
	size_t count;
};

static int64_t input_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	const char *symbols = ((const struct input *)(void *)source)->part[PART_SYMBOLS];
	size_t length = strlen(symbols), got;

	if (offset >= length)
		return 0;
	got = length - offset < size ? length - offset : size;
	memcpy(to, symbols + offset, got);
	return (int64_t)got;
}

/* The next part or record, which begins at *at. */
static size_t take(const uint8_t **at, const uint8_t *end, const uint8_t **ret)
{
	size_t length = 0;

	if (end - *at >= 2)
		length = (size_t)((*at)[0] | (*at)[1] << 8);
	*at = end - *at >= 2 ? *at + 2 : end;
	if (length > (size_t)(end - *at))
		length = (size_t)(end - *at);
	*ret = *at;
	*at += length;
	return length;
}

static void input_add_record(struct input *input, const uint8_t *bytes, size_t length)
{
	struct record *record = &input->record[input->count];
	uint8_t *payload = xmalloc(length ? length : 1);

	/* of its own, so that a sanitizer sees its end */
	memcpy(payload, bytes, length);
	*record = (struct record){1000 + input->count, payload, (uint32_t)length};
	input->item[input->count++] = (struct event_text_item){
		.record = record, .cpu = (uint32_t)input->count % 3, .comm = "a task",
	};
}

static void input_open(struct input *input, const uint8_t *bytes, size_t size)
{
	static const struct source_ops ops = {.read_symbols = input_read_symbols};
	const uint8_t *at = bytes + (size > 0), *end = bytes + size, *found;
	uint8_t flags = size ? bytes[0] : 0;
	size_t count;

	*input = (struct input){.count = 0};
	for (size_t i = 0; i < PART_COUNT; i++) {
		size_t length = take(&at, end, &found);

		input->part[i] = xcalloc(length + 1, 1);
		memcpy(input->part[i], found, length);
	}
	count = at < end ? *at++ % (RECORDS_MAX + 1) : 0;
	while (at < end && input->count < count) {
		size_t length = take(&at, end, &found);

		input_add_record(input, found, length);
	}
	input->format = (struct format_text){
		input->part[PART_SYSTEM], (const char *)at, (size_t)(end - at),
	};
	input->source = (struct source){
		.ops = &ops,
		.is_big_endian = flags & FORMAT_BIG_ENDIAN,
		.long_bytes = flags & FORMAT_LONG_4 ? 4 : 8,
		.page_bytes = 4096,
		.cpu_count = 4,
		.formats = &input->format,
		.format_count = 1,
		.strings = input->part[PART_STRINGS],
	};
}

static void input_close(struct input *input)
{
	for (size_t i = 0; i < PART_COUNT; i++)
		free(input->part[i]);
	for (size_t i = 0; i < input->count; i++)
		free((uint8_t *)(uintptr_t)input->record[i].payload);
}

/* Returns how many events pass. */
static size_t write_texts(struct input *input, const char *filter)
{
	static volatile char sink;
	struct buffer why;
	struct event_text *text;
	size_t passed = 0;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	text = event_text_new(&input->source, filter, &why);
	if (!text) {
		/* which has the filter as it is; who prints it cleans it */
		assert(filter && why.length > 0);
		assert(strchr(filter, '\n') || !strchr(why.text, '\n'));
		buffer_release(&why);
		return 0;
	}
	assert(why.length == 0);
	event_text_write(text, input->item, input->count);
	for (size_t i = 0; i < input->count; i++) {
		const struct event_text_item *item = &input->item[i];

		assert(!item->is_left_out || (filter && item->length == 0));
		assert(item->is_plain || item->length <= EVENT_TEXT_MAX);
		for (size_t b = 0; b < item->length; b++)
			sink = item->text[b];
		passed += !item->is_left_out;
	}
	assert(event_text_failed(text) <= input->count);
	(void)sink;
	(void)event_text_free(text);
	buffer_release(&why);
	return passed;
}

static void assert_within(const struct text *text, const struct record *record)
{
	const char *payload = (const char *)record->payload;

	assert(text->at >= payload && text->at <= payload + record->length &&
	       text->length <= (size_t)(payload + record->length - text->at));
}

static void read_values(const struct input *input, const struct event_format *format)
{
	bool is_swapped = input->source.is_big_endian != byte_order_is_big();

	for (size_t i = 0; i < input->count; i++)
		for (size_t f = 0; f < format->field_count; f++) {
			const struct raw_event event = {
				.record = &input->record[i], .is_swapped = is_swapped,
			};
			const struct raw_value value = raw_event_value(&event, &format->field[f]);

			if (value.kind == RAW_TEXT || value.kind == RAW_BYTES)
				assert_within(&value.text, event.record);
		}
}

static void read_names(const struct event_format *format)
{
	for (size_t f = 0; f < format->field_count; f++) {
		char *field = xstrndup(format->field[f].name.at, format->field[f].name.length);
		struct value_names names;

		value_names_parse(format->print_format, field, &names);
		assert(names.count <= VALUE_NAMES_MAX);
		value_names_release(&names);
		free(field);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct event_format *format = xmalloc(sizeof(*format));
	struct input input;
	const char *filter;

	input_open(&input, bytes, size);
	filter = input.part[PART_FILTER];
	if (event_format_parse(input.format.text, input.format.length, format) == 0) {
		read_values(&input, format);
		read_names(format);
	}
	assert(write_texts(&input, NULL) == input.count);
	if (*filter)
		(void)write_texts(&input, filter);
	input_close(&input);
	free(format);
	return 0;
}
