/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording that is read in pieces, with heartbeats (ftwait/record.h) between them, must give the
 * same spans, causes, intervals and health as the whole.
 */
#pragma once

#include <stdint.h>

/* A heartbeat comes in each stream after one to this many of its records, at random. */
#define CUT_RECORDS_MAX 5000u

/* Reads the trace both ways; adds to *heartbeats how many there were. NULL where both are the same,
   or the trace cannot be opened; else what differs. */
const char *cut_check(const char *path, uint64_t seed, uint64_t *heartbeats);
