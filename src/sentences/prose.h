/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences, which text shows and the other formats omit, and phrases that several sentences
   use. To make a sentence: say.h. */
#pragma once

#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/report.h"
#include "graph/timeline/timeline.h"

void prose_put(const struct output *to, const char *text);
/* Puts the line with a full stop, unless it is empty. */
void prose_end(const struct output *to, struct buffer *line);
/* The same with what the sentence says. */
void prose_put_fact(const struct output *to, const char *text, const struct fact *fact);
void prose_end_fact(const struct output *to, struct buffer *line, const struct fact *fact);
/* "sh[17]", by its last name. */
void prose_task_append(struct buffer *to, const struct timeline *timeline, uint32_t track);
/* Whether the words for the cause of a wait are a state of the task, not what it waits for. */
bool cause_is_state(const struct cause_note *note, const struct cause *cause);
/* "sh": the name of that id, as printable UTF-8. */
void prose_name_append(struct buffer *to, const struct timeline *timeline, uint32_t name);
/* "db:", to precede what only has a name on its machine; nothing where there is one machine. */
void prose_machine_append(struct buffer *to, const struct timeline *timeline, uint32_t machine);
/* "3", or "db:3". */
void prose_cpu_append(struct buffer *to, const struct timeline *timeline, uint32_t cpu);
/* "17", or "db:17": its tid, as options take it. */
void prose_tid_append(struct buffer *to, const struct timeline *timeline, uint32_t track);
/* ", asleep in do_wait": the innermost function of `frames`, a name id that is not 0. */
void prose_place_append(struct buffer *to, const struct timeline *timeline, uint32_t frames);

/* How processes ended, in words. */

/* The cause of death, if the process has died and the cause is known; else NULL. */
const struct track_death *track_death_of(const struct track *track);
/* "exit status 3", "SIGKILL of the OOM killer". */
void death_append(struct buffer *to, const struct timeline *timeline,
                  const struct track_death *death);
