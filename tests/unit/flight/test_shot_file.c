/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small stream is kept in a ring, with chapters that are dropped, and saved: what is in the file
 * is read back as any trace.dat.
 */
#include "flight/shot_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/xalloc.h"
#include "flight/ring_tasks.h"
#include "recorder/file/datfile_head.h"
#include "recorder/file/stream_writer.h"
#include "source/source.h"
#include "source/stream_lines.h"
#include "suites.h"
#include "unit/recorder/head_builder.h"

#define SECOND UINT64_C(1000000000)

static char folder[sizeof("/tmp/ftwait-shot.XXXXXX")];
static char *path;
static struct stream_ring ring;
static struct buffer why;

static bool is_foreign; /* the stream is of the other byte order */

static uint16_t order_16(uint16_t value)
{
	return is_foreign ? __builtin_bswap16(value) : value;
}

static uint32_t order_32(uint32_t value)
{
	return is_foreign ? __builtin_bswap32(value) : value;
}

static uint64_t order_64(uint64_t value)
{
	return is_foreign ? __builtin_bswap64(value) : value;
}

static void block_take(enum stream_block_type type, uint32_t cpu, const void *payload, size_t size)
{
	const struct stream_block block = {
		.mark = order_32(STREAM_BLOCK_MARK), .type = order_32(type), .cpu = order_32(cpu),
		.size = order_64(size),
	};

	stream_ring_take(&ring, &block, sizeof(block));
	stream_ring_take(&ring, payload, size);
}

static void option_append(struct buffer *to, uint16_t id, const char *text, size_t size)
{
	uint16_t number = order_16(id);
	uint32_t bytes = order_32((uint32_t)size);

	buffer_append(to, &number, sizeof(number));
	buffer_append(to, &bytes, sizeof(bytes));
	buffer_append(to, text, size);
}

static void version_take(const char *lines)
{
	struct buffer options;
	char *text = xasprintf(STREAM_VERSION_WORD "1\n%s", lines);

	buffer_init(&options, 10000);
	option_append(&options, DATFILE_OPTION_VERSION, text, strlen(text) + 1);
	option_append(&options, DATFILE_OPTION_CLOCK, "local [mono]", 13);
	block_take(STREAM_OPTIONS, 0, options.text, options.length);
	buffer_release(&options);
	free(text);
}

/* An empty page at that time. */
static void page_take(uint32_t cpu, nsec_t time)
{
	static char page[HEAD_PAGE_BYTES];

	time = order_64(time);
	memcpy(page, &time, sizeof(time));
	block_take(STREAM_PAGES, cpu, page, sizeof(page));
}

static void turn(nsec_t time, const char *lines)
{
	struct buffer version, cmdlines;

	buffer_init(&version, 1000);
	buffer_init(&cmdlines, 1000);
	buffer_puts(&version, lines);
	buffer_puts(&cmdlines, "7 later\n");
	stream_ring_turn(&ring, time, &version, &cmdlines);
}

/* What says the byte order, and the size of pages behind it. */
static void head_turn(const struct buffer *head)
{
	char *order = head->text + 12;
	uint32_t page = order_32(HEAD_PAGE_BYTES);

	*order = !*order;
	memcpy(order + 2, &page, sizeof(page));
}

static void stream_begin(void)
{
	static const char *const formats[] = {"format of an event"};
	struct buffer head;

	stream_ring_init(&ring, 10 * SECOND, 1u << 30, -1);
	head_make(&head, "format of the kernel", formats, 1);
	if (is_foreign)
		head_turn(&head);
	stream_ring_take(&ring, STREAM_MAGIC, STREAM_MAGIC_BYTES);
	block_take(STREAM_HEAD, 0, head.text, head.length);
	buffer_release(&head);
	version_take("guest\nlabel board b7\ntask 5 5 S - early\nprocess 5 1 -\npids 5\n"
	             "realtime 100 1000 1\n");
	block_take(STREAM_CMDLINES, 0, "5 early\n", 8);
	page_take(0, 1 * SECOND);
}

static void setup(void)
{
	memcpy(folder, "/tmp/ftwait-shot.XXXXXX", sizeof(folder));
	ck_assert_ptr_nonnull(mkdtemp(folder));
	path = xasprintf("%s/shot.dat", folder);
	buffer_init(&why, 4096);
	is_foreign = false;
	stream_begin();
}

