/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints that the builder can write, as a table: the fields in C notation and the print
 * format as a 6.1 kernel has them (what it lacks: as a 6.12 one). Offsets, sizes
 * and signs are computed for the machine that the trace pretends to come from (32 or 64 bit), so
 * that one table gives every variant.
 *
 * Source of the facts: events/SYSTEM/EVENT/format of a Debian 6.1 kernel on x86-64.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"

#define KIND_FIELDS_MAX    24
#define KIND_ARGUMENTS_MAX 6

/* The common fields before an event's own: type, flags, preempt count, pid. */
#define COMMON_BYTES 8

/*
 * How the words of a schedule line fill the fields, in order:
 *   "name"    that field, by its type
 *   "@prefix" a task: fields PREFIXcomm and PREFIXpid
 *   "#name"   a task: its tid into that field
 *   "%dev"    a device, MAJOR,MINOR
 *   "&name"   this and all further words: functions whose addresses that array gets, as many as
 *             the field size says then; the record ends with the last one
 *   "*name"   this and all further words: elements of that array of longs, from the first on
 *   "$name"   this and all further words: text to the end of the record, a newline behind it
 *   "~x"      ADDRESS:PORT or [ADDRESS]:PORT: fields xaddr (four bytes or a struct sockaddr),
 *             xaddr_v6 and xport; with ~s also src, with ~d also dst
 *   "+"       SECTOR+COUNT: fields sector, nr_sector and, where there is one, bytes
 */
struct kernel_event {
	const char *system;
	const char *name;
	uint16_t id;
	const char *fields; /* "int irq; __data_loc char[] name;" */
	const char *print;
	const char *arguments[KIND_ARGUMENTS_MAX];
};

struct kind_field {
	char type[40];
	char name[32];
	unsigned offset, size; /* bytes */
	bool is_signed, is_pointer, is_text, is_dynamic, is_rest;
};

struct kind_layout {
	struct kind_field field[KIND_FIELDS_MAX];
	size_t count;
	unsigned size; /* of the fixed part, padded to 4 bytes */
};

extern const struct kernel_event event_kinds[];
extern const size_t event_kind_count;
/* Print format of sched_switch in Linux 4.14.0 to 4.14.62. */
extern const char event_kind_switch_4_14[];

/* The kind of that name; NULL: there is none. */
const struct kernel_event *event_kind_find(const char *name);
/* long_bytes: 4 or 8. */
void event_kind_lay_out(const struct kernel_event *kind, unsigned long_bytes,
                        struct kind_layout *ret);
const struct kind_field *kind_layout_find(const struct kind_layout *layout, const char *name);
/* The text of the kind's format file. */
void event_kind_print_format(const struct kernel_event *kind, unsigned long_bytes,
                             struct buffer *to);
