/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data/array.h"
#include "source/file/foreign_file.h"
#include "suites.h"

/* What a head is told as; NULL: nothing that is known. */
static const struct {
	const char *bytes;
	size_t count;
	const char *what;
} heads[] = {
#define HEAD(bytes, what) {bytes, sizeof(bytes) - 1, what}
	HEAD("PERFILE2\x10\0\0\0\0\0\0\0", "a perf.data file; ftwait reads its text: perf script"),
	HEAD("2ELIFREP", "a perf.data file; ftwait reads its text: perf script"),
	HEAD("\xc1\x1f\xfc\xc1", "a stream of a CTF trace"),
	HEAD("/* CTF 1.8 */\n", "the metadata of a CTF trace"),
	HEAD("\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a", "a capture of packets (pcapng)"),
	HEAD("\xd4\xc3\xb2\xa1\2\0\4\0", "a capture of packets (pcap)"),
	HEAD("PK\3\4\x14\0", "a zip archive"),
	HEAD("\xfd" "7zXZ\0", "compressed with xz; xz -dc FILE | ftwait report -"),
	HEAD("\x7f" "ELF\2\1\1", "a program"),
	HEAD("cpus=2\n", "the text of trace-cmd report, without events"),
	HEAD("# tracer: nop\n#\n", "the text of ftrace, as the file trace"),
	HEAD("x\n  # tracer: irqsoff\n  #\n", "the text of ftrace with its tracer irqsoff, without"),
	HEAD("{\n  \"schema\": \"ftwait.report/1\",", "a report that ftwait has made"),
	/* two packets, and one that goes on behind the head */
	HEAD("\x0a\x07\x40\x01\x50\x02\x68\x03\x20\x0a\x03\x40\x02\x00", "a Perfetto trace"),
	HEAD("\x0a\xf2\x08\x32\xef\x08\x0a\x07\x08\x06\x10\xe4\x9d\x81", "a Perfetto trace"),
	HEAD("          <idle>-0     [001]  1234.567890: sched_switch:  x\n", "the text of ftrace, "
	     "as trace_pipe"),
	HEAD("# x\n  <...>-12    [001] d..3.  12.567890: sched_switch: x\n", "the text of ftrace, "
	     "as trace_pipe"),
	HEAD(" Chrome IO-12  (  9) [001] d..3.  12.5: x\n", "the text of ftrace, as trace_pipe"),
	HEAD("perf 23427 [000] 64375.384033: sched:sched_switch: x\n", "the text of perf script"),
	HEAD("a b 23427/23427 [000] 64375.384033: x\n", "the text of perf script"),
	HEAD("true  9649 64286.017846:     250000 cpu-clock:\n", "the text of perf script"),
	HEAD("", NULL),
	HEAD("\n", NULL),
	HEAD("\n\n\n\n\n\n\n\n\n\n\n", NULL),
	HEAD("\n Dear reader, [1] 2.3: none\n", NULL),
	HEAD("not a trace\n", NULL),
	HEAD("[1] 2.3: x\n1 2.3: x\n2.3: x\n- [1] 2.3: x\n", NULL),
	HEAD("make-1 [001] 12.5: no end of the line", NULL),
	HEAD("\027\010\104tracing6\0\0\10", NULL),
	HEAD("\x0a\x80\x80\x80\x80\x80\x80\x80\x80\x80", NULL),
	HEAD("\x0a\x05\x40\x01\x50\x02\x68\x41", NULL),
#undef HEAD
};

START_TEST(heads_are_reported)
{
	const char *what = heads[_i].what;
	struct buffer words;

	buffer_init(&words, 1000);
	ck_assert_int_eq(foreign_file_describe(heads[_i].bytes, heads[_i].count, &words),
	                 what != NULL);
	ck_assert_msg(!what || strncmp(words.text, what, strlen(what)) == 0, "%s", words.text);
	buffer_release(&words);
}
END_TEST

/* A head that is cut anywhere is no reason to read beyond it. */
START_TEST(cut_heads_are_read)
{
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		for (size_t count = 0; count < heads[i].count; count++) {
			struct buffer words;
			char *copy = malloc(count ? count : 1);

			if (count)
				memcpy(copy, heads[i].bytes, count);
			buffer_init(&words, 1000);
			(void)foreign_file_describe(copy, count, &words);
			buffer_release(&words);
			free(copy);
		}
}
END_TEST

START_TEST(archives_are_known_by_their_middle)
{
	char head[FOREIGN_HEAD_BYTES] = "name";
	struct buffer words;

	buffer_init(&words, 1000);
	memcpy(head + 257, "ustar", 5);
	ck_assert(foreign_file_describe(head, sizeof(head), &words));
	ck_assert_ptr_nonnull(strstr(words.text, "tar xf"));
	buffer_release(&words);
}
END_TEST

START_TEST(folders_are_reported)
{
	char path[] = "/tmp/ftwait-folder-XXXXXX";
	struct buffer words;
	int fd;

	buffer_init(&words, 1000);
	ck_assert_ptr_nonnull(mkdtemp(path));
	fd = open(path, O_RDONLY | O_DIRECTORY);
	ck_assert(!foreign_folder_describe(fd, &words));
	ck_assert_int_eq(mkdirat(fd, "kernel", 0700), 0);
	ck_assert_int_eq(close(openat(fd, "kernel/metadata", O_WRONLY | O_CREAT, 0600)), 0);
	ck_assert(foreign_folder_describe(fd, &words));
	ck_assert_ptr_nonnull(strstr(words.text, "LTTng"));
	(void)unlinkat(fd, "kernel/metadata", 0);
	(void)unlinkat(fd, "kernel", AT_REMOVEDIR);
	(void)close(fd);
	(void)rmdir(path);
	buffer_release(&words);
}
END_TEST

Suite *foreign_file_suite(void)
{
	Suite *suite = suite_create("foreign_file");
	TCase *tests = tcase_create("foreign_file");

	tcase_add_loop_test(tests, heads_are_reported, 0, ARRAY_SIZE(heads));
	tcase_add_test(tests, cut_heads_are_read);
	tcase_add_test(tests, archives_are_known_by_their_middle);
	tcase_add_test(tests, folders_are_reported);
	suite_add_tcase(suite, tests);
	return suite;
}