static void teardown(void)
{
	char *command = xasprintf("rm -r '%s'", folder);

	stream_ring_release(&ring);
	buffer_release(&why);
	ck_assert_int_eq(system(command), 0);
	free(command);
	free(path);
}

static struct source *save(void)
{
	struct buffer version;
	const struct shot shot = {.ring = &ring, .version = &version};
	const struct trigger_note note = {
		.at = 25 * SECOND, .since = 24 * SECOND, .tid = 7, .condition = "wait>1s",
		.text = "later[7] waited",
	};
	struct source *source = NULL;
	uint64_t bytes = 0;

	buffer_init(&version, 1000);
	trigger_note_put(&note, &version);
	ck_assert_msg(shot_file_write(&shot, path, &bytes, &why) == 0, "%s", why.text);
	ck_assert_uint_ge(bytes, HEAD_PAGE_BYTES);
	ck_assert_msg(source_open(path, &source, &why) == 0, "%s", why.text);
	ck_assert_str_eq(source->notes.trigger.condition, "wait>1s");
	ck_assert_str_eq(source->notes.trigger.text, "later[7] waited");
	ck_assert(source->notes.machine.is_guest);
	/* of the head that tests have, and of nothing else */
	ck_assert_uint_eq(source->health.note_count, 1);
	ck_assert_ptr_nonnull(strstr(source->health.notes[0], "damaged: the head makes no sense"));
	ck_assert_uint_eq(source->notes.labels.count, 1);
	buffer_release(&version);
	return source;
}

START_TEST(the_first_chapter_has_the_tasks_of_the_stream)
{
	struct source *source;

	turn(2 * SECOND, "task 7 7 S - later\n");
	source = save();
	ck_assert_uint_eq(source->notes.tasks.count, 1);
	ck_assert_str_eq(source->notes.tasks.item[0].comm, "early");
	ck_assert_uint_eq(source->notes.pids.count, 1);
	source_close(source);
}
END_TEST

START_TEST(later_chapters_have_their_own)
{
	struct source *source;

	turn(2 * SECOND, "task 6 6 S - middle\n");
	page_take(1, 14 * SECOND);
	turn(15 * SECOND, "hierarchies 0\ncgroup 0 0 /a\ntask 7 7 S - later\nprocess 7 1 0\npids 7\n");
	page_take(1, 20 * SECOND);
	turn(26 * SECOND, "task 8 8 S - last\n");
	ck_assert_uint_eq(stream_ring_begin(&ring), 15 * SECOND);
	source = save();
	ck_assert_uint_eq(source->notes.tasks.count, 1);
	ck_assert_str_eq(source->notes.tasks.item[0].comm, "later");
	ck_assert_uint_eq(source->notes.processes.count, 1);
	ck_assert_str_eq(source->notes.cgroups.item[source->notes.processes.item[0].cgroup].path,
	                 "/a");
	ck_assert_int_eq(source->notes.pids.item[0], 7);
	ck_assert_uint_eq(source->notes.realtime.count, 0);
	source_close(source);
}
END_TEST

START_TEST(streams_of_the_other_byte_order_stay_streams)
{
	struct source *source;
	char magic[STREAM_MAGIC_BYTES];
	FILE *file;

	stream_ring_release(&ring);
	is_foreign = true;
	stream_begin();
	turn(2 * SECOND, "task 6 6 S - middle\n");
	page_take(1, 14 * SECOND);
	turn(15 * SECOND, "task 7 7 S - later\nrealtime 15000000000 77 1\n");
	page_take(1, 20 * SECOND);
	turn(26 * SECOND, "task 8 8 S - last\n");
	source = save();
	ck_assert_uint_eq(source->notes.tasks.count, 1);
	ck_assert_str_eq(source->notes.tasks.item[0].comm, "later");
	ck_assert_str_eq(source->clock, "mono");
	ck_assert_uint_eq(source->notes.realtime.count, 1);
	ck_assert_uint_eq(source->notes.realtime.pair[0].real, 77);
	ck_assert_uint_eq(source->notes.pids.count, 0);
	source_close(source);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fread(magic, sizeof(magic), 1, file), 1);
	ck_assert_mem_eq(magic, STREAM_MAGIC, sizeof(magic));
	ck_assert_int_eq(fclose(file), 0);
}
END_TEST

