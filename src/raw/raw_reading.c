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
#include "raw_formats.h"

struct raw_machine {
	struct source *source;
	uint32_t number;
	bool is_swapped;
	struct decoder *decoder; /* NULL: none was needed so far */
	struct raw_formats formats;
	struct symbols *symbols; /* NULL: not asked for yet */
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
	machine->source = source;
	machine->is_swapped = source->is_big_endian != byte_order_is_big();
	raw_formats_init(&machine->formats, source);
}

static void machine_release(struct raw_machine *machine)
{
	raw_formats_release(&machine->formats);
	(void)decoder_free(machine->decoder);
	symbols_free(machine->symbols);
}

int raw_reading_open(const struct source *of, struct raw_reading **ret, struct buffer *why)
{
	struct raw_reading *reading;
	struct source *source;
	int r;

	if (!of)
		return buffer_fail(why, -ENOENT, "its events are no recording");
	r = source_open_again(of, &source, why);
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
	ret->format = raw_formats_find(&machine->formats, ret->id);
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
