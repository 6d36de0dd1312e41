/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How processes ended, in words. */
#pragma once

#include "base/text/buffer.h"
#include "graph/timeline/timeline.h"

/* The cause of death, if the process has died and the cause is known; else NULL. */
const struct track_death *track_death_of(const struct track *track);
/* "exit status 3", "SIGKILL of the OOM killer". */
void death_append(struct buffer *to, const struct timeline *timeline,
                  const struct track_death *death);
/* " was killed by the kernel's OOM killer: its memory was used up", " died of SIGSEGV": follows
   the name of a process that a signal has ended. */
void death_sentence_append(struct buffer *to, const struct timeline *timeline, uint32_t track);
