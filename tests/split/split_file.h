/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a trace.dat as `ftwait record` writes it (version 6), to be written again with other
 * records: what describes the kernel stays as it is, times in ftwait's notes are shifted, and the
 * machine may get another name.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "builder/schedule.h"
#include "split_clock.h"

struct split_file {
	const uint8_t *bytes; /* borrowed */
	size_t size;
	bool is_swapped;
	size_t options;       /* offset of the first option */
};

/* Returns -EINVAL with a phrase in `why` if it is no such file. */
int split_file_open(const uint8_t *bytes, size_t size, struct split_file *ret, struct buffer *why);
/*
 * Writes all of it with the records of the schedule, of which `machine`, `cpu_count`,
 * `buffer_count`, `items` and `payload` are used. `host`: name of the machine, which gets a boot
 * and a machine id of its own, too; NULL: all of these stay.
 */
void split_file_build(const struct split_file *file, const struct schedule *schedule,
                      const struct split_clock *clock, const char *host, struct buffer *to);
