/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which event and which fields the numbers in a trace are: those of perfetto_events[], and those
 * that the trace itself describes, as Perfetto has no number for them. Older traces describe no
 * numbers, but each event of that kind names its fields.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/data/intern.h"
#include "base/data/map.h"
#include "source/text/text_layout.h"
#include "wire.h"

#define PERFETTO_FIELDS_MAX 20
#define PERFETTO_ROWS_MAX   8192
#define PERFETTO_NAME_BYTES 80
/* Numbers from this one on mean what the trace says. */
#define PERFETTO_DESCRIBED_MIN 65536u

/* An event, with the fields that its record has. */
struct perfetto_row {
	const char *name;
	size_t name_bytes; /* with the colon */
	size_t row;        /* of the layout; SIZE_MAX: it is not read */
	const struct text_field *field[PERFETTO_FIELDS_MAX]; /* by number */
};

struct perfetto_rows {
	const struct text_layout *layout;
	struct perfetto_row *row;
	size_t count;
	struct map by_number; /* sequence << 32 | number; sequence 0: of perfetto_events[] */
	struct map by_name;   /* id of a name -> index, of those that only have names */
	struct intern names;
};

void perfetto_rows_init(struct perfetto_rows *rows, const struct text_layout *layout);
void perfetto_rows_release(struct perfetto_rows *rows);
/* Reads a GenericEventDescriptor. */
void perfetto_rows_describe(struct perfetto_rows *rows, uint32_t sequence, struct wire descriptor);
/* NULL: nothing says what the number is. Valid until the next call of another function. */
const struct perfetto_row *perfetto_rows_find(const struct perfetto_rows *rows, uint32_t sequence,
                                              uint32_t number);
/* The row of a GenericFtraceEvent. NULL: it has no name. */
const struct perfetto_row *perfetto_rows_named(struct perfetto_rows *rows, struct wire event);
/* The field of that name of the row's event; NULL: its record has none. */
const struct text_field *perfetto_rows_field(const struct perfetto_rows *rows,
                                             const struct perfetto_row *row, struct text_line name);

/*
 * The table of ftrace events that are read from Perfetto's traces: which field of FtraceEvent an
 * event is, and which fields of it become which ones of text_events[].
 */

/* Fields of FtraceEvent that are read in their own way. */
#define PERFETTO_SWITCH     4
#define PERFETTO_WAKING     20
#define PERFETTO_WAKEUP_NEW 114
#define PERFETTO_GENERIC    327
#define PERFETTO_SYS_ENTER  329

struct perfetto_event {
	uint32_t number;
	const char *name;   /* as in text_events[], with a colon */
	const char *fields; /* "NUMBER=NAME ..."; NULL: the event has more than Perfetto keeps of
	                       it, and is not read */
};

/* By number. The last row has number 0. */
extern const struct perfetto_event perfetto_events[];
