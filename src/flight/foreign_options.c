/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "foreign_options.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/byte_order.h"

void foreign_options_turn(struct buffer *options, bool is_in)
{
	uint8_t *at = (uint8_t *)options->text, *end = at + options->length;
	uint16_t id;
	uint32_t bytes;

	while ((size_t)(end - at) >= sizeof(id) + sizeof(bytes)) {
		size_t size;

		id = load_u16(at, /* is_swapped= */ true);
		bytes = load_u32(at + sizeof(id), /* is_swapped= */ true);
		size = is_in ? bytes : load_u32(at + sizeof(id), /* is_swapped= */ false);
		memcpy(at, &id, sizeof(id));
		memcpy(at + sizeof(id), &bytes, sizeof(bytes));
		at += sizeof(id) + sizeof(bytes);
		at += size < (size_t)(end - at) ? size : (size_t)(end - at);
	}
}
