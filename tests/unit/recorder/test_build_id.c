/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files made here, of both classes and byte orders, and damaged ones. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "recorder/programs/program_file.h"
#include "suites.h"

#define NOTES_AT 512u

struct image {
	uint8_t bytes[1024];
	size_t size;
	unsigned reads;
};

static struct image image;

static int64_t image_read(void *state, void *to, size_t size, uint64_t offset)
{
	struct image *from = state;
	size_t left = offset < from->size ? from->size - (size_t)offset : 0;

	from->reads++;
	if (size > left)
		size = left;
	memcpy(to, from->bytes + (left ? offset : 0), size);
	return (int64_t)size;
}

static void put(size_t at, uint64_t number, size_t size, bool is_big)
{
	for (size_t i = 0; i < size; i++)
		image.bytes[at + (is_big ? size - 1 - i : i)] = (uint8_t)(number >> 8 * i);
}

/* A note of another owner, then that of the build id 01 02 ... */
static size_t put_notes(bool is_big)
{
	size_t at = NOTES_AT;

	put(at, 4, 4, is_big);
	put(at + 4, 6, 4, is_big);
	put(at + 8, NT_GNU_BUILD_ID, 4, is_big);
	memcpy(image.bytes + at + 12, "Xen", 4);
	at += 12 + 4 + 8;
	put(at, 4, 4, is_big);
	put(at + 4, 20, 4, is_big);
	put(at + 8, NT_GNU_BUILD_ID, 4, is_big);
	memcpy(image.bytes + at + 12, "GNU", 4);
	for (uint8_t i = 0; i < 20; i++)
		image.bytes[at + 16 + i] = (uint8_t)(i + 1);
	return at + 36 - NOTES_AT;
}

static void image_make(bool is_64, bool is_big)
{
	size_t head = is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	size_t segment = is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	size_t word = is_64 ? 8 : 4, notes;

	image = (struct image){.size = sizeof(image.bytes)};
	notes = put_notes(is_big);
	memcpy(image.bytes, ELFMAG, SELFMAG);
	image.bytes[EI_CLASS] = is_64 ? ELFCLASS64 : ELFCLASS32;
	image.bytes[EI_DATA] = is_big ? ELFDATA2MSB : ELFDATA2LSB;
	put(is_64 ? 32 : 28, head, word, is_big);
	put(is_64 ? 54 : 42, segment, 2, is_big);
	put(is_64 ? 56 : 44, 2, 2, is_big);
	put(head, PT_LOAD, 4, is_big);
	put(head + segment, PT_NOTE, 4, is_big);
	put(head + segment + (is_64 ? 8 : 4), NOTES_AT, word, is_big);
	put(head + segment + (is_64 ? 32 : 16), notes, word, is_big);
	put(head + segment + (is_64 ? 48 : 28), 4, word, is_big);
}

START_TEST(either_class_and_order_is_read)
{
	char hex[BUILD_ID_HEX_BYTES];

	image_make(_i & 1, _i & 2);
	ck_assert_int_eq(build_id_find(image_read, &image, hex), 0);
	ck_assert_str_eq(hex, "0102030405060708090a0b0c0d0e0f1011121314");
}
END_TEST

/* Any byte of it may be anything: nothing is read beyond what was, and it comes to an end. */
START_TEST(damage_is_survived)
{
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
	char hex[BUILD_ID_HEX_BYTES];

	for (size_t at = 0; at < sizeof(image.bytes); at++) {
		for (size_t i = 0; i < sizeof(values); i++) {
			int r;

			image_make(_i & 1, _i & 2);
			image.bytes[at] = values[i];
			r = build_id_find(image_read, &image, hex);
			ck_assert(r == 0 || r == -EINVAL || r == -ENOENT);
			ck_assert(image.reads < 3000);
		}
		image_make(_i & 1, _i & 2);
		image.size = at;
		ck_assert(build_id_find(image_read, &image, hex) <= 0);
	}
}
END_TEST

/* As in /sys/kernel/notes: notes in the order of this machine, and nothing else. */
START_TEST(notes_alone_are_read)
{
	_cleanup_(closep) int fd = memfd_create("notes", MFD_CLOEXEC);
	char hex[BUILD_ID_HEX_BYTES];
	size_t bytes;

	image = (struct image){0};
	bytes = put_notes(byte_order_is_big());
	ck_assert_int_eq(build_id_read_notes(fd, hex), -ENOENT);
	ck_assert_int_eq(write(fd, image.bytes + NOTES_AT, bytes), (ssize_t)bytes);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(build_id_read_notes(fd, hex), 0);
	ck_assert_str_eq(hex, "0102030405060708090a0b0c0d0e0f1011121314");
	for (size_t cut = 0; cut < bytes; cut++) {
		ck_assert_int_eq(ftruncate(fd, (off_t)cut), 0);
		ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
		ck_assert_int_eq(build_id_read_notes(fd, hex), -ENOENT);
		ck_assert_int_eq(pwrite(fd, image.bytes + NOTES_AT, bytes, 0), (ssize_t)bytes);
	}
}
END_TEST

START_TEST(what_is_no_elf_file_has_none)
{
	_cleanup_(closep) int text = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	char hex[BUILD_ID_HEX_BYTES];

	ck_assert_int_eq(build_id_read(text, hex), -EINVAL);
	image_make(true, false);
	image.bytes[NOTES_AT + 24 + 12] = 'X'; /* not GNU's */
	ck_assert_int_eq(build_id_find(image_read, &image, hex), -ENOENT);
}
END_TEST

Suite *build_id_suite(void)
{
	Suite *suite = suite_create("build_id");
	TCase *tests = tcase_create("build_id");

	tcase_add_loop_test(tests, either_class_and_order_is_read, 0, 4);
	tcase_add_loop_test(tests, damage_is_survived, 0, 4);
	tcase_add_test(tests, notes_alone_are_read);
	tcase_add_test(tests, what_is_no_elf_file_has_none);
	suite_add_tcase(suite, tests);
	return suite;
}
