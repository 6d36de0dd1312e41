/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stack_event.h"

#include <inttypes.h>

#include "base/assume.h"
#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/text/buffer.h"

size_t stack_event_read(const struct machine *machine, const struct stack_event *stack,
                        uint64_t *ret)
{
	const struct source *source = machine->setup.source;
	bool is_swapped = source->is_big_endian != byte_order_is_big();
	const uint8_t *at = (const uint8_t *)stack->frames.at;
	size_t count = stack->frames.length / source->long_bytes;

	if (count > FRAMES_MAX)
		count = FRAMES_MAX;
	if (stack->count < count)
		count = (size_t)stack->count;
	for (size_t i = 0; i < count; i++, at += source->long_bytes)
		ret[i] = source->long_bytes == 4 ? load_u32(at, is_swapped)
		                                 : load_u64(at, is_swapped);
	return count;
}

void *stack_keep(struct object_pool *stacks, const uint64_t *frame, size_t count, uint64_t salt,
                 bool *ret_is_new)
{
	uint64_t hash = hash_mix(count, salt), check = ~(uint64_t)count;
	uint64_t *kept;

	ASSUME(stacks->setup.object_bytes >= sizeof(*kept));
	for (size_t i = 0; i < count; i++) {
		hash = hash_mix(hash, frame[i]);
		check = (check << 23 | check >> 41) * 0xff51afd7ed558ccdu + frame[i];
	}
	kept = object_pool_find(stacks, hash);
	*ret_is_new = !kept || *kept != check;
	if (*ret_is_new) {
		kept = object_pool_put(stacks, hash);
		*kept = check;
	}
	return kept;
}

void stack_name(const struct machine *machine, const uint64_t *frame, size_t count,
                const char **ret)
{
	/* a return address may lie behind a function that ends with the call */
	for (size_t at = 0; at < count; at++)
		ret[at] = machine_function_within(machine, frame[at] - 1);
}

uint32_t stack_intern(struct machine *machine, const uint64_t *frame, const char *const *name,
                      size_t first, size_t count)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(FRAMES_MAX * 64);

	ASSUME(first <= count && count <= FRAMES_MAX);
	for (size_t at = first; at < count; at++) {
		if (at > first)
			buffer_puts(&text, ";");
		if (name[at])
			buffer_puts(&text, name[at]);
		else
			buffer_printf(&text, "0x%" PRIx64, frame[at]);
	}
	return intern_add(&machine->timeline->names, text.text, text.length);
}
