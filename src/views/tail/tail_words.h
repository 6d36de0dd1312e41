/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What units of work went to, in words. */
#pragma once

#include "analysis/analysis.h"
#include "tail.h"

/* "waited for lock: big_lock, behind flusher[12]", "ran itself", "was queued: fio[7] had the
   CPU". */
void tail_key_append(struct buffer *to, const struct tail_units *units, uint32_t key);
/* "flusher: sleep", "run queue"; nothing for TAIL_NONE. */
void tail_leaf_append(struct buffer *to, const struct tail_units *units, uint32_t leaf);
/* The leaf; of what is no wait "run queue", "running", "interrupts". */
void tail_end_append(struct buffer *to, const struct tail_units *units, uint32_t key,
                     uint32_t leaf);
/* "several things", "not far", or the words of the key. */
void tail_vote_append(struct buffer *to, const struct tail_units *units, uint32_t vote);
/* The same without the numbers of tasks, which other recordings do not share. */
void tail_vote_name(struct buffer *to, const struct tail_units *units, uint32_t vote);
/* Of a reason: as its votes, or "was queued: others had the CPU (bash 3, cc1 2)". */
void tail_reason_append(struct buffer *to, const struct tail_units *units,
                        const struct tail_reason *reason);
/* How many units there were, how long they took, why the slow ones are slow, or why no reason is
   named. */
void tail_print(const struct tail *tail, const struct output *to);
/* The same for the first screen, in at most four sentences. False, and nothing is printed, if
   there are too few units to say anything. */
bool tail_lead_print(const struct tail *tail, const struct output *to);
/* Whether units of the track's program are far, and it is known why. */
bool tail_explains(const struct tail *tail, uint32_t track);
