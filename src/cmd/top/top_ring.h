/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The newest part of the stream that `ftwait top` reads, and the process that saves it as a
 * recording. While that process writes, as a copy of this one by fork(2), this one goes on.
 *
 * Order of calls: top_ring_new(); top_ring_take() for all bytes of the stream; top_ring_reach() at
 * each time that was reached, before live_run_renew(); top_ring_save() and top_ring_poll() at any
 * time; top_ring_free().
 *
 * It takes up a quarter of the memory that is free, and at most TOP_RING_BYTES_MAX. Where that is
 * less than TOP_RING_BYTES_MIN, nothing is kept.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text/buffer.h"
#include "engine/live_run.h"
#include "ftwait/source.h"

#define TOP_RING_NS        UINT64_C(30000000000)
#define TOP_RING_BYTES_MAX (UINT64_C(256) << 20)
#define TOP_RING_BYTES_MIN (UINT64_C(4) << 20)

struct top_ring;

/* `fd`: of the stream, which the process that writes must not keep open; `is_own`: it comes from
   this machine, by a recorder of this process. */
struct top_ring *top_ring_new(int fd, bool is_own);
/* Accepts NULL; returns NULL. */
struct top_ring *top_ring_free(struct top_ring *ring);
/* `state`: the ring; as on_bytes of source/stream/live_source.h. */
void top_ring_take(void *state, const void *bytes, size_t size);
void top_ring_reach(struct top_ring *ring, const struct live_run *run,
                    const struct source *source, nsec_t reached);
/* Begins to write what is kept to a new file in the current directory. Appends a line to `said`:
   that it is being written, or why not. `run`: NULL: nothing was read yet. */
void top_ring_save(struct top_ring *ring, const struct live_run *run,
                   const struct source *source, struct buffer *said);
/* The process that writes; 0: none does. */
pid_t top_ring_writer(const struct top_ring *ring);
/* True once for each file: its writing has ended, and `said` has a line more, about what is in it
   or why there is none. */
bool top_ring_poll(struct top_ring *ring, struct buffer *said);
/* The same, but waits for it; false if no file is being written. */
bool top_ring_wait(struct top_ring *ring, struct buffer *said);
/* The name of the last file that was written; NULL: its writing failed, or there was none. */
const char *top_ring_file(const struct top_ring *ring);
/* Whether all that was asked for was saved so far. */
bool top_ring_is_fine(const struct top_ring *ring);
/* How much the ring may take up: `half` is half of what is free, as ring_memory_limit() has it,
   and the ring has `held` of what is not; 0: too little. */
uint64_t top_ring_bytes_max(uint64_t half, uint64_t held);
