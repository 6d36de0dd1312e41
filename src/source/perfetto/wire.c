/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wire.h"

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
