/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/stream/live_source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/data/array.h"
#include "ftwait/stream.h"
#include "live_follower.h"
#include "page_builder.h"
#include "source/source.h"
#include "source/stream/stream_walk.h"
#include "source_drain.h"
#include "suites.h"
#include "trace_builder.h"

/* Events of a CPU: one each TICK from BEGIN on, EACH a page. */
#define BEGIN UINT64_C(1000000)
#define TICK  100u
#define EACH  20u
#define PAGES 6u

static struct trace_builder builder;
static struct buffer why;

/* When the first event of that page comes. */
static nsec_t page_time(unsigned page)
{
	return BEGIN + (nsec_t)page * EACH * TICK;
}

static void begin(const struct page_layout *layout, const char *clock)
{
	trace_builder_init(&builder, layout);
	buffer_init(&why, 4096);
	for (unsigned i = 0; i < 2; i++)
		trace_builder_add_pages(&builder, i, PAGES, EACH);
	if (clock)
		trace_builder_add_text(&builder, 4, clock);
	trace_builder_add_text(&builder, 9, "ftwait 0.1.0\ncommand 77\n");
	trace_builder_begin_stream(&builder);
}

static void end(void)
{
	trace_builder_release(&builder);
	buffer_release(&why);
}

static void put_pages(unsigned index, unsigned first, unsigned count)
{
	size_t page = builder.layout.page_bytes;

	trace_builder_block(&builder, STREAM_PAGES, builder.cpu[index],
	                    builder.pages[index].text + first * page, count * page);
}

static void put_names(void)
{
	trace_builder_block(&builder, STREAM_CMDLINES, 0, "104 delta\n", 10);
}

static void put_end(void)
{
	trace_builder_block(&builder, STREAM_END, 0, "", 0);
}

/* CPU 1 is ahead of what is reached: the merger still holds its pages when new ones come. */
static void put_rounds(void)
{
	put_pages(0, 0, 1);
	trace_builder_reached(&builder, page_time(0));
	put_names();
	put_pages(1, 0, 2);
	trace_builder_reached(&builder, page_time(1));
	put_pages(0, 1, 1);
	trace_builder_block(&builder, (enum stream_block_type)77, 0, "later", 5);
	put_pages(1, 2, 2);
	trace_builder_reached(&builder, page_time(2));
	put_pages(0, 2, 2);
	trace_builder_reached(&builder, page_time(4));
	trace_builder_reached(&builder, page_time(4) - 1); /* it cannot go back */
	put_pages(1, 4, 2);
	put_names();
	put_pages(0, 4, 1);
	trace_builder_reached(&builder, page_time(5));
	put_pages(0, 5, 1);
	put_end();
}

static const struct page_layout *layout_of(int i)
{
	return &page_layouts[i % 4];
}

/* The same records in the same order as of the file, however it comes; and when they were used. */
START_TEST(test_whole)
{
	static const size_t pieces[] = {1, 13, 4096, 0};
	static const unsigned reached[] = {1, 2, 4, 4, 5};
	struct followed whole = {0};
	struct source *file;

	begin(layout_of(_i), "local [mono]");
	put_rounds();
	file = source_open_bytes(builder.file.text, builder.file.length, &why);
	follow(file, &whole);
	ck_assert_uint_eq(whole.records, (size_t)2 * PAGES * EACH);
	for (size_t p = 0; p < ARRAY_SIZE(pieces); p++) {
		struct feeder feeder = {.piece = pieces[p]};
		struct followed followed = {0};
		struct source *source;

		follow_pipe(&feeder, &builder, &followed, 0);
		source = followed.source;
		ck_assert_uint_eq(followed.sum, whole.sum);
		ck_assert_uint_eq(followed.losses, 0);
		ck_assert(!followed.is_late);
		ck_assert(!source->health.damaged);
		ck_assert_uint_eq(source->health.note_count, 0);
		ck_assert_uint_eq(source->stream_count, 2 * STREAM_BUFFERS);
		ck_assert_uint_eq(source->cpu_count, 2);
		ck_assert_uint_eq(source->buffer_count, STREAM_BUFFERS);
		ck_assert_uint_eq(source->stacks_buffer, STREAM_BUFFER_STACKS);
		ck_assert_int_eq(source->notes.command.pid, 77);
		ck_assert_str_eq(source->clock, "mono");
		ck_assert_uint_eq(source->notes.tasks.count, file->notes.tasks.count);
		ck_assert_uint_eq(source->format_count, file->format_count);
		ck_assert_uint_eq(followed.reached_count, ARRAY_SIZE(reached));
		for (size_t i = 0; i < ARRAY_SIZE(reached); i++) {
			ck_assert_uint_eq(followed.reached[i], page_time(reached[i]));
			ck_assert_uint_eq(followed.records_then[i], 2 * reached[i] * EACH);
		}
		source_close(source);
	}
	source_close(file);
	end();
}
END_TEST

