/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of ftwait/stream.h that several readers need, or that are written here, too. */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "ftwait/trigger.h"
#include "source/text/text_line.h"
#include "source_notes.h"

/* The lines `trigger`, `triggered` and `triggered-for` of option VERSION. */

/*
 * Appends the lines that the note has something for. The note must have a condition; a
 * negative tid counts as none.
 * Control characters and invalid UTF-8 in the texts become \xNN; texts that are too long are cut.
 */
void trigger_note_put(const struct trigger_note *note, struct buffer *to);
/*
 * Takes what follows one of these words; false: it is another word. The first line of each kind
 * counts. A malformed line, or one for which `text` has no room, leaves the note as it is. `text`
 * owns the note's strings.
 */
bool trigger_line_take(struct trigger_note *note, struct text_store *text, struct text_line word,
                       struct text_line line);

/* The line `waits` of ftwait/stream.h: what the recorder saw a task wait for. */

/* Reads what follows the word "waits"; its texts are added to the store. False: it is malformed. */
bool open_wait_line_read(struct text_line line, struct text_store *texts, struct open_wait *ret);
