/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring_memory.h"

#include "base/cleanup.h"
#include "capture/machine/control_group.h"
#include "recorder/machine/free_memory.h"

uint64_t ring_memory_limit(void)
{
	_cleanup_(control_group_release) struct control_group_limits limits;
	uint64_t free = free_memory_bytes();

	control_group_read(&limits);
	if (free == 0 || free > limits.memory_bytes)
		free = limits.memory_bytes;
	free = free < SIZE_MAX / 2 ? free : SIZE_MAX / 2;
	return free / 2;
}
