/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines in words, which text shows and the other forms do not, and what several of them say. */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "ftwait/report.h"
#include "graph/timeline.h"

void prose_put(const struct presenter *presenter, void *to, const char *text);
/* "sh[17]", by its last name. */
void prose_task_append(struct buffer *to, const struct timeline *timeline, uint32_t line);
/* "hog[5] (RT 50)", of a task whose priority is known. */
void prose_priority_append(struct buffer *to, const struct timeline *timeline, uint32_t line);
/* "lo[5] (RT 1, lent RT 3 by hi[7], which waits for its lock)"; the lender may be LINE_NONE. */
void prose_lent_append(struct buffer *to, const struct timeline *timeline, uint32_t line,
                       const struct rank *rank);
/* ", asleep in do_wait": of frames, an id in names that is not 0, the innermost. */
void prose_place_append(struct buffer *to, const struct timeline *timeline, uint32_t frames);
