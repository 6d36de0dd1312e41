/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records to events. The fields of each wanted tracepoint are resolved once, from the format text
 * of the trace itself, into a short list of loads; decoding is then a table look-up by event id
 * and those loads, each inside the record's length.
 *
 * src/catalog/ lists which fields of which tracepoints are read.
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
#include "value_names.h"

/* A tracepoint of this trace, ready to be loaded. */
struct decoder_entry {
	enum event_kind kind;
	enum memory_what what; /* as in the row */
	struct event_loads loads;
	struct state_letters letters;
	struct value_names reasons; /* net drop */
	/* A text of which the records have the address: members of struct event; 0: none. */
	uint16_t text_target, address_target;
	const struct kernel_strings *strings; /* what is there; owned by the decoder */
	bool has_priority; /* sched_switch, wake-ups: has priorities */
	bool has_more;     /* it has members that its loads do not fill */
};

enum decode_result {
	DECODE_EVENT,   /* *event is filled */
	DECODE_OTHER,   /* a known tracepoint that is not wanted */
	DECODE_FAILED,  /* unknown id, or shorter than its format says */
};

#define DECODER_IDS 65536

struct decoder {
	uint16_t *by_id; /* DECODER_IDS; 0: no format, 1: not wanted, else entry + 2 */
	struct decoder_entry *entry;
	size_t entry_count;
	bool is_swapped; /* the trace's byte order is not ours */
	struct event_kinds described;    /* kinds of which the trace contains the format */
	struct event_kinds recorded;     /* the kinds among these that the recorder enabled */
	struct event_kinds partial;      /* the kinds among these of which it enabled a part */
	size_t formats_read;             /* those of the source so far */
	size_t formats_bad;              /* formats that could not be read */
	struct kernel_strings strings;   /* parsed when the first format needs them */
	bool has_strings;                /* `strings` is parsed */
};

/* Resolves all wanted formats of the source; the source must outlive the decoder. */
struct decoder *decoder_new(const struct source *source);
/* Resolves those that the source has got since. */
void decoder_read_formats(struct decoder *decoder, const struct source *source);
struct decoder *decoder_free(struct decoder *decoder);
enum decode_result decoder_decode(struct decoder *decoder, const struct record *record,
                                  uint32_t cpu, struct event *ret);
/* Takes out of `seen` the kinds of which the recorder enabled only a part: their absence proves
   nothing, and views of them would be incomplete. Returns whether there were any. */
bool decoder_hide_parts(const struct decoder *decoder, struct event_kinds *seen);
/* The form of states that the kernel recorded, as far as it is known so far. */
enum state_form decoder_state_form(const struct decoder *decoder);
