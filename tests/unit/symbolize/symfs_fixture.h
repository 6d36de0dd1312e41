/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of user_symbols: a folder for --symfs, and programs in it.
 */
#pragma once

#include "base/text/buffer.h"
#include "elf_builder.h"
#include "symbolize/user_symbols.h"

/* The build id of the programs below, their debug file's place, and another one. */
#define ID     "0123456789abcdefghij"
#define HEX_ID "303132333435363738396162636465666768696a"
#define ID_PATH "30/3132333435363738396162636465666768696a.debug"
#define OTHER_HEX_ID "403132333435363738396162636465666768696a"

extern char symfs_folder[64];
extern struct user_symbols *symbols; /* of that folder at first */

/* A program with all kinds of symbols; what stripping leaves of it; what it takes away. */
extern const struct built_program whole_program, stripped_program, debug_file_program;
extern const struct built_symbol whole_symbols[];

/* The fixture. */
void symfs_begin(void);
void symfs_end(void);

/* Forgets what was read, because the files are others now. */
void symbols_again(const char *symfs);
void write_bytes(const char *name, const char *bytes, size_t length);
/* Builds it, and the folders that it lies in. */
void write_program(const char *name, const struct built_program *program);
/* The name in /bin/prog at an offset of its code; "-": none. */
const char *name_of(const char *build_id, uint64_t offset);
/* The lines of user_symbols_report(), until the next call. */
const char *lines_reported(void);
/* Says so where this program is built without. */
bool is_skipped(const char *what);
/* False: there is no xz to pack with, or this program cannot unpack. */
bool pack_bytes(const char *bytes, size_t length, struct buffer *to);
