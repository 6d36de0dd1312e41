/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <assert.h>
#include <string.h>

#include "datfile.h"

#define TYPE_TIME_EXTEND 30u
#define TYPE_LENGTH_MAX  28u
#define DELTA_BITS       27u
#define COMMIT_MISSED    (1u << 31)
#define COMMIT_STORED    (1u << 30)

/* One CPU's pages while they are filled. */
struct page_writer {
	const struct schedule *schedule;
	struct buffer *to;
	size_t start; /* of the open page in `to`; SIZE_MAX: none is open */
	nsec_t time;  /* of the last event */
	bool is_lost;
	uint64_t lost;
};

static uint32_t page_fill_bytes(const struct machine *machine)
{
	return machine->fill_bytes ? machine->fill_bytes : machine->page_bytes;
}

static uint32_t page_header_bytes(const struct machine *machine)
{
	return 8 + machine->long_bytes;
}

static void page_put(struct page_writer *writer, uint64_t value, unsigned size)
{
	uint8_t bytes[8];

	machine_store(&writer->schedule->machine, bytes, value, size);
	buffer_append(writer->to, bytes, size);
}

static void page_close(struct page_writer *writer)
{
	static const uint8_t zeros[SCHEDULE_PAGE_MAX];
	const struct machine *machine = &writer->schedule->machine;
	size_t used, commit;

	if (writer->start == SIZE_MAX)
		return;
	used = writer->to->length - writer->start;
	commit = used - page_header_bytes(machine);
	if (writer->is_lost)
		commit |= COMMIT_MISSED;
	if (writer->is_lost && writer->lost) {
		commit |= COMMIT_STORED;
		page_put(writer, writer->lost, machine->long_bytes);
		used += machine->long_bytes;
	}
	machine_store(machine, writer->to->text + writer->start + 8, commit,
	              machine->long_bytes);
	assert(used <= machine->page_bytes);
	buffer_append(writer->to, zeros, machine->page_bytes - used);
	writer->start = SIZE_MAX;
	writer->is_lost = false;
	writer->lost = 0;
}

static void page_open(struct page_writer *writer, nsec_t time)
{
	writer->start = writer->to->length;
	page_put(writer, time, 8);
	page_put(writer, 0, writer->schedule->machine.long_bytes);
	writer->time = time;
}

/* type_len and time_delta are bit fields: the first five bits of the word in memory order. */
static void page_put_word(struct page_writer *writer, unsigned type, uint32_t delta)
{
	bool is_big = writer->schedule->machine.is_big_endian;

	page_put(writer, is_big ? type << DELTA_BITS | delta : type | delta << 5, 4);
}

static void page_put_event(struct page_writer *writer, const struct schedule_item *item)
{
	nsec_t delta = item->time - writer->time;
	unsigned words = item->length / 4;
	uint32_t low = (uint32_t)delta & ((1u << DELTA_BITS) - 1);

	if (delta >> DELTA_BITS) {
		page_put_word(writer, TYPE_TIME_EXTEND, low);
		page_put(writer, delta >> DELTA_BITS, 4);
		low = 0;
	}
	page_put_word(writer, words <= TYPE_LENGTH_MAX ? words : 0, low);
	if (words > TYPE_LENGTH_MAX)
		page_put(writer, item->length + 4, 4);
	buffer_append(writer->to, writer->schedule->payload.text + item->offset, item->length);
	writer->time = item->time;
}

/* An event that is older than the one before, or too far ahead for a time extend, begins a page. */
static bool page_takes(const struct page_writer *writer, const struct schedule_item *item)
{
	const struct machine *machine = &writer->schedule->machine;
	size_t most = item->length + 16u + machine->long_bytes;

	return writer->start != SIZE_MAX && item->time >= writer->time &&
	       (item->time - writer->time) >> (DELTA_BITS + 31) == 0 &&
	       writer->to->length - writer->start + most <= page_fill_bytes(machine);
}

void pages_build(const struct schedule *schedule, unsigned buffer, unsigned cpu, struct buffer *to)
{
	struct page_writer writer = {.schedule = schedule, .to = to, .start = SIZE_MAX};

	for (size_t i = 0; i < schedule->item_count; i++) {
		const struct schedule_item *item = &schedule->items[i];

		if (item->cpu != cpu || item->buffer != buffer)
			continue;
		if (item->type != SCHEDULE_EVENT) {
			page_close(&writer);
			writer.is_lost |= item->type == SCHEDULE_LOST;
			writer.lost += item->lost;
			continue;
		}
		if (!page_takes(&writer, item)) {
			page_close(&writer);
			page_open(&writer, item->time);
		}
		page_put_event(&writer, item);
	}
	page_close(&writer);
	if (writer.is_lost) { /* behind the last event: a page that has nothing but the mark */
		page_open(&writer, writer.time);
		page_close(&writer);
	}
}
