/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The addresses of a recording of which is known what is there: decode/symbol_fit.h. */
#pragma once

#include "decode/symbol_fit.h"
#include "ftwait/source.h"

/* Events of each stream that are looked at: enough to see every timer that is in regular use. */
#define WITNESS_EVENTS_MAX (UINT64_C(1) << 18)

/* Reads the begin of each stream, and the symbols that the recording has itself: the source cannot
   be read from its begin after that. */
void symbol_witness_read(struct source *source, struct symbol_evidence *ret);