/* Pages that are larger than the smallest possible ones, or as in the head. */
START_TEST(test_page_sizes)
{
	static const uint32_t sizes[] = {1024, 8192, 65536};
	struct page_layout layout = page_layouts[0];
	struct feeder feeder = {0};
	struct followed followed = {0};

	layout.page_bytes = sizes[_i];
	begin(&layout, "[boot]");
	put_rounds();
	follow_pipe(&feeder, &builder, &followed, 0);
	ck_assert_uint_eq(followed.records, (size_t)2 * PAGES * EACH);
	ck_assert(!followed.source->health.damaged);
	source_close(followed.source);
	end();
}
END_TEST

/* Cut anywhere, it gives the same records as the file, and behind its last record each CPU lost
   what follows. */
START_TEST(test_cut_anywhere)
{
	begin(layout_of(_i), "[mono]");
	put_rounds();
	for (size_t size = 0; size < builder.file.length; size += 97) {
		struct feeder feeder = {.bytes = builder.file.text, .size = size};
		struct followed followed = {0}, whole = {0};
		struct source *file;
		int r;

		feeder_begin(&feeder, &builder);
		r = open_live(feeder.from, false, 0, &followed, &why);
		file = source_open_bytes(builder.file.text, size, &why);
		ck_assert((r == 0) == (file != NULL));
		if (r < 0) {
			ck_assert_int_eq(r, size == 0 ? -ENODATA : -EINVAL);
			feeder_end(&feeder);
			continue;
		}
		follow(followed.source, &followed);
		follow(file, &whole);
		ck_assert_uint_eq(followed.records, whole.records);
		ck_assert_uint_eq(followed.sum, whole.sum);
		ck_assert_uint_eq(followed.losses, whole.losses);
		ck_assert_uint_eq(whole.losses, file->stream_count);
		ck_assert(followed.source->health.damaged);
		ck_assert_uint_eq(followed.source->health.note_count, 1);
		ck_assert_str_eq(followed.source->health.notes[0], STREAM_CUT_TEXT);
		source_close(file);
		source_close(followed.source);
		feeder_end(&feeder);
	}
	end();
}
END_TEST

/* A byte of anything may be wrong. */
START_TEST(test_damaged_anywhere)
{
	begin(layout_of(_i), "[mono]");
	put_rounds();
	for (size_t at = 0; at < builder.file.length; at += 61) {
		struct feeder feeder = {0};
		struct followed followed = {0};

		builder.file.text[at] ^= (char)0x81;
		feeder_begin(&feeder, &builder);
		if (open_live(feeder.from, false, 0, &followed, &why) == 0)
			follow(followed.source, &followed);
		else
			ck_assert_uint_gt(why.length, 0);
		source_close(followed.source);
		feeder_end(&feeder);
		builder.file.text[at] ^= (char)0x81;
	}
	end();
}
END_TEST

/* No names come: it opens without them, after a time, while the pipe stays open. */
START_TEST(test_no_snapshot)
{
	const nsec_t later = page_time(0) + UINT64_C(3000000000);
	struct feeder feeder = {.stays_open = true};
	struct followed followed = {.pauses_max = 3};

	begin(layout_of(_i), "[boot]");
	put_pages(0, 0, 1);
	trace_builder_reached(&builder, page_time(0));
	put_pages(0, 1, 1);
	put_pages(1, 0, 1);
	trace_builder_reached(&builder, later);
	follow_pipe(&feeder, &builder, &followed, 0);
	ck_assert_uint_eq(followed.records, (size_t)3 * EACH);
	/* after it was open */
	ck_assert_uint_eq(followed.reached_count, 1);
	ck_assert_uint_eq(followed.reached[0], later);
	ck_assert_uint_eq(followed.records_then[0], (size_t)3 * EACH);
	ck_assert(!followed.source->health.damaged);
	source_close(followed.source);
	end();
}
END_TEST

