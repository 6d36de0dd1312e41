/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Causes in words, for presenters and for analyses that write sentences. Everything that is
   appended is printable UTF-8: bytes of unknown origin are cleaned. */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/cause.h"
#include "ftwait/report.h"

/* "disk 254,0 (read 4.0 KiB, sector 123)", "net eth0 from 10.0.0.7:443",
   "its own timer", "its own timeout of poll", "task mysqld[101]". */
void cause_text_append(struct buffer *to, const struct cause *cause);
/* The same for a wait that has not ended: appends `open`, such as WORDS_STILL_WAITING, and
   what is known of the wait: ": lock 0x7f00", " (for data from a pipe)". */
void open_text_append(struct buffer *to, const char *open, const struct cause *cause);
/* Appends only what identifies the object: "disk 254,0", "task mysqld". */
void cause_name_append(struct buffer *to, const struct cause *cause);
/* Appends what a wait is, or was, for: as cause_name_append(), or if no cause is known, the purpose
   or the place: "for data from a pipe"; else WORDS_NOT_RECORDED. */
void cause_awaited_append(struct buffer *to, const struct cause *cause);
/* Whether the cause is a task of that name. */
bool cause_is_task(const struct cause *cause, const struct task *task);
/* cause_awaited_append() beside a place that names `task`, or NULL: does not repeat that name, "for
   data from a pipe" instead of "task cat (for data from a pipe)", and "task" if nothing else is
   known. */
void cause_awaited_append_beside(struct buffer *to, const struct cause *cause,
                                 const struct task *task);

/* The end of a chain, in words. */

/* "[disk 254,0]", "[runnable]", "[stopped by gdb]" for a chain's last link; nothing, and false, for
   one that simply runs. Names are not cleaned. */
bool link_end_append(struct buffer *to, const struct chain_link *link);