START_TEST(what_cannot_be_written_leaves_nothing)
{
	struct buffer version;
	const struct shot shot = {.ring = &ring, .version = &version};
	uint64_t bytes = 0;
	char *nowhere = xasprintf("%s/none/shot.dat", folder);

	buffer_init(&version, 1000);
	turn(2 * SECOND, "");
	ck_assert_int_eq(shot_file_write(&shot, nowhere, &bytes, &why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why.text, nowhere));
	ck_assert_int_eq(access(path, F_OK), -1);
	buffer_release(&version);
	free(nowhere);
}
END_TEST

START_TEST(a_new_file_replaces_none)
{
	struct buffer version;
	const struct shot shot = {.ring = &ring, .version = &version, .is_new = true};
	uint64_t bytes = 0;
	char *old = xasprintf("%s.old", path);

	buffer_init(&version, 1000);
	turn(2 * SECOND, "");
	ck_assert_msg(shot_file_write(&shot, path, &bytes, &why) == 0, "%s", why.text);
	ck_assert_int_eq(shot_file_write(&shot, path, &bytes, &why), -EEXIST);
	ck_assert_ptr_nonnull(strstr(why.text, path));
	/* nor one that is a link to nothing */
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(symlink(old, path), 0);
	ck_assert_int_eq(shot_file_write(&shot, path, &bytes, &why), -EEXIST);
	ck_assert_int_eq(access(old, F_OK), -1);
	buffer_release(&version);
	free(old);
}
END_TEST

START_TEST(tasks_are_described_as_a_recorder_does)
{
	struct known_task task[] = {
		{.tid = 5, .tgid = 4, .comm = "a b", .state = 'D'},
		{.tid = 6, .tgid = 6, .comm = "kworker/0", .state = 'S', .is_kernel = true},
		{.tid = 9, .tgid = 9, .comm = "", .state = '\0'},
	};
	struct carried_wait wait[] = {{.since = SECOND}, {.since = SECOND}, {.since = NSEC_NEVER}};
	struct known_process process[] = {
		{.tgid = 4, .parent = 1, .cgroup = 0}, {.tgid = 6, .cgroup = SOURCE_CGROUP_NONE},
	};
	struct source_cgroup cgroup[] = {{.hierarchy = 0, .path = "/a/b"}};
	int32_t pids[] = {6, 7};
	const struct live_handover tasks = {
		.source = {.notes.pids.item = pids, .notes.pids.count = 2},
		.task = task, .task_count = 3, .wait = wait,
		.process = process, .process_count = 2,
		.cgroup = cgroup, .cgroup_count = 1,
	};
	struct buffer version, cmdlines;

	buffer_init(&version, 1000);
	buffer_init(&cmdlines, 1000);
	shot_tasks_describe(&tasks, 77, &version, &cmdlines);
	ck_assert_str_eq(version.text, "pids 6,7\ncgroup 0 0 /a/b\nread 77\n"
	                               "task 5 4 D - a b\ntask 6 6 S k kworker/0\ntask 9 9 - - \n"
	                               "process 4 1 0\nprocess 6 0 -\n");
	ck_assert_str_eq(cmdlines.text, "5 a b\n6 kworker/0\n");
	buffer_clear(&version);
	shot_tasks_describe_still(&tasks, 2 * SECOND, &version);
	ck_assert_str_eq(version.text, "still 5\nstill 6\n");
	buffer_clear(&version);
	shot_tasks_describe_still(&tasks, SECOND / 2, &version);
	ck_assert_str_eq(version.text, "");
	buffer_release(&version);
	buffer_release(&cmdlines);
}
END_TEST

Suite *shot_file_suite(void)
{
	Suite *suite = suite_create("shot_file");
	TCase *tests = tcase_create("shot_file");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, the_first_chapter_has_the_tasks_of_the_stream);
	tcase_add_test(tests, later_chapters_have_their_own);
	tcase_add_test(tests, streams_of_the_other_byte_order_stay_streams);
	tcase_add_test(tests, what_cannot_be_written_leaves_nothing);
	tcase_add_test(tests, a_new_file_replaces_none);
	tcase_add_test(tests, tasks_are_described_as_a_recorder_does);
	suite_add_tcase(suite, tests);
	return suite;
}