/* Pages wait until it is said that nothing older comes, also those that came before the names. */
START_TEST(test_waiting)
{
	struct feeder feeder = {.stays_open = true};
	struct followed followed = {.pauses_max = 3};
	struct record_batch batch;

	begin(layout_of(_i), "[mono]");
	trace_builder_reached(&builder, BEGIN - 1);
	put_pages(0, 0, 1);
	put_names();
	put_pages(0, 1, 1);
	trace_builder_reached(&builder, page_time(2));
	put_pages(0, 2, 1);
	feeder_begin(&feeder, &builder);
	ck_assert_int_eq(open_live(feeder.from, false, 0, &followed, &why), 0);
	ck_assert_int_eq(source_next_batch(followed.source, 1, &batch), PULL_ITEM);
	ck_assert_uint_eq(batch.count, 1);
	ck_assert(record_is_heartbeat(batch.records));
	ck_assert_uint_eq(batch.records->length, 0);
	ck_assert_uint_eq(batch.records->time, page_time(2));
	for (nsec_t page = 0; page < 2; page++) {
		ck_assert_int_eq(source_next_batch(followed.source, 0, &batch), PULL_ITEM);
		ck_assert_uint_eq(batch.count, EACH);
		ck_assert_uint_eq(batch.records->time, page_time((unsigned)page));
	}
	ck_assert_int_eq(source_next_batch(followed.source, 0, &batch), PULL_ITEM);
	ck_assert(record_is_heartbeat(batch.records));
	ck_assert_uint_eq(followed.reached_count, 0);
	/* on_pause() ends it: what had come is given */
	ck_assert_int_eq(source_next_batch(followed.source, 0, &batch), PULL_ITEM);
	ck_assert_uint_eq(followed.reached_count, 1);
	ck_assert_uint_eq(followed.pauses, 3);
	ck_assert_uint_eq(batch.records->time, page_time(2));
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(source_next_batch(followed.source, 0, &batch), PULL_END);
		ck_assert_uint_eq(batch.count, 0);
		ck_assert_int_eq(source_next_batch(followed.source, 1, &batch), PULL_END);
	}
	ck_assert(!followed.source->health.damaged);
	source_close(followed.source);
	feeder_end(&feeder);
	end();
}
END_TEST

/* A heartbeat is not earlier than the records before it; those are none of the future. */
START_TEST(test_heartbeat_after_records)
{
	struct feeder feeder = {.stays_open = true};
	struct followed followed = {0};
	struct record_batch batch;

	begin(layout_of(_i), "[mono]");
	put_names();
	put_pages(0, 0, 1);
	trace_builder_reached(&builder, BEGIN + 3 * TICK);
	feeder_begin(&feeder, &builder);
	ck_assert_int_eq(open_live(feeder.from, false, 0, &followed, &why), 0);
	ck_assert_int_eq(source_next_batch(followed.source, 0, &batch), PULL_ITEM);
	ck_assert_int_eq(source_next_batch(followed.source, 0, &batch), PULL_ITEM);
	ck_assert(record_is_heartbeat(batch.records));
	ck_assert_uint_eq(batch.records->time, page_time(1) - TICK);
	source_close(followed.source);
	feeder_end(&feeder);
	end();
}
END_TEST

START_TEST(test_stop_when_reached)
{
	struct feeder feeder = {.stays_open = true};
	struct followed followed = {.stop = page_time(2)};

	begin(layout_of(_i), "[mono]");
	put_rounds();
	follow_pipe(&feeder, &builder, &followed, 0);
	ck_assert_uint_eq(followed.reached_count, 2);
	/* CPU 1 was ahead */
	ck_assert_uint_eq(followed.records, (size_t)(2 + 4) * EACH);
	ck_assert(!followed.source->health.damaged);
	source_close(followed.source);
	end();
}
END_TEST

