/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writer of a Perfetto trace: packets one after the other, all of one sequence, and texts that
 * are written once and then referred to by number. At most PERFETTO_TEXTS_MAX texts are kept; then
 * all numbers start anew, as the format allows.
 *
 * A packet is begun by perfetto_packet_begin(), filled through `packet`, and ended by
 * perfetto_packet_end(). Call perfetto_number() and perfetto_text() for its texts in between.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/intern.h"
#include "base/map.h"
#include "ftwait/event.h"
#include "ftwait/nsec.h"
#include "perfetto_fields.h"
#include "proto_writer.h"

#define PERFETTO_SEQUENCE  1u
#define PERFETTO_TEXTS_MAX (1u << 16)

struct perfetto_file {
	FILE *out;                    /* borrowed */
	struct proto_writer packet;   /* the current one */
	struct proto_writer interned; /* texts that it is the first to refer to */
	struct intern texts;
	struct map numbers;           /* field of the table and text -> iid */
	uint32_t text_count;
	uint32_t clock;               /* PERFETTO_*: the clock of times */
	uint32_t annotation;          /* field of annotations in the current message */
	bool has_state;               /* a packet has cleared the sequence's state */
};

void perfetto_file_init(struct perfetto_file *file, FILE *out, uint32_t clock);
void perfetto_file_release(struct perfetto_file *file);
/* `time` NSEC_NEVER: no time. */
void perfetto_packet_begin(struct perfetto_file *file, nsec_t time);
void perfetto_packet_end(struct perfetto_file *file);
/*
 * The number of that text in one of the tables INTERNED_*, within a packet. If it is new the
 * caller must write it to `interned`.
 */
uint64_t perfetto_number(struct perfetto_file *file, uint32_t table, const char *text,
                         bool *ret_is_new);
/* The number of a text, which is written if it is new; within a packet. */
uint64_t perfetto_text(struct perfetto_file *file, uint32_t table, const char *text);
/* A field with bytes of unknown origin: bad bytes and controls are escaped. */
void perfetto_text_put(struct proto_writer *proto, uint32_t field, const struct text *text);
void perfetto_comm_put(struct proto_writer *proto, uint32_t field, const char *comm);
