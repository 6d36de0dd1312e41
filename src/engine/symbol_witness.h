/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects from a recording the addresses that decode/symbol_fit.h compares with symbols. */
#pragma once

#include "decode/symbol_fit.h"
#include "ftwait/source.h"

/* Reads this many events of each stream: enough to see every timer in regular use. */
#define WITNESS_EVENTS_MAX (UINT64_C(1) << 18)

/* Consumes the beginning of each stream, and the recording's own symbols: open the source again
   for a report. */
void symbol_witness_read(struct source *source, struct symbol_evidence *ret);
