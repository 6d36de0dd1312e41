/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences, which text shows and the other formats omit, and phrases that several sentences
   use. */
#pragma once

#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/report.h"
#include "graph/timeline/timeline.h"

void prose_put(const struct output *to, const char *text);
/* Puts the line, and empties it for the next one. */
void prose_take(const struct output *to, struct buffer *line);
/* "sh[17]", by its last name. */
void prose_task_append(struct buffer *to, const struct timeline *timeline, uint32_t track);
/* "db:", to precede what only has a name on its machine; nothing where there is one machine. */
void prose_machine_append(struct buffer *to, const struct timeline *timeline, uint32_t machine);
/* "3", or "db:3". */
void prose_cpu_append(struct buffer *to, const struct timeline *timeline, uint32_t cpu);
/* "hog[5] (RT 50)", for a task of known priority. */
void prose_priority_append(struct buffer *to, const struct timeline *timeline, uint32_t track);
/* "lo[5] (RT 1, lent RT 3 by hi[7], which waits for its lock)"; the lender may be TRACK_NONE. */
void prose_lent_append(struct buffer *to, const struct timeline *timeline, uint32_t track,
                       const struct rank *rank);
/* "17", or "db:17": its tid, as options take it. */
void prose_tid_append(struct buffer *to, const struct timeline *timeline, uint32_t track);
/* "--critical-path=17 --from 0.000115 --to 0.000950": the options that show the path of a stretch
   of the task, whose instants are rounded outwards to microseconds. */
void prose_path_options_append(struct buffer *to, const struct timeline *timeline, uint32_t track,
                               nsec_t begin, nsec_t end);
/* ", asleep in do_wait": the innermost function of `frames`, a name id that is not 0. */
void prose_place_append(struct buffer *to, const struct timeline *timeline, uint32_t frames);
