/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/nsec_scale.h"
#include "source/source_notes.h"

#define CHUNK_HEAD_BYTES 8
#define CHUNKS_CUT       "the packed pages are cut short"

size_t datfile_find_buffer(const struct datfile *datfile, const char *name)
{
	for (size_t i = 0; i < datfile->buffer_count; i++)
		if (strcmp(datfile->buffers[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

size_t datfile_add_buffer(struct datfile *datfile, const char *name, uint32_t page_bytes)
{
	size_t at = datfile_find_buffer(datfile, name);

	if (at != SIZE_MAX && page_bytes)
		datfile->buffers[at].page_bytes = page_bytes;
	if (at != SIZE_MAX || datfile->buffer_count >= DATFILE_BUFFERS_MAX)
		return at;
	LIST_ADD(datfile->buffers, struct datfile_buffer) = (struct datfile_buffer){
		.name = text_store_add(&datfile->text, name, strlen(name)),
		.page_bytes = page_bytes,
	};
	return datfile->buffer_count - 1;
}

static uint64_t stream_key(unsigned cpu, size_t buffer)
{
	return (uint64_t)buffer << 32 | cpu;
}

size_t datfile_find_stream(const struct datfile *datfile, unsigned cpu, size_t buffer)
{
	uint32_t at = map_get(&datfile->opening->stream_index, stream_key(cpu, buffer));

	return at == MAP_NONE ? SIZE_MAX : at;
}

/* Index of the stream, new or known; SIZE_MAX if there are too many, also buffers. */
static size_t datfile_add_stream(struct datfile *datfile, unsigned cpu, size_t buffer)
{
	size_t at = buffer == SIZE_MAX ? SIZE_MAX : datfile_find_stream(datfile, cpu, buffer);
	struct page_layout layout = datfile->layout;
	struct datfile_feed *feed;

	if (at != SIZE_MAX || buffer == SIZE_MAX || datfile->feed_count >= SOURCE_STREAMS_MAX)
		return at;
	at = datfile->feed_count;
	LIST_ADD(datfile->source.streams, struct source_stream) =
		(struct source_stream){.cpu = cpu, .buffer = (unsigned)buffer};
	feed = &LIST_ADD(datfile->feeds, struct datfile_feed);
	*feed = (struct datfile_feed){.datfile = datfile, .stream = at};
	if (datfile->buffers[buffer].page_bytes)
		layout.page_bytes = datfile->buffers[buffer].page_bytes;
	page_stream_init(&feed->pages, &layout);
	map_put(&datfile->opening->stream_index, stream_key(cpu, buffer), (uint32_t)at);
	return at;
}

/* "cpu 1", "cpu 1 of buffer disk": for notes; valid until the next call. */
static const char *datfile_stream_name(struct datfile *datfile, size_t stream)
{
	const struct source_stream *of = &datfile->source.streams[stream];
	const char *buffer = datfile->buffers[of->buffer].name;
	_cleanup_(buffer_release) struct buffer name = buffer_of(sizeof(datfile->stream_name) - 1);

	buffer_printf(&name, "cpu %u", of->cpu);
	if (*buffer) {
		buffer_puts(&name, " of buffer ");
		buffer_puts_clean(&name, buffer, strlen(buffer));
	}
	memcpy(datfile->stream_name, name.text, name.length + 1);
	return datfile->stream_name;
}

void datfile_add_loss(struct datfile_feed *feed)
{
	if (feed->extent_count > 0)
		feed->extents[feed->extent_count - 1].has_loss = true;
	else
		page_stream_lose(&feed->pages);
}

void datfile_lose_pages(struct datfile *datfile, unsigned cpu, size_t buffer)
{
	size_t stream = datfile_add_stream(datfile, cpu, buffer);

	if (stream != SIZE_MAX)
		datfile_add_loss(&datfile->feeds[stream]);
}

bool datfile_add_pages(struct datfile *datfile, unsigned cpu, size_t buffer, uint64_t offset,
                       uint64_t bytes, bool is_packed)
{
	size_t stream = datfile_add_stream(datfile, cpu, buffer);
	uint64_t room = offset < datfile->file.bytes ? datfile->file.bytes - offset : 0;
	struct extent extent = {.offset = offset, .bytes = bytes < room ? bytes : room};
	struct datfile_opening *opening = datfile->opening;
	uint64_t budget = datfile->file.bytes - opening->extent_bytes;
	struct datfile_feed *feed;

	if (stream == SIZE_MAX || bytes == 0)
		return stream != SIZE_MAX;
	feed = &datfile->feeds[stream];
	datfile_cover(datfile, extent.offset + extent.bytes);
	if (extent.bytes < bytes)
		DATFILE_DAMAGE(datfile, "cut short: %s ends %llu bytes early",
		               datfile_stream_name(datfile, stream),
		               (unsigned long long)(bytes - extent.bytes));
	/* Extents of a valid file do not overlap, so their sum never exceeds the file. */
	if (extent.bytes > budget || opening->extent_count >= DATFILE_EXTENTS_MAX) {
		DATFILE_DAMAGE(datfile, "damaged: the data of %s overlaps that of others",
		               datfile_stream_name(datfile, stream));
		extent.bytes = opening->extent_count >= DATFILE_EXTENTS_MAX ? 0 : budget;
	}
	if (extent.bytes > 0) {
		opening->extent_bytes += extent.bytes;
		opening->extent_count++;
		datfile->reading.live_feeds += feed->extent_count == 0;
		LIST_ADD(feed->extents, struct extent) = extent;
		feed->is_packed = is_packed;
	}
	if (extent.bytes < bytes)
		datfile_add_loss(feed);
	return true;
}

/* How much to read at once: at least a page, at most DATFILE_READ_BYTES. All streams together stay
   below DATFILE_READ_TOTAL as long as that is enough for a page each. */
static size_t feed_read_bytes(const struct datfile_feed *feed)
{
	size_t page = feed->pages.layout.page_bytes;
	size_t share = DATFILE_READ_TOTAL / (feed->datfile->reading.live_feeds + 1);

	if (share > DATFILE_READ_BYTES)
		share = DATFILE_READ_BYTES;
	return share < page ? page : share & ~(page - 1);
}

static void feed_release_block(struct datfile_feed *feed)
{
	free(feed->block);
	feed->datfile->reading.block_bytes -= feed->block_capacity;
	feed->block = NULL;
	feed->block_capacity = 0;
}

static void feed_reserve(struct datfile_feed *feed, size_t bytes)
{
	if (bytes <= feed->block_capacity)
		return;
	feed_release_block(feed);
	feed->block = xmalloc(bytes);
	feed->block_capacity = bytes;
	feed->datfile->reading.block_bytes += bytes;
}

static void feed_next_extent(struct datfile_feed *feed)
{
	if (feed->extents[feed->extent_at].has_loss)
		page_stream_lose(&feed->pages);
	feed->extent_at++;
	feed->done = 0;
	feed->chunks_left = 0;
}

/* Gives up the rest of the extent. */
static void feed_fail(struct datfile_feed *feed, const char *what)
{
	struct datfile *datfile = feed->datfile;
	const struct extent *extent = &feed->extents[feed->extent_at];

	DATFILE_DAMAGE(datfile, "%s: %s at byte %llu",
	               datfile_stream_name(datfile, feed->stream), what,
	               (unsigned long long)(extent->offset + feed->done));
	page_stream_lose(&feed->pages);
	feed_next_extent(feed);
}

static void feed_advance(struct datfile_feed *feed, uint64_t bytes)
{
	feed->done += bytes;
	feed->datfile->source.data_read += bytes;
}

/* The pages of a hole read as zeros: no time, no data. */
static void feed_skip_hole(struct datfile_feed *feed)
{
	const struct extent *extent = &feed->extents[feed->extent_at];
	uint64_t at = extent->offset + feed->done, end = extent->offset + extent->bytes;
	uint64_t filled = input_file_skip_hole(&feed->datfile->file, at);
	uint32_t page_bytes = feed->pages.layout.page_bytes;
	uint64_t pages = ((filled < end ? filled : end) - at) / page_bytes;

	page_stream_skip(&feed->pages, pages);
	feed_advance(feed, pages * page_bytes);
}

/* Bytes of plain pages; 0 at the end of the extent. */
static size_t feed_read_plain(struct datfile_feed *feed)
{
	const struct extent *extent = &feed->extents[feed->extent_at];
	size_t size = feed_read_bytes(feed);
	uint64_t left;
	int64_t got;

	feed_skip_hole(feed);
	left = extent->bytes - feed->done;
	if (left == 0) {
		feed_next_extent(feed);
		return 0;
	}
	if (size > left)
		size = (size_t)left;
	feed_reserve(feed, size);
	got = input_file_read_some(&feed->datfile->file, extent->offset + feed->done, feed->block,
	                           size);
	if (got <= 0) {
		feed_fail(feed, got < 0 ? strerror((int)-got) : "the file became shorter");
		return 0;
	}
	feed_advance(feed, size);
	return (size_t)got;
}

/* True if `bytes` more of the extent were read. */
static bool feed_read_exact(struct datfile_feed *feed, void *to, size_t bytes)
{
	const struct extent *extent = &feed->extents[feed->extent_at];

	if (bytes > extent->bytes - feed->done ||
	    input_file_read(&feed->datfile->file, extent->offset + feed->done, to, bytes) < 0)
		return false;
	feed_advance(feed, bytes);
	return true;
}

/* A killed recorder may leave a chunk that is not counted yet; in a trace.dat all are counted. */
static void feed_end_chunks(struct datfile_feed *feed)
{
	const struct extent *extent = &feed->extents[feed->extent_at];
	uint8_t head[CHUNK_HEAD_BYTES];

	if (feed->datfile->version == 7 && extent->bytes - feed->done >= sizeof(head) &&
	    input_file_read(&feed->datfile->file, extent->offset + feed->done, head,
	                    sizeof(head)) == 0 && load_u32(head, feed->datfile->is_swapped) != 0)
		feed_fail(feed, "more packed pages than are counted");
	else
		feed_next_extent(feed);
}

static uint8_t *reading_packed(struct datfile_reading *reading, size_t bytes)
{
	if (bytes > reading->packed_capacity) {
		free(reading->packed);
		reading->packed = xmalloc(bytes);
		reading->packed_capacity = bytes;
	}
	return reading->packed;
}

/* Unpacks the next chunk into feed->block, of *ret_bytes. Returns what is wrong, or NULL. */
static const char *feed_unpack_chunk(struct datfile_feed *feed, size_t *ret_bytes)
{
	const struct extent *extent = &feed->extents[feed->extent_at];
	struct datfile *datfile = feed->datfile;
	uint8_t head[CHUNK_HEAD_BYTES], *packed;
	uint32_t from, to;

	if (!feed_read_exact(feed, head, sizeof(head)))
		return CHUNKS_CUT;
	from = load_u32(head, datfile->is_swapped);
	to = load_u32(head + 4, datfile->is_swapped);
	if (from > DATFILE_CHUNK_MAX || to > DATFILE_CHUNK_MAX || to == 0)
		return "a packed chunk has an impossible size";
	packed = reading_packed(&datfile->reading, from);
	if (!feed_read_exact(feed, packed, from))
		return CHUNKS_CUT;
	feed->chunks_left--;
	if (!unpack_is_possible(datfile->packing, packed, from, to))
		return "a packed chunk claims more than it can hold";
	if (datfile->reading.block_bytes - feed->block_capacity + to > DATFILE_UNPACKED_MAX)
		return "packed pages take too much memory";
	feed_reserve(feed, to);
	*ret_bytes = to;
	if (unpack(datfile->packing, packed, from, feed->block, to) == 0)
		return NULL;
	DATFILE_DAMAGE(datfile, "%s: packed pages before byte %llu cannot be unpacked",
	               datfile_stream_name(datfile, feed->stream),
	               (unsigned long long)(extent->offset + feed->done));
	page_stream_lose(&feed->pages);
	*ret_bytes = 0;
	return NULL;
}

/* The bytes of the next chunk; 0 at the end of the extent. */
static size_t feed_read_chunk(struct datfile_feed *feed)
{
	bool is_first = feed->done == 0;
	const char *wrong = NULL;
	uint8_t count[4];
	size_t bytes = 0;

	if (is_first && !feed_read_exact(feed, count, sizeof(count)))
		wrong = CHUNKS_CUT;
	else if (is_first)
		feed->chunks_left = load_u32(count, feed->datfile->is_swapped);
	if (!wrong && feed->chunks_left == 0) {
		feed_end_chunks(feed);
		return 0;
	}
	wrong = wrong ? wrong : feed_unpack_chunk(feed, &bytes);
	if (wrong)
		feed_fail(feed, wrong);
	return bytes;
}

static bool feed_next_block(void *owner, const uint8_t **ret_block, size_t *ret_bytes)
{
	struct datfile_feed *feed = owner;

	while (feed->extent_at < feed->extent_count) {
		size_t got = feed->is_packed ? feed_read_chunk(feed) : feed_read_plain(feed);

		if (got > 0) {
			*ret_block = feed->block;
			*ret_bytes = got;
			return true;
		}
	}
	return false;
}

/* Moves the stamp of a virtual machine to its host's clock, converts that of a counter to
   nanoseconds, and adds a recorded offset, as far as the file says so; never goes below 0. */
static nsec_t stamp_time(const struct stamp_clock *clock, uint32_t cpu, nsec_t time)
{
	if (clock->host.count)
		time = nsec_min(time_shift_apply(&clock->host, cpu, time), PAGE_TIME_MAX);
	if (clock->mult)
		time = nsec_min(nsec_scale(time, clock->mult, clock->shift),
		                PAGE_TIME_MAX);
	if (clock->offset < 0)
		return time - nsec_min(time, (nsec_t)-clock->offset);
	return nsec_min(time + (nsec_t)clock->offset, PAGE_TIME_MAX);
}

static void feed_adjust_times(struct datfile_feed *feed, size_t count)
{
	const struct datfile *datfile = feed->datfile;
	uint32_t cpu = datfile->source.streams[feed->stream].cpu;

	if (stamps_are_plain(&datfile->clock))
		return;
	for (size_t i = 0; i < count; i++)
		feed->pages.records[i].time =
			stamp_time(&datfile->clock, cpu, feed->pages.records[i].time);
}

static void feed_note_damage(struct datfile_feed *feed)
{
	struct datfile *datfile = feed->datfile;

	if (feed->is_noted || feed->pages.damaged_count == 0)
		return;
	feed->is_noted = true;
	DATFILE_DAMAGE(datfile, "damaged: page %llu of %s: %s",
	               (unsigned long long)feed->pages.damaged_first,
	               datfile_stream_name(datfile, feed->stream),
	               page_damage_text(feed->pages.damage));
}

static void feed_note_zeros(struct datfile_feed *feed)
{
	struct datfile *datfile = feed->datfile;

	if (feed->pages.zero_count > 0)
		DATFILE_DAMAGE(datfile, "damaged: %llu pages of %s are zeros: what was recorded "
		               "did not reach the file", (unsigned long long)feed->pages.zero_count,
		               datfile_stream_name(datfile, feed->stream));
}

/* What the CPU recorded is known to `reached`, however long before it had its last event. */
static void feed_beat(struct datfile_feed *feed, struct record_batch *ret)
{
	struct datfile *datfile = feed->datfile;
	nsec_t time = nsec_max(datfile->reached, feed->pages.reader.time);

	feed->is_beat_due = false;
	feed->beat = (struct record){
		.time = stamp_time(&datfile->clock, datfile->source.streams[feed->stream].cpu,
		                   time),
	};
	*ret = (struct record_batch){.records = &feed->beat, .count = 1};
}

enum pull datfile_next_batch(struct source *source, size_t stream, struct record_batch *ret)
{
	struct datfile *datfile = (struct datfile *)source;
	struct datfile_feed *feed = &datfile->feeds[stream];
	enum pull pull;

	*ret = (struct record_batch){0};
	if (feed->extent_at >= feed->extent_count && !feed->pages.records) {
		ret->lost_events = feed->pages.lost_events;
		return PULL_END;
	}
	if (!feed->pages.records)
		feed->pages.capacity = datfile_batch_records(datfile->reading.live_feeds);
	pull = page_stream_next(&feed->pages, feed_next_block, feed, ret);
	feed_note_damage(feed);
	if (pull == PULL_ITEM) {
		feed_adjust_times(feed, ret->count);
		return pull;
	}
	if (feed->is_beat_due) {
		feed_beat(feed, ret);
		pull = PULL_ITEM;
	}
	feed_note_zeros(feed);
	page_stream_release(&feed->pages);
	feed_release_block(feed);
	return pull;
}
