/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "raw_reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/xalloc.h"
#include "decode/event_decoder.h"
#include "decode/symbols.h"
#include "ftwait/host.h"
#include "merge/merger.h"

/* An id has 16 bits. */
#define IDS 65536

/* Of an id's format. */
enum {
	ID_UNKNOWN, /* there is none, or it cannot be read */
	ID_FIRST,   /* this and its index in the source's formats */
};

struct raw_machine {
	struct source *source;
	uint32_t number;
	bool is_swapped;
	struct decoder *decoder;    /* NULL: none was needed so far */
	uint32_t *by_id;            /* index in the source's formats + ID_FIRST */
	struct raw_format **format; /* as the source's formats; NULL: not read yet */
	struct symbols *symbols;    /* NULL: not asked for yet */
};

struct raw_reading {
	struct source *source; /* of all machines; owned */
	struct raw_machine machine[HOSTS_MAX];
	size_t machine_count;
	uint8_t *machine_of; /* by stream */
	struct merger *merger;
	struct merged_run run;
	size_t at; /* in the run */
};

static void machine_open(struct raw_machine *machine, struct source *source)
{
	struct text name;
	uint32_t id;

	machine->source = source;
	machine->is_swapped = source->is_big_endian != byte_order_is_big();
	machine->by_id = xcalloc(IDS, sizeof(*machine->by_id));
	machine->format = xcalloc(source->format_count, sizeof(struct raw_format *));
	for (size_t i = 0; i < source->format_count; i++) {
		const struct format_text *text = &source->formats[i];

		if (event_format_parse_head(text->text, text->length, &name, &id) == 0 &&
		    machine->by_id[id] == ID_UNKNOWN)
			machine->by_id[id] = (uint32_t)i + ID_FIRST;
	}
}

static void format_free(struct raw_format *format)
{
	if (!format)
		return;
	for (size_t i = 0; i < format->format.field_count; i++)
		free((char *)(uintptr_t)format->field_name[i]);
	free(format->field_name);
	free((char *)(uintptr_t)format->name);
	free(format);
}

static void machine_release(struct raw_machine *machine)
{
	for (size_t i = 0; i < machine->source->format_count; i++)
		format_free(machine->format[i]);
	free(machine->format);
	free(machine->by_id);
	(void)decoder_free(machine->decoder);
	symbols_free(machine->symbols);
}

static bool field_is_task(const struct event_field *field)
{
	const struct text *name = &field->name;
	const char *end = name->at + name->length;

	if (field->is_array || field->size != sizeof(int32_t) || raw_field_is_common(field))
		return false;
	return text_is(*name, "tid") ||
	       (name->length >= 3 && memcmp(end - 3, "pid", 3) == 0 &&
	        (name->length == 3 || end[-4] == '_'));
}

/* `format` is read; it is completed. */
static void format_complete(struct raw_format *format, const char *system)
{
	const struct event_format *read = &format->format;

	format->system = system;
	format->name = xstrndup(read->name.at, read->name.length);
	format->field_name = xcalloc(read->field_count, sizeof(const char *));
	format->pid = event_format_find(read, "common_pid");
	for (size_t i = 0; i < read->field_count; i++) {
		const struct event_field *field = &read->field[i];

		format->field_name[i] = xstrndup(field->name.at, field->name.length);
		if (field_is_task(field) && format->task_count < RAW_TASKS_MAX)
			format->task[format->task_count++] = field;
	}
}

/* The format of that id; NULL: the trace does not have it, or it cannot be read. */
static const struct raw_format *machine_format(struct raw_machine *machine, uint32_t id)
{
	const struct format_text *text;
	struct raw_format **format;

	if (machine->by_id[id] == ID_UNKNOWN)
		return NULL;
	format = &machine->format[machine->by_id[id] - ID_FIRST];
	if (*format)
		return *format;
	text = &machine->source->formats[machine->by_id[id] - ID_FIRST];
	*format = xcalloc(1, sizeof(**format));
	if (event_format_parse(text->text, text->length, &(*format)->format) < 0) {
		free(*format);
		*format = NULL;
		machine->by_id[id] = ID_UNKNOWN;
		return NULL;
	}
	format_complete(*format, text->system);
	return *format;
}

int raw_reading_open(const struct source *of, struct raw_reading **ret, struct buffer *why)
{
	struct raw_reading *reading;
	struct source *source;
	int r = of ? source_open_again(of, &source, why)
	           : buffer_fail(why, -ENOENT, "its events are no recording");

	if (r < 0)
		return r;
	reading = xcalloc(1, sizeof(*reading));
	reading->source = source;
	reading->machine_of = xcalloc(source->stream_count, sizeof(*reading->machine_of));
	reading->machine_count = source->part_count ? source->part_count : 1;
	for (size_t i = 0; i < reading->machine_count; i++) {
		const struct source_part *part = source->part_count ? &source->parts[i] : NULL;
		struct raw_machine *machine = &reading->machine[i];

		machine_open(machine, part ? part->source : source);
		machine->number = (uint32_t)i;
		memset(reading->machine_of + (part ? part->first_stream : 0), (int)i,
		       machine->source->stream_count);
	}
	reading->merger = merger_new(source);
	*ret = reading;
	return 0;
}

struct raw_reading *raw_reading_close(struct raw_reading *reading)
{
	if (!reading)
		return NULL;
	merger_free(reading->merger);
	for (size_t i = 0; i < reading->machine_count; i++)
		machine_release(&reading->machine[i]);
	(void)source_close(reading->source);
	free(reading->machine_of);
	free(reading);
	return NULL;
}

bool raw_reading_next(struct raw_reading *reading, struct raw_event *ret)
{
	const struct merged_run *run = &reading->run;
	struct raw_machine *machine;

	while (!run->records || reading->at == run->count) {
		reading->at = 0;
		if (!merger_next(reading->merger, &reading->run))
			return false;
	}
	machine = &reading->machine[reading->machine_of[run->stream]];
	*ret = (struct raw_event){
		.record = &run->records[reading->at++],
		.cpu = run->cpu,
		.host = machine->number,
		.task = -1,
		.is_swapped = machine->is_swapped,
	};
	ret->time = ret->record->time;
	if (ret->record->length < sizeof(uint16_t))
		return true;
	ret->id = load_u16(ret->record->payload, ret->is_swapped);
	ret->format = machine_format(machine, ret->id);
	if (ret->format && ret->format->pid)
		ret->task = raw_event_task(ret, ret->format->pid);
	return true;
}

bool raw_reading_decode(struct raw_reading *reading, const struct raw_event *raw,
                        struct event *ret)
{
	struct raw_machine *machine = &reading->machine[raw->host];

	if (!machine->decoder)
		machine->decoder = decoder_new(machine->source);
	return decoder_decode(machine->decoder, raw->record, raw->cpu, ret) == DECODE_EVENT;
}

const struct source *raw_reading_source(const struct raw_reading *reading, uint32_t host)
{
	return reading->machine[host].source;
}

const char *raw_reading_function(struct raw_reading *reading, uint32_t host, uint64_t address)
{
	struct raw_machine *machine = &reading->machine[host];

	if (!machine->symbols)
		machine->symbols = symbols_new(machine->source);
	return symbols_find_within(machine->symbols, address);
}
