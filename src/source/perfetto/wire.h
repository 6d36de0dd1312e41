/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A strict reader of protobuf's wire format, over bytes in memory. All lengths are checked against
 * the message that they are in, so a hostile message yields at most all of its own bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/text/text_line.h"

enum wire_type {
	WIRE_NUMBER = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
	WIRE_FIXED32 = 5,
};

/* What is left of a message. */
struct wire {
	const uint8_t *at, *end;
	bool is_bad; /* it is no message from here on */
};

struct wire_field {
	uint32_t number;
	uint8_t type;       /* enum wire_type */
	uint64_t value;     /* of numbers */
	const uint8_t *at;  /* of bytes */
	size_t bytes;
};

/* Empty if the field has no bytes. */
static inline struct wire wire_of(const struct wire_field *field)
{
	return (struct wire){.at = field->at,
	                     .end = field->bytes ? field->at + field->bytes : field->at};
}

static inline struct text_line wire_line(struct wire wire)
{
	return (struct text_line){(const char *)wire.at, (const char *)wire.end};
}

/* A number of at most 64 bits; false, and is_bad: there is none. */
static inline bool wire_number(struct wire *wire, uint64_t *ret)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 70 && wire->at < wire->end; shift += 7) {
		uint8_t byte = *wire->at++;

		if (shift == 63 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*ret = value;
			return true;
		}
	}
	wire->is_bad = true;
	wire->at = wire->end;
	return false;
}

/* The next field; false: at the end, or is_bad. */
bool wire_next(struct wire *wire, struct wire_field *ret);

/* Of each field with a number below `count` the last value, and the last bytes; false: is_bad. */
bool wire_read(struct wire wire, struct wire_field *ret, size_t count);

/* Recognizes a Perfetto trace by the first bytes of an input. */
bool perfetto_is_trace(const void *head, size_t bytes);
