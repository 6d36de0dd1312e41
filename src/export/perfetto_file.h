/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writer of a Perfetto trace: packets one after another, all of one sequence, and texts that
 * are written once and then referred to by number. If there are more than PERFETTO_TEXTS_MAX texts,
 * all are forgotten and numbers start anew, as the format allows.
 *
 * With several machines each has a writer of its own, and all write to one output: Perfetto keeps
 * what belongs to a sequence - texts, defaults, tracks - for each machine.
 *
 * Order of calls for each packet: perfetto_packet_begin(); fill in `packet`, with perfetto_number()
 * and perfetto_text() for its texts; perfetto_packet_end().
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/data/intern.h"
#include "base/data/map.h"
#include "ftwait/event.h"
#include "ftwait/nsec.h"
#include "perfetto_fields.h"
#include "proto_writer.h"

#define PERFETTO_SEQUENCE  1u /* of the first machine; the others have the next numbers */
#define PERFETTO_TEXTS_MAX (1u << 16)

struct perfetto_file {
	FILE *out;                    /* borrowed */
	struct proto_writer packet;   /* the current one */
	struct proto_writer interned; /* texts to which the current packet refers first */
	struct intern texts;
	struct map numbers;           /* field number of the table and text -> number of the text */
	uint32_t text_count;
	uint32_t clock;               /* PERFETTO_*: the clock of times */
	uint32_t machine;             /* its number; 0: the first one, which is not written */
	uint32_t annotation;          /* field number of annotations in the current message */
	bool has_state;               /* a packet has cleared the sequence's state */
};

void perfetto_file_init(struct perfetto_file *file, FILE *out, uint32_t clock, uint32_t machine);
void perfetto_file_release(struct perfetto_file *file);
/* `time` NSEC_NEVER: the packet has no time. */
void perfetto_packet_begin(struct perfetto_file *file, nsec_t time);
void perfetto_packet_end(struct perfetto_file *file);
/* The number of the text in one of the tables INTERNED_*; call within a packet. If the text is new,
   the caller must write it to `interned`. */
uint64_t perfetto_number(struct perfetto_file *file, uint32_t table, const char *text,
                         bool *ret_is_new);
/* The same, but also writes the text to `interned` if it is new. */
uint64_t perfetto_text(struct perfetto_file *file, uint32_t table, const char *text);
/* Writes a field with bytes of unknown origin: invalid bytes and control characters are escaped. */
void perfetto_text_put(struct proto_writer *proto, uint32_t field, const struct text *text);
void perfetto_comm_put(struct proto_writer *proto, uint32_t field, const char *comm);
