/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records to events: what is loaded of each tracepoint, and the decoder of all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/byte_order.h"
#include "event_format.h"
#include "ftwait/event.h"
#include "ftwait/record.h"
#include "ftwait/source.h"
#include "state_letters.h"

/*
 * The loads of one tracepoint: which bytes of its records go to which members of struct event.
 * Resolved once a trace, run for every event.
 *
 * Order of calls: event_loads_add() for each field, event_loads_finish(), then event_loads_run()
 * for records of at least `length_min` bytes. Members that a tracepoint does not load are 0.
 *
 * A few lists of loads serve most events of a usual trace. These "shapes" are known at compile time
 * except for the offsets, so that their loads are straight code: no loop, no decision, nothing
 * cleared that is written anyway. Measured with 4.2 million switches and wake-ups: 7 of 65 ns an
 * event. Any other list, and these in another order, goes through the general loops, which load a
 * number of any size by reading eight bytes of the record and shifting them twice.
 */

#define EVENT_LOADS_MAX 10

enum load_kind {
	LOAD_S32,
	LOAD_TEXT,     /* fixed array */
	LOAD_U8, LOAD_S8,
	LOAD_U16, LOAD_S16,
	LOAD_U32,
	LOAD_U64, LOAD_S64,
	LOAD_DATA_LOC, /* dynamic text */
	LOAD_REL_LOC,
	LOAD_REST,     /* array that extends to the end of the record */
};

struct load {
	uint16_t offset, size; /* bytes */
	uint16_t target;       /* offset in struct event */
	uint8_t kind;          /* enum load_kind */
};

enum loads_shape {
	SHAPE_GENERAL,
	SHAPE_SWITCH,  /* sched_switch where long is 64 bits */
	SHAPE_WAKE,    /* sched_waking, sched_wakeup, sched_wakeup_new */
	SHAPE_SOFTIRQ, /* softirq_raise, softirq_entry, softirq_exit */
	SHAPE_HRTIMER_START, /* hrtimer_start */
	SHAPE_HRTIMER_ENTRY, /* hrtimer_expire_entry */
	SHAPE_OBJECT,  /* hrtimer_expire_exit, timer_expire_exit, sk_data_ready */
	SHAPE_PACKET,  /* netif_receive_skb, net_dev_queue */
	SHAPE_TRANSFER, /* sock_send_length, sock_recv_length */
	SHAPE_COMMON,  /* csd_function_entry, ipi_exit: only the common fields */
	SHAPE_COUNT,
};

/* A number as a part of eight bytes: two shifts remove first what is above it, then what is
   below. */
struct number_load {
	uint16_t offset, target; /* offset: of the eight bytes; target: as in struct load */
	uint8_t up, down;        /* bits */
};

struct event_loads {
	uint32_t length_min; /* bytes of a record that the loads need */
	uint8_t count;
	uint8_t shape; /* enum loads_shape */
	uint8_t signed_count, number_count, text_count;
	struct load load[EVENT_LOADS_MAX]; /* by kind, then by offset */
	/* for the general loops: `number`: signed numbers first; `text`: texts */
	struct number_load number[EVENT_LOADS_MAX];
	struct load text[EVENT_LOADS_MAX];
};

/* The loads of a shape, in the order in which event_loads_finish() leaves them. */
struct shape_row {
	uint8_t count;
	uint8_t cleared; /* bytes of the member to clear first; 0: all of it is loaded */
	struct {
		uint8_t kind;
		uint16_t target;
	} load[EVENT_LOADS_MAX];
};

#define LOAD(kind, member) {LOAD_##kind, offsetof(struct event, member)}
/* The bytes of all members that depend on the kind of the event: a shape that several kinds share
   clears them all. */
#define MEMBERS_BYTES (sizeof(struct event) - offsetof(struct event, sched_switch))

