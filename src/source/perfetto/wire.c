/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wire.h"

#include <string.h>

#include "source/text/text_probe.h"

#define PACKET_TAG (1u << 3 | WIRE_BYTES)
#define FIELD_MAX  1000u /* of a packet */
#define PACKET_MAX (64u << 20)

/*
 * Perfetto's traces have no magic. Each is a sequence of packets: the tag of field 1, the length,
 * and the bytes of the packet. A second packet follows the first; if the head does not reach that
 * far, the first field of the first packet must be one that packets have, and the head no text.
 */
bool perfetto_is_trace(const void *head, size_t bytes)
{
	const uint8_t *begin = head;
	struct wire wire = {begin, begin + bytes, false};
	uint64_t tag, length, left;

	if (bytes < 8 || begin[0] != PACKET_TAG)
		return false;
	wire.at++;
	if (!wire_number(&wire, &length) || length == 0)
		return false;
	left = (uint64_t)(wire.end - wire.at);
	if (length < left)
		return wire.at[length] == PACKET_TAG && (wire.at[0] & 7) <= WIRE_FIXED32;
	if (!wire_number(&wire, &tag) || tag >> 3 == 0 || tag >> 3 >= FIELD_MAX ||
	    ((tag & 7) != WIRE_NUMBER && (tag & 7) != WIRE_BYTES))
		return false;
	return length <= PACKET_MAX && !text_probe_is_text(head, bytes);
}

#define NUMBER_MAX ((UINT64_C(1) << 29) - 1) /* of a field */

static bool wire_fixed(struct wire *wire, size_t bytes, uint64_t *ret)
{
	if ((size_t)(wire->end - wire->at) < bytes)
		return false;
	*ret = 0;
	for (size_t i = 0; i < bytes; i++)
		*ret |= (uint64_t)*wire->at++ << 8 * i;
	return true;
}

static bool wire_bytes(struct wire *wire, struct wire_field *field)
{
	uint64_t bytes;

	if (!wire_number(wire, &bytes) || bytes > (uint64_t)(wire->end - wire->at))
		return false;
	field->at = wire->at;
	field->bytes = (size_t)bytes;
	wire->at += bytes;
	return true;
}

static bool wire_value(struct wire *wire, struct wire_field *field)
{
	switch (field->type) {
	case WIRE_NUMBER:
		return wire_number(wire, &field->value);
	case WIRE_FIXED64:
		return wire_fixed(wire, 8, &field->value);
	case WIRE_FIXED32:
		return wire_fixed(wire, 4, &field->value);
	case WIRE_BYTES:
		return wire_bytes(wire, field);
	default: /* groups, which Perfetto does not use */
		return false;
	}
}

bool wire_next(struct wire *wire, struct wire_field *ret)
{
	uint64_t tag;

	if (wire->at == wire->end || !wire_number(wire, &tag))
		return false;
	*ret = (struct wire_field){.number = (uint32_t)(tag >> 3), .type = (uint8_t)(tag & 7)};
	if (tag >> 3 > 0 && tag >> 3 <= NUMBER_MAX && wire_value(wire, ret))
		return true;
	wire->is_bad = true;
	wire->at = wire->end;
	return false;
}

bool wire_read(struct wire wire, struct wire_field *ret, size_t count)
{
	struct wire_field field, other;

	memset(ret, 0, count * sizeof(*ret));
	while (wire_next(&wire, &field)) {
		struct wire_field *to = field.number < count ? &ret[field.number] : &other;

		to->number = field.number;
		if (field.type == WIRE_BYTES) {
			to->at = field.at;
			to->bytes = field.bytes;
		} else {
			to->value = field.value;
		}
	}
	return !wire.is_bad;
}
