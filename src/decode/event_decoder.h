/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records to events. The fields of each wanted tracepoint are resolved once, from the format text
 * of the trace itself, into a short list of loads; decoding is then a table look-up by event id
 * and those loads, each inside the record's length.
 *
 * A tracepoint is one row (struct decoder_row) in one of the xxx_events.c; a new one is a row
 * there, a kind in ftwait/event.h, and a handler in the tracker that wants it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event_format.h"
#include "event_loads.h"
#include "ftwait/event.h"
#include "ftwait/record.h"
#include "ftwait/source.h"
#include "state_letters.h"

/* A field of a tracepoint and where it goes in struct event. */
struct field_row {
	const char *name;
	size_t target;    /* offset in struct event */
	bool is_text;     /* target is a struct text, else a 64-bit number */
	bool is_rest;     /* text: all that follows in the record, however long it says it is */
	bool is_needed;   /* without it the tracepoint is of no use */
	uint8_t elements; /* of an array of numbers, of which the first is loaded; 0: no array */
};

#define FIELD(name_, member, ...) \
	{.name = name_, .target = offsetof(struct event, member), __VA_ARGS__}
#define FIELD_NUMBER(name, member)        FIELD(name, member, .is_needed = true)
#define FIELD_NUMBER_IF_ANY(name, member) FIELD(name, member, .is_needed = false)
#define FIELD_FIRST_OF(name, member, count) FIELD(name, member, .elements = count)
#define FIELD_TEXT(name, member)          FIELD(name, member, .is_text = true, .is_needed = true)
#define FIELD_TEXT_IF_ANY(name, member)   FIELD(name, member, .is_text = true)
#define FIELD_REST(name, member) \
	FIELD(name, member, .is_text = true, .is_rest = true, .is_needed = true)

/* Bytes that are no text are borrowed like one. */
#define FIELD_BYTES(name, member) FIELD_TEXT(name, member)

struct decoder_row {
	const char *system, *name;
	enum event_kind kind;
	struct field_row field[EVENT_LOADS_MAX - 2]; /* ended by a name of NULL */
	enum memory_what what; /* memory events: what the tracepoint stands for */
};

/* A tracepoint of this trace, ready to be loaded. */
struct decoder_entry {
	enum event_kind kind;
	enum memory_what what; /* as in the row */
	struct event_loads loads;
	struct state_letters letters;
};

enum decode_result {
	DECODE_EVENT,   /* *event is filled */
	DECODE_OTHER,   /* a known tracepoint that nobody asked for */
	DECODE_FAILED,  /* unknown id, or shorter than its format says */
};

#define DECODER_IDS 65536

struct decoder {
	uint16_t *by_id; /* DECODER_IDS; 0: no format, 1: not wanted, else entry + 2 */
	struct decoder_entry *entry;
	size_t entry_count;
	bool is_swapped; /* the trace's byte order is not ours */
	bool has_kind[EVENT_KIND_COUNT]; /* the trace describes such an event */
	size_t formats_bad;              /* formats that could not be read */
};

/* Resolves all wanted formats of the source; the source must outlive the decoder. */
struct decoder *decoder_new(const struct source *source);
struct decoder *decoder_free(struct decoder *decoder);
enum decode_result decoder_decode(const struct decoder *decoder, const struct record *record,
                                  uint32_t cpu, struct event *ret);
/* Tables, each ended by a row without name. */
extern const struct decoder_row sched_event_rows[], irq_event_rows[], timer_event_rows[],
	block_event_rows[], net_event_rows[], work_event_rows[], lock_event_rows[],
	memory_event_rows[], syscall_event_rows[], place_event_rows[];
