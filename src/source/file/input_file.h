/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is read in place with pread(), and a cursor over a piece of it or over memory. The
 * size is taken once, on opening: what is appended later is not seen, what is cut off later is a
 * short read. Offsets and sizes are bytes; all bounds are checked by subtraction.
 *
 * Errors: negative errno values; -ENODATA if the piece ends too early.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/source.h"

#define INPUT_DAMAGE_BYTES 256

struct input_file {
	int fd; /* -1: none */
	uint64_t bytes;
	bool is_copied; /* it is a copy of the named file */
	int32_t only_cpu; /* it is the file of this CPU in tracefs; -1: of all */
	bool has_holes; /* its allocated size is less than its length */
	char damage[INPUT_DAMAGE_BYTES]; /* of the packed file it comes from; "": none */
	struct read_failure *failure;    /* owned; NULL: not recorded */
};

/*
 * The file may have no end: trace_pipe of tracefs. `begin` is called before such a file is read,
 * and reading ends where `has_ended` says so. NULL, the default: it is read until it ends.
 */
void input_file_on_endless(void (*begin)(void), bool (*has_ended)(void));
/* What a file of tracefs is, by its name. */
struct input_place {
	bool is_pipe;     /* trace_pipe */
	int32_t only_cpu; /* as in struct input_file */
};

struct input_place input_place_of(int fd);
/* "-" is standard input; a pipe, or a file packed as a whole, is copied first; see spool.h. */
int input_file_open(const char *path, struct input_file *ret, struct buffer *why);
/* Makes a source of a file that is open, and takes that over, also on failure. */
typedef int input_opener(const struct input_file *file, struct source **ret, struct buffer *why);
/* The same file once more, with failures of its own. */
int input_file_open_again(const struct input_file *file, struct input_file *ret,
                          struct buffer *why);
void input_file_release(struct input_file *file);
/* Whether reading some part of it has failed so far; if so, `why` describes that. */
bool input_file_describe_failure(const struct input_file *file, struct buffer *why);
/* Exactly `size` bytes. */
int input_file_read(const struct input_file *file, uint64_t offset, void *to, size_t size);
/* At most `size` bytes; returns how many, which is less only at the end of the file. */
int64_t input_file_read_some(const struct input_file *file, uint64_t offset, void *to, size_t size);
/*
 * The first byte at or after `offset` that is not in a hole, which reads as zeros; the file's size
 * if only a hole follows.
 */
uint64_t input_file_skip_hole(const struct input_file *file, uint64_t offset);

/*
 * Steps forward through [offset, end). The first failure stays in `error`, and everything taken
 * after it is 0 or NULL, so that a run of fields needs one check. The result of cursor_take() is
 * borrowed until the next call.
 */
struct cursor {
	const struct input_file *file; /* NULL: over memory */
	const uint8_t *memory;         /* offset 0 of it */
	uint64_t offset, end;
	bool is_swapped;
	int error;
	uint8_t *window;
	size_t window_capacity, window_bytes;
	uint64_t window_offset;
};

void cursor_init_file(struct cursor *cursor, const struct input_file *file, uint64_t offset,
                      uint64_t end, bool is_swapped);
void cursor_init_memory(struct cursor *cursor, const void *memory, size_t bytes, bool is_swapped);
void cursor_release(struct cursor *cursor);
uint64_t cursor_left(const struct cursor *cursor);
const uint8_t *cursor_take(struct cursor *cursor, uint64_t bytes);
void cursor_skip(struct cursor *cursor, uint64_t bytes);
uint16_t cursor_u16(struct cursor *cursor);
uint32_t cursor_u32(struct cursor *cursor);
uint64_t cursor_u64(struct cursor *cursor);
/* A string with its closing NUL, at most `max` bytes with it. */
const char *cursor_string(struct cursor *cursor, size_t max);