/* What is readable beside the stream ends it at once, though pages still come. */
START_TEST(test_control)
{
	struct feeder feeder = {.rounds = 100000};
	struct followed followed = {0};
	size_t head;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	followed.control_fd = ends[0];
	begin(layout_of(_i), "[mono]");
	put_names();
	head = builder.file.length;
	put_pages(0, 0, 1);
	trace_builder_reached(&builder, BEGIN - 1);
	feeder.bytes = builder.file.text;
	feeder.size = head;
	feeder.more = builder.file.text + head;
	feeder.more_size = builder.file.length - head;
	feeder_begin(&feeder, &builder);
	ck_assert_int_eq(open_live(feeder.from, false, 0, &followed, &why), 0);
	ck_assert_int_eq(write(ends[1], "q", 1), 1);
	followed.pauses_max = followed.pauses + 1;
	follow(followed.source, &followed);
	ck_assert_uint_eq(followed.pauses, followed.pauses_max);
	ck_assert_uint_lt(followed.records, feeder.rounds);
	ck_assert(!followed.source->health.damaged);
	source_close(followed.source);
	feeder_end(&feeder);
	(void)close(ends[0]);
	(void)close(ends[1]);
	end();
}
END_TEST

/* One that was hung up is no reason to turn in circles. */
START_TEST(test_control_hangs_up)
{
	struct feeder feeder = {.stays_open = true};
	struct followed followed = {.pauses_max = 5};
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	(void)close(ends[0]);
	followed.control_fd = ends[1]; /* nobody reads it: an error */
	begin(layout_of(_i), "[mono]");
	put_names();
	put_rounds();
	builder.file.length -= sizeof(struct stream_block);
	follow_pipe(&feeder, &builder, &followed, 0);
	ck_assert_uint_eq(followed.records, (size_t)2 * PAGES * EACH);
	ck_assert_uint_eq(followed.pauses, 5);
	source_close(followed.source);
	(void)close(ends[1]);
	end();
}
END_TEST

/* A file to which on_pause() appends. */
struct growing {
	struct followed followed; /* first: it is the state of both */
	int fd;
	size_t done;
};

static bool grow(void *state)
{
	struct growing *growing = state;
	size_t left = builder.file.length - growing->done;
	size_t size = left < 9000 ? left : 9000;

	growing->followed.pauses++;
	assert(pwrite(growing->fd, builder.file.text + growing->done, size,
	              (off_t)growing->done) == (ssize_t)size);
	growing->done += size;
	return true;
}

START_TEST(test_growing)
{
	struct growing growing = {0};
	struct live_source_setup setup = {
		.is_growing = true,
		.control_fd = -1,
		.on_reached = followed_reach,
		.on_pause = grow,
		.state = &growing,
	};
	char *path = trace_builder_write("", 0);

	begin(layout_of(_i), "[mono]");
	put_rounds();
	growing.fd = open(path, O_RDWR | O_CLOEXEC);
	setup.fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_msg(live_source_open(&setup, &growing.followed.source, &why) == 0, "%s",
	              why.text);
	follow(growing.followed.source, &growing.followed);
	ck_assert_uint_eq(growing.followed.records, (size_t)2 * PAGES * EACH);
	ck_assert_uint_gt(growing.followed.pauses, 3);
	ck_assert(!growing.followed.source->health.damaged);
	source_close(growing.followed.source);
	(void)close(growing.fd);
	(void)close(setup.fd);
	(void)unlink(path);
	free(path);
	end();
}
END_TEST

/* An older recorder's stream is read if it is short and has ended. */
START_TEST(test_nothing_reached)
{
	struct feeder feeder = {0};
	struct followed followed = {0};

	begin(layout_of(_i), "[mono]");
	put_pages(1, 0, 3);
	put_names();
	put_pages(0, 0, PAGES);
	put_end();
	follow_pipe(&feeder, &builder, &followed, 0);
	ck_assert_uint_eq(followed.records, (size_t)(PAGES + 3) * EACH);
	ck_assert_uint_eq(followed.reached_count, 0);
	ck_assert(!followed.source->health.damaged);
	source_close(followed.source);
	end();
}
END_TEST

