/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the numbers of a recording stand that readers believe: sizes, counts, offsets, times; and
 * its parts, which may be cut out or be there twice. Of trace.dat 6 and 7 and of streams, with
 * pages where they are not packed. What does not make sense ends the map, and is no error.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum field_kind {
	FIELD_TABLE,  /* says where something stands, how much or of what kind it is */
	FIELD_EVENTS, /* within a page: a wrong one may well be another right one */
};

struct field {
	uint64_t offset;
	uint8_t bytes; /* 1, 2, 4 or 8 */
	enum field_kind kind;
	const char *name;
};

struct piece {
	uint64_t offset, bytes;
	const char *name;
};

struct field_map {
	bool is_big; /* its byte order */
	struct field *field;
	size_t field_count, field_capacity;
	struct piece *piece;
	size_t piece_count, piece_capacity;
};

void field_map_make(struct field_map *map, const uint8_t *bytes, size_t size);
void field_map_release(struct field_map *map);
