/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of programs: the one that a process has mapped, and its build id.
 *
 * mapped_file_open() opens the file that a process has mapped, which is not always the one that has
 * its name now: the process may see another root, and a program may have been built again. May
 * block for ever, as the file system may be dead: to be called in another process (peek.h).
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/file/elf_file.h"

struct mapped_file {
	int32_t tgid;
	uint64_t begin, end; /* of the mapping, while the process lives */
	char path[PATH_MAX]; /* as the process sees it */
};

/* Whether the open file is the one that is wanted. */
typedef bool mapped_file_test(int fd, const struct stat *status, const void *wanted);

/* Sets the path; false: it is not that of a file, or too long. */
bool mapped_file_name(struct mapped_file *file, const char *path);
/* Tries the mapping, the path as the process sees it, and the path as it is here, in that order.
   Returns a descriptor of the first regular file that passes the test, or -ENOENT. */
int mapped_file_open(const struct mapped_file *file, mapped_file_test *test, const void *wanted);

/*
 * The GNU build id of an ELF file, which distinguishes programs of the same name. The file may be
 * anything; only its program headers and notes are read, in pieces of bounded size.
 */

#define BUILD_ID_BYTES_MAX 32
#define BUILD_ID_HEX_BYTES (2 * BUILD_ID_BYTES_MAX + 1)

/* Reads either class and byte order. Returns 0, -ENOENT without a build id, -EINVAL for no ELF
   file. */
int build_id_find(elf_reader read_at, void *state, char ret_hex[static BUILD_ID_HEX_BYTES]);
/* The same for an open file. */
int build_id_read(int fd, char ret_hex[static BUILD_ID_HEX_BYTES]);
/* The same for a file of ELF notes only, such as /sys/kernel/notes of the running kernel. */
int build_id_read_notes(int fd, char ret_hex[static BUILD_ID_HEX_BYTES]);
/* Formats it as 2 * `size` hex digits and a NUL; `size` is BUILD_ID_BYTES_MAX at most. */
void build_id_format(const uint8_t *bytes, size_t size, char *ret_hex);
