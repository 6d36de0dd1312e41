/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of any event as names and values, "prev_comm=bash prev_pid=12 ...", by our own strict
 * reader of formats. It writes values as libtraceevent does where an event's print format does not
 * tell: pointers and unsigned longs in hexadecimal, printable arrays of characters as text, other
 * arrays as ARRAY[0a, 1b]. What lies outside the record is written as "?".
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/record.h"
#include "ftwait/source.h"
#include "raw_event.h"

#define PLAIN_FORMAT_NONE UINT32_MAX

struct plain_text;

/* Formats are those that the source has now; it must outlive the result. */
struct plain_text *plain_text_new(const struct source *source);
struct plain_text *plain_text_free(struct plain_text *plain);
/* Index of the record's format in the source; PLAIN_FORMAT_NONE: it has none that can be read. */
uint32_t plain_text_format(struct plain_text *plain, const struct record *record);
/* The format of that id, as raw_formats_find() has it. */
const struct raw_format *plain_text_find(struct plain_text *plain, uint32_t id);
/* Appends the text, which may have any bytes but line feeds; without a format it is
   "unknown event 4711, 32 bytes". */
void plain_text_write(struct plain_text *plain, const struct record *record, struct buffer *to);