#define UNREACHED (UINT64_C(64) << 20)

/* Else it is refused, or ends, depending on when that is seen. */
START_TEST(test_nothing_reached_for_long)
{
	struct feeder feeder = {0};
	struct followed followed = {0};
	size_t head;
	int r;

	begin(&page_layouts[0], "[mono]");
	if (_i)
		put_names();
	head = builder.file.length;
	for (unsigned i = 0; i < 10; i++)
		put_pages(0, 0, PAGES);
	feeder.bytes = builder.file.text;
	feeder.size = head;
	feeder.more = builder.file.text + head;
	feeder.more_size = builder.file.length - head;
	feeder.rounds = UNREACHED / ((size_t)10 * PAGES * builder.layout.page_bytes) + 2;
	feeder_begin(&feeder, &builder);
	r = open_live(feeder.from, false, 0, &followed, &why);
	if (!_i) {
		ck_assert_int_eq(r, -EOPNOTSUPP);
		ck_assert_ptr_nonnull(strstr(why.text, "how far it got"));
		ck_assert_ptr_null(followed.source);
	} else {
		ck_assert_int_eq(r, 0);
		follow(followed.source, &followed);
		ck_assert(followed.source->health.damaged);
		ck_assert_ptr_nonnull(strstr(followed.source->health.notes[0], "how far it got"));
		ck_assert_uint_gt(followed.records, 100000);
	}
	source_close(followed.source);
	feeder_end(&feeder);
	end();
}
END_TEST

static void put_time(size_t size, uint64_t time)
{
	uint8_t bytes[16] = {0};

	page_builder_store(&builder.layout, bytes, 8, time);
	trace_builder_block(&builder, STREAM_REACHED, 0, (const char *)bytes, size);
}

/* Has the last block claim that it is so large. */
static void claim(size_t block, uint64_t size)
{
	page_builder_store(&builder.layout, (uint8_t *)builder.file.text + block + 16, 8, size);
}

static void put_bad_block(int which)
{
	size_t block = builder.file.length;

	switch (which) {
	case 0:
		trace_builder_block(&builder, STREAM_HEAD, 0, "head", 4);
		break;
	case 1:
		put_time(4, 0);
		break;
	case 2:
		put_time(16, page_time(2));
		break;
	case 3:
		put_time(8, PAGE_TIME_MAX + 1);
		break;
	case 4:
		put_pages(0, 1, 1);
		claim(block, builder.layout.page_bytes + 512);
		break;
	case 5:
		put_names();
		claim(block, (UINT64_C(64) << 20) + 1);
		break;
	case 6:
		trace_builder_block(&builder, STREAM_OPTIONS, 0, "", 0);
		claim(block, UINT64_MAX);
		break;
	default:
		buffer_puts(&builder.file, "text of somebody else, who wrote to the same output");
		break;
	}
}

#define BAD_BLOCKS 8

/* What is wrong ends it, with one note; what came before is given. */
START_TEST(test_bad_blocks)
{
	static const char *const notes[BAD_BLOCKS] = {
		"second head", "time has an impossible size", "time has an impossible size",
		"time is impossible", "block of pages has an impossible size",
		"text has an impossible size", "text has an impossible size", "no block stands",
	};

	/* while it is opened, or later */
	for (int is_late = 0; is_late < 2; is_late++) {
		struct feeder feeder = {0};
		struct followed followed = {0};

		begin(layout_of(_i), "[mono]");
		put_pages(0, 0, 1);
		if (is_late)
			put_names();
		trace_builder_reached(&builder, page_time(1));
		put_bad_block(_i);
		put_pages(1, 0, 1);
		put_end();
		follow_pipe(&feeder, &builder, &followed, 0);
		ck_assert(followed.source->health.damaged);
		ck_assert_uint_eq(followed.source->health.note_count, 1);
		ck_assert_msg(strstr(followed.source->health.notes[0], notes[_i]) != NULL, "%s",
		              followed.source->health.notes[0]);
		ck_assert_uint_eq(followed.records, EACH);
		source_close(followed.source);
		end();
	}
}
END_TEST