static const struct shape_row shape_rows[SHAPE_COUNT] = {
	[SHAPE_SWITCH] = {
		.count = 9,
		.load = {
			LOAD(S32, tid), LOAD(S32, sched_switch.prev_tid),
			LOAD(S32, sched_switch.prev_priority), LOAD(S32, sched_switch.next_tid),
			LOAD(S32, sched_switch.next_priority), LOAD(TEXT, sched_switch.prev_comm),
			LOAD(TEXT, sched_switch.next_comm), LOAD(U8, flags),
			LOAD(S64, sched_switch.raw_state),
		},
	},
	[SHAPE_WAKE] = {
		.count = 6,
		.load = {
			LOAD(S32, tid), LOAD(S32, wake.tid), LOAD(S32, wake.priority),
			LOAD(S32, wake.cpu), LOAD(TEXT, wake.comm), LOAD(U8, flags),
		},
	},
	[SHAPE_SOFTIRQ] = {
		.count = 3, .cleared = sizeof(struct irq_event),
		.load = {LOAD(S32, tid), LOAD(U8, flags), LOAD(U32, irq.number)},
	},
	[SHAPE_HRTIMER_START] = {
		.count = 7, .cleared = sizeof(struct timer_event),
		.load = {
			LOAD(S32, tid), LOAD(U8, flags), LOAD(U32, timer.mode),
			LOAD(U64, timer.timer), LOAD(U64, timer.function), LOAD(S64, timer.expires),
			LOAD(S64, timer.soft_expires),
		},
	},
	[SHAPE_HRTIMER_ENTRY] = {
		.count = 5, .cleared = sizeof(struct timer_event),
		.load = {
			LOAD(S32, tid), LOAD(U8, flags), LOAD(U64, timer.timer),
			LOAD(U64, timer.function), LOAD(S64, timer.now),
		},
	},
	[SHAPE_OBJECT] = {
		.count = 3, .cleared = MEMBERS_BYTES,
		.load = {LOAD(S32, tid), LOAD(U8, flags), LOAD(U64, timer.timer)},
	},
	[SHAPE_PACKET] = {
		.count = 5, .cleared = MEMBERS_BYTES,
		.load = {
			LOAD(S32, tid), LOAD(U8, flags), LOAD(U32, net.bytes),
			LOAD(U64, net.packet), LOAD(DATA_LOC, net.dev),
		},
	},
	[SHAPE_TRANSFER] = {
		.count = 7, .cleared = MEMBERS_BYTES,
		.load = {
			LOAD(S32, tid), LOAD(S32, transfer.result), LOAD(S32, transfer.flags),
			LOAD(U8, flags), LOAD(U16, transfer.family), LOAD(U16, transfer.protocol),
			LOAD(U64, transfer.socket),
		},
	},
	[SHAPE_COMMON] = {
		.count = 2, .cleared = MEMBERS_BYTES,
		.load = {LOAD(S32, tid), LOAD(U8, flags)},
	},
};
#undef LOAD

void event_loads_add(struct event_loads *loads, struct load load);
/* `is_big`: the trace's byte order. */
void event_loads_finish(struct event_loads *loads, bool is_big);

/* A dynamic text: the record contains its place, so each record is checked. Inline: a call would
   have registers saved for every event. */
static inline __attribute__((always_inline)) struct text
load_dynamic(struct load load, const struct record *record, bool is_swapped)
{
	uint32_t where = load_u32(record->payload + load.offset, is_swapped);
	uint32_t offset = where & 0xffff, length = where >> 16;

	if (load.kind == LOAD_REL_LOC)
		offset += load.offset + 4u;
	if (offset > record->length || length > record->length - offset)
		return (struct text){"", 0};
	return (struct text){(const char *)record->payload + offset, length};
}

static inline __attribute__((always_inline)) void load_run(struct load load,
                                                           const struct record *record,
                                                           bool is_swapped, struct event *event)
{
	const uint8_t *at = record->payload + load.offset;
	void *target = (char *)event + load.target;
	uint64_t number;

	switch ((enum load_kind)load.kind) {
	case LOAD_U8:
		number = *at;
		break;
	case LOAD_S8:
		number = (uint64_t)(int8_t)*at;
		break;
	case LOAD_U16:
		number = load_u16(at, is_swapped);
		break;
	case LOAD_S16:
		number = (uint64_t)(int16_t)load_u16(at, is_swapped);
		break;
	case LOAD_U32:
		number = load_u32(at, is_swapped);
		break;
	case LOAD_S32:
		number = (uint64_t)(int32_t)load_u32(at, is_swapped);
		break;
	case LOAD_U64:
	case LOAD_S64:
		number = load_u64(at, is_swapped);
		break;
	case LOAD_TEXT:
		*(struct text *)target = (struct text){(const char *)at, load.size};
		return;
	case LOAD_REST:
		*(struct text *)target =
			(struct text){(const char *)at, (uint32_t)(record->length - load.offset)};
		return;
	case LOAD_DATA_LOC:
	case LOAD_REL_LOC:
	default:
		*(struct text *)target = load_dynamic(load, record, is_swapped);
		return;
	}
	*(uint64_t *)target = number;
}

