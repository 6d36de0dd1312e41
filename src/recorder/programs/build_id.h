/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The GNU build id of an ELF file, which distinguishes programs of the same name. The file may be
 * anything; only its program headers and notes are read, in pieces of bounded size.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/file/elf_file.h"

#define BUILD_ID_BYTES_MAX 32
#define BUILD_ID_HEX_BYTES (2 * BUILD_ID_BYTES_MAX + 1)

/* Reads either class and byte order. Returns 0, -ENOENT without a build id, -EINVAL for no ELF
   file. */
int build_id_find(elf_reader read_at, void *state, char ret_hex[static BUILD_ID_HEX_BYTES]);
/* The same for an open file. */
int build_id_read(int fd, char ret_hex[static BUILD_ID_HEX_BYTES]);
/* The same for a file of ELF notes only, such as /sys/kernel/notes of the running kernel. */
int build_id_read_notes(int fd, char ret_hex[static BUILD_ID_HEX_BYTES]);
/* Formats it as hex digits; `size` is BUILD_ID_BYTES_MAX at most. */
void build_id_format(const uint8_t *bytes, size_t size, char ret_hex[static BUILD_ID_HEX_BYTES]);
