/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format of /proc/PID/maps, from the kernel's fs/proc/task_mmu.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A line of /proc/PID/maps. */
struct maps_line {
	uint64_t begin, end, offset, inode;
	unsigned device_major, device_minor;
	bool is_executable;
	const char *path; /* in the line; "" for memory without a file */
};

/* Parses a line without its newline; false if malformed. */
bool maps_line_parse(const char *line, struct maps_line *ret);