/* `shape` is a constant at each call: the loop is unrolled, kinds and targets become code. */
static inline __attribute__((always_inline)) void
shape_run(const struct event_loads *loads, const enum loads_shape shape,
          const struct record *record, bool is_swapped, struct event *event)
{
	const struct shape_row *row = &shape_rows[shape];
	/* a copy: so the compiler knows that writes to the event do not change it */
	const struct record here = *record;

	memset(&event->sched_switch, 0, row->cleared);
#pragma GCC unroll 10
	for (unsigned i = 0; i < row->count; i++) {
		struct load load = loads->load[i];

		load.kind = row->load[i].kind;
		load.target = row->load[i].target;
		load_run(load, &here, is_swapped, event);
	}
}

static inline __attribute__((always_inline)) void
numbers_run(const struct event_loads *loads, const uint8_t *payload, bool is_swapped,
            struct event *event)
{
	const struct number_load *load = loads->number;
	const struct number_load *unsigned_ones = load + loads->signed_count;
	const struct number_load *end = load + loads->number_count;

	for (; load < unsigned_ones; load++) {
		uint64_t word = load_u64(payload + load->offset, is_swapped) << load->up;

		*(int64_t *)(void *)((char *)event + load->target) = (int64_t)word >> load->down;
	}
	for (; load < end; load++) {
		uint64_t word = load_u64(payload + load->offset, is_swapped) << load->up;

		*(uint64_t *)(void *)((char *)event + load->target) = word >> load->down;
	}
}

/* Loads all of the record if its loads have a shape; false: they have none, nothing is done. */
static inline __attribute__((always_inline)) bool
shapes_run(const struct event_loads *loads, const struct record *record, bool is_swapped,
           struct event *event)
{
	switch ((enum loads_shape)loads->shape) {
	case SHAPE_SWITCH:
		shape_run(loads, SHAPE_SWITCH, record, is_swapped, event);
		return true;
	case SHAPE_WAKE:
		shape_run(loads, SHAPE_WAKE, record, is_swapped, event);
		return true;
	case SHAPE_SOFTIRQ:
		shape_run(loads, SHAPE_SOFTIRQ, record, is_swapped, event);
		return true;
	case SHAPE_HRTIMER_START:
		shape_run(loads, SHAPE_HRTIMER_START, record, is_swapped, event);
		return true;
	case SHAPE_HRTIMER_ENTRY:
		shape_run(loads, SHAPE_HRTIMER_ENTRY, record, is_swapped, event);
		return true;
	case SHAPE_OBJECT:
		shape_run(loads, SHAPE_OBJECT, record, is_swapped, event);
		return true;
	case SHAPE_PACKET:
		shape_run(loads, SHAPE_PACKET, record, is_swapped, event);
		return true;
	case SHAPE_TRANSFER:
		shape_run(loads, SHAPE_TRANSFER, record, is_swapped, event);
		return true;
	case SHAPE_COMMON:
		shape_run(loads, SHAPE_COMMON, record, is_swapped, event);
		return true;
	case SHAPE_GENERAL:
	case SHAPE_COUNT:
		break;
	}
	return false;
}

/* The same for loads without a shape. */
static inline __attribute__((always_inline)) void
general_run(const struct event_loads *loads, const struct record *record, bool is_swapped,
            struct event *event)
{
	event->flags = 0;
	memset(&event->sched_switch, 0, sizeof(*event) - offsetof(struct event, sched_switch));
	numbers_run(loads, record->payload, is_swapped, event);
	for (unsigned i = 0; i < loads->text_count; i++)
		load_run(loads->text[i], record, is_swapped, event);
}

static inline __attribute__((always_inline)) void
event_loads_run(const struct event_loads *loads, const struct record *record, bool is_swapped,
                struct event *event)
{
	if (!shapes_run(loads, record, is_swapped, event))
		general_run(loads, record, is_swapped, event);
}

/*
 * Records to events. The fields of each wanted tracepoint are resolved once, from the format text
 * of the trace itself, into a short list of loads; decoding is then a table look-up by event id
 * and those loads, each inside the record's length.
 *
 * src/catalog/ lists which fields of which tracepoints are read.
 */

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
