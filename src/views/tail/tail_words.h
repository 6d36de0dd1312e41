/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What units of work went to, in words. */
#pragma once

#include "tail_units.h"

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
