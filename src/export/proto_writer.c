/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "proto_writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define VARINT_MAX 10u /* bytes for 64 bits, 7 bits in each */

enum wire_type {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
};

void proto_release(struct proto_writer *proto)
{
	free(proto->byte);
	*proto = (struct proto_writer){0};
}

void proto_clear(struct proto_writer *proto)
{
	proto->length = 0;
	proto->depth = 0;
}

static __attribute__((noinline)) void proto_grow(struct proto_writer *proto, size_t length)
{
	size_t capacity = proto->capacity ? proto->capacity : 256;

	while (capacity - proto->length < length)
		capacity *= 2;
	proto->byte = xreallocarray(proto->byte, capacity, 1);
	proto->capacity = capacity;
}

/* Room for so many bytes at the end. */
static inline uint8_t *proto_reserve(struct proto_writer *proto, size_t length)
{
	if (proto->capacity - proto->length < length)
		proto_grow(proto, length);
	return proto->byte + proto->length;
}

static inline size_t varint_put(uint8_t *to, uint64_t value)
{
	size_t length = 0;

	for (; value >= 0x80; value >>= 7)
		to[length++] = (uint8_t)(value | 0x80);
	to[length++] = (uint8_t)value;
	return length;
}

/* Appends the tag of a field; returns where its value begins, with room for so many bytes. */
static inline uint8_t *proto_tag(struct proto_writer *proto, uint32_t field, enum wire_type type,
                                 size_t room)
{
	uint8_t *to = proto_reserve(proto, VARINT_MAX + room);
	size_t length = varint_put(to, (uint64_t)field << 3 | type);

	proto->length += length;
	return to + length;
}

void proto_packed(struct proto_writer *proto, uint64_t value)
{
	proto->length += varint_put(proto_reserve(proto, VARINT_MAX), value);
}

void proto_number(struct proto_writer *proto, uint32_t field, uint64_t value)
{
	uint8_t *to = proto_tag(proto, field, WIRE_VARINT, VARINT_MAX);

	proto->length += varint_put(to, value);
}

void proto_fixed64(struct proto_writer *proto, uint32_t field, uint64_t value)
{
	uint8_t *to = proto_tag(proto, field, WIRE_FIXED64, sizeof(value));

	for (size_t i = 0; i < sizeof(value); i++)
		to[i] = (uint8_t)(value >> 8 * i);
	proto->length += sizeof(value);
}

void proto_bytes(struct proto_writer *proto, uint32_t field, const void *bytes, size_t length)
{
	uint8_t *to = proto_tag(proto, field, WIRE_BYTES, VARINT_MAX);

	proto->length += varint_put(to, length);
	proto_raw(proto, bytes, length);
}

void proto_raw(struct proto_writer *proto, const void *bytes, size_t length)
{
	if (length)
		memcpy(proto_reserve(proto, length), bytes, length);
	proto->length += length;
}

/* Reserves one byte for the length, which is enough for most messages. */
void proto_begin(struct proto_writer *proto, uint32_t field)
{
	assert(proto->depth < PROTO_DEPTH_MAX);
	(void)proto_tag(proto, field, WIRE_BYTES, 1);
	proto->length++;
	proto->open[proto->depth++] = proto->length;
}

void proto_end(struct proto_writer *proto)
{
	uint8_t length[VARINT_MAX];
	size_t begin, size, more;

	assert(proto->depth > 0);
	begin = proto->open[--proto->depth];
	size = proto->length - begin;
	if (size < 0x80) {
		proto->byte[begin - 1] = (uint8_t)size;
		return;
	}
	more = varint_put(length, size) - 1;
	(void)proto_reserve(proto, more);
	memmove(proto->byte + begin + more, proto->byte + begin, size);
	proto->length += more;
	memcpy(proto->byte + begin - 1, length, more + 1);
}
