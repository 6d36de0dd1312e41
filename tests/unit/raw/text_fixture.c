/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_fixture.h"

#include <string.h>

#include "base/data/array.h"

#define FORMATS_MAX 32
#define RECORDS_MAX 512

static const char *symbols;

static int64_t fixture_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	size_t length = strlen(symbols), got;

	(void)source;
	if (offset >= length)
		return 0;
	got = length - offset < size ? length - offset : size;
	memcpy(to, symbols + offset, got);
	return (int64_t)got;
}

struct source *text_fixture(void)
{
	static const struct source_ops ops = {.read_symbols = fixture_read_symbols};
	static struct source source;

	symbols = "";
	source = (struct source){.ops = &ops, .long_bytes = 8, .page_bytes = 4096, .cpu_count = 2};
	return &source;
}

void text_fixture_add(struct source *source, const char *system, const char *format)
{
	static struct format_text formats[FORMATS_MAX];

	source->formats = formats;
	formats[source->format_count++] = (struct format_text){system, format, strlen(format)};
}

void text_fixture_symbols(const char *kallsyms)
{
	symbols = kallsyms;
}

const struct record *text_record(unsigned number, uint16_t type, uint64_t value)
{
	static uint8_t payload[RECORDS_MAX][16];
	static struct record record[RECORDS_MAX];
	uint8_t *to = payload[number];

	to[0] = (uint8_t)type;
	to[1] = (uint8_t)(type >> 8);
	to[4] = 10; /* the task */
	for (size_t i = 0; i < 8; i++)
		to[8 + i] = (uint8_t)(value >> 8 * i);
	record[number] = (struct record){1000 + number, to, ARRAY_SIZE(payload[0])};
	return &record[number];
}
