/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "futex_call.h"

#include "base/array.h"
#include "base/byte_order.h"
#include "words/futex_kind.h"

#define FLAG_PRIVATE 0x80

enum futex_use futex_use_of(uint64_t op)
{
	static const uint8_t uses[FUTEX_OP_MASK + 1] = {
		[0] = FUTEX_SLEEP,    /* WAIT */
		[1] = FUTEX_WAKE,     /* WAKE */
		[3] = FUTEX_MOVE,     /* REQUEUE */
		[4] = FUTEX_MOVE,     /* CMP_REQUEUE */
		[5] = FUTEX_WAKE_OP,  /* WAKE_OP */
		[7] = FUTEX_WAKE,     /* UNLOCK_PI */
		[9] = FUTEX_SLEEP,    /* WAIT_BITSET */
		[10] = FUTEX_WAKE,    /* WAKE_BITSET */
		[11] = FUTEX_SLEEP,   /* WAIT_REQUEUE_PI */
		[12] = FUTEX_MOVE_PI, /* CMP_REQUEUE_PI */
	};
	uint8_t use = uses[op & FUTEX_OP_MASK];

	return use == FUTEX_NOT ? FUTEX_OTHER : (enum futex_use)use;
}

bool futex_use_moves(uint8_t use)
{
	return use >= FUTEX_MOVE;
}

bool futex_use_wakes(uint8_t use)
{
	return use >= FUTEX_WAKE;
}

bool futex_is_private(uint64_t op)
{
	return op & FLAG_PRIVATE;
}

bool futex_call_read(const struct source *source, struct text arguments, struct futex_call *ret)
{
	bool is_swapped = source->is_big_endian != byte_order_is_big();
	uint64_t number[5] = {0};
	size_t i = 1;

	for (; i < ARRAY_SIZE(number); i++) {
		const uint8_t *at = (const uint8_t *)arguments.at + i * source->long_bytes;

		if (arguments.length < (i + 1) * source->long_bytes)
			break;
		number[i] = source->long_bytes == 4 ? load_u32(at, is_swapped)
		                                    : load_u64(at, is_swapped);
	}
	*ret = (struct futex_call){number[1], number[2], number[3], number[4]};
	return i == ARRAY_SIZE(number);
}