/* Parts of pages that are only seen when their size is known. */
START_TEST(test_odd_pages_while_opening)
{
	size_t block, page;
	struct feeder feeder = {0};
	struct followed followed = {0};

	begin(layout_of(_i), "[mono]");
	page = builder.layout.page_bytes;
	put_pages(0, 0, 1);
	block = builder.file.length;
	put_pages(0, 1, 2);
	claim(block, page + page / 2);
	builder.file.length -= page / 2;
	put_names();
	put_pages(1, 0, 1);
	put_end();
	follow_pipe(&feeder, &builder, &followed, 0);
	ck_assert_uint_eq(followed.source->health.note_count, 1);
	ck_assert_ptr_nonnull(strstr(followed.source->health.notes[0], "impossible size"));
	ck_assert_uint_eq(followed.records, 2 * EACH);
	source_close(followed.source);
	end();
}
END_TEST

START_TEST(test_damaged_page)
{
	struct feeder feeder = {0};
	struct followed followed = {0};
	size_t page;

	begin(layout_of(_i), "[mono]");
	put_names();
	page = builder.file.length + sizeof(struct stream_block);
	put_pages(0, 0, 2);
	/* a commit larger than the page */
	page_builder_store(&builder.layout, (uint8_t *)builder.file.text + page + 8,
	                   builder.layout.commit_bytes, 0x8000);
	trace_builder_reached(&builder, page_time(2));
	put_end();
	follow_pipe(&feeder, &builder, &followed, 0);
	ck_assert(followed.source->health.damaged);
	ck_assert_ptr_nonnull(strstr(followed.source->health.notes[0],
	                             "damaged: page 0 of cpu 0: "));
	ck_assert_uint_eq(followed.losses, 1);
	ck_assert_uint_eq(followed.records, EACH);
	source_close(followed.source);
	end();
}
END_TEST

/* Pages that come while earlier ones fill the memory are lost, and that is said where it is. */
START_TEST(test_memory)
{
	struct feeder feeder = {0};
	struct followed followed = {0};
	uint64_t room;

	begin(layout_of(_i), "[mono]");
	room = 3 * builder.layout.page_bytes;
	put_names();
	put_pages(0, 0, 4); /* the fourth one is too many */
	put_pages(0, 4, 1);
	trace_builder_reached(&builder, page_time(5));
	put_pages(0, 5, 1);
	put_end();
	follow_pipe(&feeder, &builder, &followed, room);
	ck_assert_uint_eq(followed.losses, 1);
	ck_assert_uint_eq(followed.records, (size_t)4 * EACH);
	ck_assert_uint_eq(followed.times[(size_t)3 * EACH], page_time(5));
	ck_assert(followed.source->health.damaged);
	ck_assert_ptr_nonnull(strstr(followed.source->health.notes[0], "memory is limited"));
	source_close(followed.source);
	end();
}
END_TEST

/* The same of the only page of a CPU: the loss is all that the source has of it. */
START_TEST(test_memory_at_the_end)
{
	struct feeder feeder = {0};
	struct followed followed = {0};

	begin(layout_of(_i), "[mono]");
	put_names();
	put_pages(0, 0, 1);
	put_pages(1, 0, 1);
	trace_builder_reached(&builder, page_time(1));
	put_end();
	follow_pipe(&feeder, &builder, &followed, builder.layout.page_bytes);
	ck_assert_uint_eq(followed.records, EACH);
	ck_assert_uint_eq(followed.losses, 1);
	source_close(followed.source);
	end();
}
END_TEST

/* A page's time is years ahead of what the recorder had reached, although no page follows it in its
   block that would show that. */
START_TEST(test_page_ahead)
{
	struct feeder feeder = {0};
	struct followed followed = {0};

	begin(layout_of(_i), "[mono]");
	page_builder_store(&builder.layout, (uint8_t *)builder.pages[0].text, 8,
	                   BEGIN | UINT64_C(1) << 57);
	put_names();
	put_pages(0, 0, 1);
	trace_builder_reached(&builder, page_time(1));
	put_pages(0, 1, 1);
	trace_builder_reached(&builder, page_time(2));
	put_end();
	follow_pipe(&feeder, &builder, &followed, 0);
	ck_assert_uint_eq(followed.records, EACH);
	ck_assert_uint_eq(followed.times[0], page_time(1));
	ck_assert_uint_eq(followed.losses, 1);
	source_close(followed.source);
	end();
}
END_TEST

