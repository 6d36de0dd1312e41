/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seed_format RECORDING EVENT [FILTER]: writes an input of the target `format` (format_input.h)
 * to standard output: the format of that event and its first records.
 */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "format_input.h"
#include "raw/raw_reading.h"
#include "source/source.h"

#define RECORDS     4
#define STRINGS_MAX 512 /* bytes */
#define SYMBOLS_MAX 512
#define SEED_MAX    (1u << 20)

static struct buffer seed;

static void put(const void *bytes, size_t length)
{
	buffer_putc(&seed, (char)(length & 0xff));
	buffer_putc(&seed, (char)(length >> 8));
	buffer_append(&seed, bytes, length);
}

static void put_parts(struct source *source, const char *system, const char *filter)
{
	char symbols[SYMBOLS_MAX];
	int64_t got = source_read_symbols(source, 0, symbols, sizeof(symbols));
	const char *strings = source->strings ? source->strings : "";

	buffer_putc(&seed, (char)((source->is_big_endian ? FORMAT_BIG_ENDIAN : 0) |
	                          (source->long_bytes == 4 ? FORMAT_LONG_4 : 0)));
	put(system, strlen(system));
	put(filter, strlen(filter));
	put(strings, strnlen(strings, STRINGS_MAX));
	put(symbols, got > 0 ? (size_t)got : 0);
	buffer_putc(&seed, RECORDS);
}

/* Returns false if the recording has fewer. */
static bool put_events(struct source *source, struct raw_reading *reading, const char *name,
                       const char *filter)
{
	const struct format_text *text = NULL;
	struct raw_event event;

	for (unsigned count = 0; count < RECORDS;) {
		if (!raw_reading_next(reading, &event))
			return false;
		if (!event.format || !raw_format_is(event.format, name))
			continue;
		text = &source->formats[event.format->index];
		if (count++ == 0)
			put_parts(source, text->system, filter);
		put(event.record->payload, event.record->length);
	}
	buffer_append(&seed, text->text, text->length);
	return true;
}

int main(int argc, char **argv)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(raw_reading_closep) struct raw_reading *reading = NULL;
	_cleanup_(source_closep) struct source *source = NULL;
	int r = 0;

	if (argc < 3) {
		fprintf(stderr, "usage: seed_format RECORDING EVENT [FILTER] > FILE\n");
		return 2;
	}
	seed = buffer_of(SEED_MAX);
	if (source_open(argv[1], &source, &why) < 0 ||
	    raw_reading_open(source, &reading, &why) < 0) {
		fprintf(stderr, "seed_format: %s: %s\n", argv[1], why.text);
		r = 1;
	} else if (!put_events(source, reading, argv[2], argc > 3 ? argv[3] : "")) {
		fprintf(stderr, "seed_format: %s: it has no %u events %s\n", argv[1], RECORDS,
		        argv[2]);
		r = 1;
	} else if (fwrite(seed.text, 1, seed.length, stdout) != seed.length) {
		perror("seed_format");
		r = 1;
	}
	buffer_release(&seed);
	return r;
}
