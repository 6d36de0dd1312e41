/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a bundle of ftrace events, which are of one CPU, into records with the formats of text
 * (text_layout.h), in order of time. Switches and wake-ups may be in columns (compact_sched), which
 * name neither the task before a switch nor the waker: both follow from the switch before.
 */
#pragma once

#include <stdint.h>

#include "base/data/map.h"
#include "perfetto_rows.h"
#include "source/text/text_head.h"
#include "source/text/text_layout.h"
#include "source/text/text_tables.h"
#include "wire.h"

/*
 * Values of fields, from Perfetto's form to that of text_layout.h.
 *
 * Perfetto numbers the pointers that it meets, and begins again at 1 each time it reads the
 * kernel's buffers: that is a round (perfetto_packets.h). A number means a function if the round
 * names it, or an object. So an object of two rounds has two numbers, and a record gets an address
 * made of round and number.
 */

struct perfetto_values {
	struct text_symbols symbols;
	struct map symbol_by_iid; /* round << 32 | number -> index */
	uint64_t *symbol;
	size_t symbol_count;
	bool has_old_states; /* the kernel is older than 4.14 */
	bool has_objects;    /* some field was a number of an object */
};

/* Reads the names of functions in an InternedData; returns whether there are some. */
bool perfetto_values_intern(struct perfetto_values *values, uint32_t round, struct wire data);

#define PERFETTO_COMM_MAX 16

/* Which task a CPU runs, between bundles. */
struct perfetto_cpu {
	int32_t tid; /* -1: not known */
	int32_t prio;
	nsec_t last;    /* time of the last event */
	nsec_t left_at; /* of the last switch that is no compact one, and the task before it */
	int32_t left;
	char comm[PERFETTO_COMM_MAX];
};

struct perfetto_item;

struct perfetto_reader {
	struct text_layout *layout;
	struct perfetto_rows rows;
	struct perfetto_values values;
	struct perfetto_item *item;
	size_t item_count, item_capacity;
	struct text_context context;
	uint64_t unplaced, bad;       /* compact events without a known task; damaged messages */
};

/* Which events of a bundle are wanted. */
struct perfetto_part {
	uint32_t round; /* of the bundle: perfetto_packets.h */
	bool is_late;   /* those that come too late: before the time `late`; or all but those */
	nsec_t late;
};

struct perfetto_bundle {
	uint32_t sequence, cpu;
	uint32_t clock; /* of ftrace; 0: boot */
	struct perfetto_part part; /* the caller fills it in */
	bool has_lost;
	struct wire content;
};

typedef void (*perfetto_take)(void *state, const struct text_head *head, const uint8_t *record,
                              size_t bytes);

void perfetto_reader_init(struct perfetto_reader *reader);
void perfetto_reader_release(struct perfetto_reader *reader);
/* Reads what the bundle says of all its events; false: it is damaged, or of no possible CPU. */
bool perfetto_bundle_parse(struct wire content, uint32_t sequence, struct perfetto_bundle *ret);
/* How many events it has. */
uint64_t perfetto_bundle_count(const struct perfetto_bundle *bundle);
/* Reads its events; returns the time of the first one, NSEC_NEVER if there is none. */
nsec_t perfetto_bundle_load(struct perfetto_reader *reader, const struct perfetto_bundle *bundle);
/* Makes records of events of the bundle that was loaded last. */
void perfetto_bundle_take(struct perfetto_reader *reader, const struct perfetto_bundle *bundle,
                          struct perfetto_cpu *cpu, perfetto_take take, void *state);
