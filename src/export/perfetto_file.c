/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
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

#define TEXT_BYTES_MAX 4096 /* of a field */

static void texts_init(struct perfetto_file *file)
{
	intern_init(&file->texts);
	map_init(&file->numbers);
	file->text_count = 0;
	file->has_state = false;
}

void perfetto_file_init(struct perfetto_file *file, FILE *out, uint32_t clock, uint32_t machine)
{
	*file = (struct perfetto_file){
		.out = out,
		.clock = clock,
		.machine = machine,
		.annotation = EVENT_ANNOTATION,
	};
	texts_init(file);
}

void perfetto_file_release(struct perfetto_file *file)
{
	intern_release(&file->texts);
	map_release(&file->numbers);
	proto_release(&file->packet);
	proto_release(&file->interned);
}

/* Forgets all texts if there are too many. Call only between packets: the numbers within one packet
   must stay valid. */
static void texts_bound(struct perfetto_file *file)
{
	if (file->text_count < PERFETTO_TEXTS_MAX)
		return;
	intern_release(&file->texts);
	map_release(&file->numbers);
	texts_init(file);
}

void perfetto_packet_begin(struct perfetto_file *file, nsec_t time)
{
	struct proto_writer *packet = &file->packet;

	texts_bound(file);
	proto_clear(packet);
	proto_clear(&file->interned);
	proto_begin(packet, TRACE_PACKET);
	if (time != NSEC_NEVER)
		proto_number(packet, PACKET_TIMESTAMP, time);
	proto_number(packet, PACKET_SEQUENCE_ID, PERFETTO_SEQUENCE + file->machine);
	proto_number(packet, PACKET_SEQUENCE_FLAGS,
	             SEQUENCE_NEEDS_STATE | (file->has_state ? 0 : SEQUENCE_CLEARED));
	if (file->machine)
		proto_number(packet, PACKET_MACHINE_ID, file->machine);
	if (file->has_state)
		return;
	file->has_state = true;
	proto_begin(packet, PACKET_DEFAULTS);
	proto_number(packet, DEFAULTS_CLOCK_ID, file->clock);
	proto_end(packet);
	/* not every reader applies the defaults of a packet to the packet itself */
	proto_number(packet, PACKET_CLOCK_ID, file->clock);
}

void perfetto_packet_end(struct perfetto_file *file)
{
	if (file->interned.length)
		proto_bytes(&file->packet, PACKET_INTERNED_DATA, file->interned.byte,
		            file->interned.length);
	proto_end(&file->packet);
	(void)fwrite(file->packet.byte, 1, file->packet.length, file->out);
}

uint64_t perfetto_number(struct perfetto_file *file, uint32_t table, const char *text,
                         bool *ret_is_new)
{
	uint64_t key = (uint64_t)intern_adds(&file->texts, text) << 8 | table;
	uint32_t number = map_get(&file->numbers, key);

	*ret_is_new = number == MAP_NONE;
	if (number != MAP_NONE)
		return number;
	number = ++file->text_count;
	map_put(&file->numbers, key, number);
	return number;
}

uint64_t perfetto_text(struct perfetto_file *file, uint32_t table, const char *text)
{
	bool is_new;
	uint64_t number = perfetto_number(file, table, text, &is_new);

	if (!is_new)
		return number;
	proto_begin(&file->interned, table);
	proto_number(&file->interned, INTERNED_IID, number);
	proto_bytes(&file->interned, INTERNED_TEXT, text, strlen(text));
	proto_end(&file->interned);
	return number;
}

static bool text_is_plain(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~' || text[i] == '\\')
			return false;
	return true;
}

void perfetto_text_put(struct proto_writer *proto, uint32_t field, const struct text *text)
{
	size_t length = text->length ? strnlen(text->at, text->length) : 0;
	_cleanup_(buffer_release) struct buffer clean = {0};

	if (text_is_plain(text->at, length)) {
		proto_bytes(proto, field, text->at, length);
		return;
	}
	buffer_init(&clean, TEXT_BYTES_MAX);
	buffer_puts_clean(&clean, text->at, length);
	proto_bytes(proto, field, clean.text, clean.length);
}

void perfetto_comm_put(struct proto_writer *proto, uint32_t field, const char *comm)
{
	perfetto_text_put(proto, field,
	                  &(struct text){.at = comm, .length = (uint32_t)strlen(comm)});
}
