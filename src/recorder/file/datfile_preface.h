/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that precedes the pages of a trace.dat. It is built from a stream's blocks and the
   future places of the pages of each CPU and buffer. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "stream_index.h"

/* Limit for all that precedes the pages. */
#define PREFACE_BYTES_MAX ((size_t)DATFILE_HEAD_BYTES_MAX * 4)

/* The pages of one CPU of a buffer. */
struct datfile_place {
	uint64_t bytes;
	uint64_t offset; /* in the trace.dat */
};

struct datfile_places {
	struct datfile_place *place; /* of CPU c of buffer b: [b * cpu_count + c] */
	uint32_t cpu_count;
	uint64_t align; /* the preface ends at a multiple of it */
};

static inline uint64_t align_up(uint64_t offset, uint64_t align)
{
	return (offset + align - 1) / align * align;
}

/* Lists all places with their bytes, without offsets; datfile_places_release() must follow. */
void datfile_places_init(struct datfile_places *places, const struct stream_index *index);
void datfile_places_release(struct datfile_places *places);
struct datfile_place *datfile_place_of(const struct datfile_places *places, uint32_t buffer,
                                       uint32_t cpu);
/* Places them one after the other from `offset` on, each at a multiple of `align`; returns their
   end. */
uint64_t datfile_places_pack(struct datfile_places *places, uint64_t offset);

/*
 * Appends the preface to an empty buffer, padded to `align`. Its length does not depend on the
 * offsets: build it once to find these, and again with them. `to` becomes `is_cut` if the preface
 * is too long.
 */
void datfile_preface_build(struct buffer *to, const struct stream_index *index,
                           const struct datfile_places *places);

/* Names of kernel functions, which a killed recorder does not write. As long as the recorded kernel
   runs, they can be found for the addresses in the stream's pages. */

/* Fills index->symbols if it has none. `fd`: the stream. */
void stream_names_find(struct stream_index *index, int fd);
