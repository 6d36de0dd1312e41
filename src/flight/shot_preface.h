/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The begin of a stream (head and options) as the begin of a recording that begins later: what it
 * says of tasks at that time is left out.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/stream.h"

/* Calls `take` for each block of the preface, until it returns a negative number, which is returned
   then; else 0. `is_whole`: nothing is left out; `is_swapped`: as in struct stream_ring. */
int shot_preface_read(const struct buffer *preface, bool is_whole, bool is_swapped,
                      int (*take)(void *state, const struct stream_block *block,
                                  const void *payload),
                      void *state);