/* A CPU that has no events for long is known as far as the recorder had got when the stream was
   cut. */
START_TEST(test_cut_file_is_known_so_far)
{
	struct followed whole = {0};
	struct merger *merger;
	struct merged_run run;
	struct source *file;

	begin(layout_of(_i), "[mono]");
	put_names();
	put_pages(1, 0, 1);
	put_pages(0, 0, 4);
	trace_builder_reached(&builder, page_time(3));
	file = source_open_bytes(builder.file.text, builder.file.length, &why);
	merger = merger_new(file);
	while (merger_next(merger, &run)) {
		take_run(&whole, &run);
		if (!run.records && run.cpu == 1)
			ck_assert_uint_ge(whole.records, (size_t)4 * EACH);
	}
	ck_assert_uint_eq(whole.losses, 2);
	merger_free(merger);
	source_close(file);
	end();
}
END_TEST

/* A CPU that the head does not count has a stream if it is seen in time. */
START_TEST(test_more_cpus)
{
	struct feeder feeder = {0};
	struct followed followed = {0};

	begin(layout_of(_i), "[mono]");
	builder.cpu[1] = 5;
	put_pages(1, 0, 1);
	put_names();
	builder.cpu[1] = 6;
	put_pages(1, 1, 1);
	builder.cpu[1] = UINT32_MAX;
	put_pages(1, 2, 1);
	put_end();
	follow_pipe(&feeder, &builder, &followed, 0);
	ck_assert_uint_eq(followed.source->cpu_count, 6);
	ck_assert_uint_eq(followed.source->stream_count, 6 * STREAM_BUFFERS);
	ck_assert_uint_eq(followed.records, EACH);
	ck_assert_uint_eq(followed.source->health.note_count, 2);
	ck_assert_ptr_nonnull(strstr(followed.source->health.notes[0], "cpu 6 are lost"));
	source_close(followed.source);
	end();
}
END_TEST

/* By their numbers; those of a later version are not read. */
START_TEST(test_buffers)
{
	struct feeder feeder = {0};
	struct followed followed = {0};
	struct record_batch batch;

	begin(layout_of(_i), "[mono]");
	put_names();
	for (unsigned buffer = 0; buffer <= STREAM_BUFFERS; buffer++) {
		size_t block = builder.file.length;

		put_pages(1, buffer, 1);
		page_builder_store(&builder.layout, (uint8_t *)builder.file.text + block + 12, 4,
		                   buffer);
	}
	put_end();
	feeder_begin(&feeder, &builder);
	ck_assert_int_eq(open_live(feeder.from, false, 0, &followed, &why), 0);
	for (size_t i = 0; i < followed.source->stream_count; i++) {
		const struct source_stream *stream = &followed.source->streams[i];
		enum pull pull = source_next_batch(followed.source, i, &batch);

		ck_assert_int_eq(pull, stream->cpu == 1 ? PULL_ITEM : PULL_END);
		if (pull == PULL_ITEM)
			ck_assert_uint_eq(batch.records->time, page_time(stream->buffer));
	}
	ck_assert(!followed.source->health.damaged);
	source_close(followed.source);
	feeder_end(&feeder);
	end();
}
END_TEST

static int open_refused(const void *bytes, size_t size, struct followed *followed)
{
	struct feeder feeder = {.bytes = bytes, .size = size};
	int r;

	feeder_begin(&feeder, &builder);
	r = open_live(feeder.from, false, 0, followed, &why);
	feeder_end(&feeder);
	ck_assert_ptr_null(followed->source);
	ck_assert_uint_gt(why.length, 0);
	return r;
}

