/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An input of the target `format`: a byte of flags; the parts; a byte with the number of records,
 * and the records; and the rest is the format, as tracefs has it. Each part and record is behind
 * two bytes with its length, the lower one first. Any bytes are such an input: what lies behind the
 * end is missing.
 */
#pragma once

#define FORMAT_BIG_ENDIAN 1
#define FORMAT_LONG_4     2 /* the kernel's long has four bytes */

enum format_part {
	PART_SYSTEM, /* "sched" */
	PART_FILTER,
	PART_STRINGS, /* printk_formats */
	PART_SYMBOLS, /* kallsyms */
	PART_COUNT,
};
