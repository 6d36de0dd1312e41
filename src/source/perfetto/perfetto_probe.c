/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_probe.h"

#include <stdint.h>

#include "source/text/text_probe.h"
#include "wire.h"

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