START_TEST(test_refused)
{
	static const char *const clocks[] = {"[local] mono", "[x86-tsc]", "[later]"};
	struct followed followed = {0};

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		begin(layout_of(_i), clocks[i]);
		put_rounds();
		ck_assert_int_eq(open_refused(builder.file.text, builder.file.length, &followed),
		                 -EOPNOTSUPP);
		ck_assert_ptr_nonnull(strstr(why.text, "--clock mono"));
		end();
	}
	begin(layout_of(_i), "[mono]");
	buffer_clear(&builder.file);
	trace_builder_add_text(&builder, 7, "-100"); /* shifts the stamps */
	trace_builder_begin_stream(&builder);
	put_rounds();
	ck_assert_int_eq(open_refused(builder.file.text, builder.file.length, &followed),
	                 -EOPNOTSUPP);
	buffer_clear(&builder.file);
	trace_builder_regions(&builder, false, 0);
	ck_assert_int_eq(open_refused(builder.file.text, builder.file.length, &followed),
	                 -EOPNOTSUPP);
	ck_assert_ptr_nonnull(strstr(why.text, "through a pipe"));
	buffer_clear(&builder.file);
	trace_builder_v6(&builder);
	ck_assert_int_eq(open_refused(builder.file.text, builder.file.length, &followed), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "trace.dat"));
	ck_assert_int_eq(open_refused("PERFILE2 and more", 17, &followed), -EINVAL);
	ck_assert_int_eq(open_refused("", 0, &followed), -ENODATA);
	ck_assert_ptr_nonnull(strstr(why.text, "empty"));
	ck_assert_int_eq(open_refused(STREAM_MAGIC "\0" "and no block at all, but text", 45,
	                              &followed), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "first block"));
	end();
}
END_TEST

START_TEST(test_refused_by_reader)
{
	struct feeder feeder = {.stays_open = true};
	struct followed followed = {.pauses_max = 2};
	char *path;
	int fd;

	begin(layout_of(_i), "[mono]");
	put_pages(0, 0, 1);
	feeder_begin(&feeder, &builder);
	ck_assert_int_eq(open_live(feeder.from, false, 0, &followed, &why), -EINTR);
	ck_assert_ptr_null(followed.source);
	feeder_end(&feeder);
	/* a descriptor that cannot be read */
	path = trace_builder_write(builder.file.text, builder.file.length);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ck_assert_int_eq(open_live(fd, false, 0, &followed, &why), -EBADF);
	(void)close(fd);
	(void)unlink(path);
	free(path);
	end();
}
END_TEST

Suite *live_source_suite(void)
{
	Suite *suite = suite_create("live_source");
	TCase *tests = tcase_create("live_source");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, test_whole, 0, 4);
	tcase_add_loop_test(tests, test_page_sizes, 0, 3);
	tcase_add_loop_test(tests, test_cut_anywhere, 0, 4);
	tcase_add_loop_test(tests, test_damaged_anywhere, 0, 4);
	tcase_add_loop_test(tests, test_no_snapshot, 0, 2);
	tcase_add_loop_test(tests, test_waiting, 0, 2);
	tcase_add_test(tests, test_heartbeat_after_records);
	tcase_add_test(tests, test_stop_when_reached);
	tcase_add_test(tests, test_control);
	tcase_add_test(tests, test_control_hangs_up);
	tcase_add_loop_test(tests, test_growing, 0, 2);
	tcase_add_loop_test(tests, test_nothing_reached, 0, 4);
	tcase_add_loop_test(tests, test_nothing_reached_for_long, 0, 2);
	tcase_add_loop_test(tests, test_bad_blocks, 0, BAD_BLOCKS);
	tcase_add_loop_test(tests, test_odd_pages_while_opening, 0, 4);
	tcase_add_loop_test(tests, test_damaged_page, 0, 4);
	tcase_add_test(tests, test_memory);
	tcase_add_test(tests, test_memory_at_the_end);
	tcase_add_test(tests, test_page_ahead);
	tcase_add_test(tests, test_cut_file_is_known_so_far);
	tcase_add_loop_test(tests, test_more_cpus, 0, 4);
	tcase_add_loop_test(tests, test_buffers, 0, 4);
	tcase_add_loop_test(tests, test_refused, 0, 4);
	tcase_add_test(tests, test_refused_by_reader);
	suite_add_tcase(suite, tests);
	return suite;
}
