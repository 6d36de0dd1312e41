/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages in the wire format of protocol buffers, made in memory. A field is a number and a value;
 * a value may itself be a message, up to PROTO_DEPTH_MAX levels.
 *
 *	proto_begin(&proto, 11);
 *	proto_number(&proto, 9, 1);
 *	proto_end(&proto);
 *
 * Fields are written in the order of the calls; call again for each element of a repeated field.
 * Lengths take as few bytes as possible. A writer of all zeroes is empty.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PROTO_DEPTH_MAX 8

struct proto_writer {
	uint8_t *byte;
	size_t length, capacity;
	size_t open[PROTO_DEPTH_MAX]; /* where the open messages begin */
	unsigned depth;
};

void proto_release(struct proto_writer *proto);
/* Empties the writer; it keeps its memory. */
void proto_clear(struct proto_writer *proto);
/* Begins a message that is the value of the field; proto_end() ends it. */
void proto_begin(struct proto_writer *proto, uint32_t field);
void proto_end(struct proto_writer *proto);
/* Negative numbers are written as 64 bits, as int32 and int64 require. */
void proto_number(struct proto_writer *proto, uint32_t field, uint64_t value);
void proto_fixed64(struct proto_writer *proto, uint32_t field, uint64_t value);
/* Writes a field with bytes: a text, or a message that is encoded already. */
void proto_bytes(struct proto_writer *proto, uint32_t field, const void *bytes, size_t length);
/* One element of a packed field; the field is written with proto_bytes() when it is complete. */
void proto_packed(struct proto_writer *proto, uint64_t value);
/* Appends fields that are encoded already. */
void proto_raw(struct proto_writer *proto, const void *bytes, size_t length);
