/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the recording says it has recorded, and how to record more. */
#pragma once

#include "analysis.h"

/* Whether the recorder has told that all these groups ("lock,syscalls") were recorded: what is not
   there has not happened then. Formats in a file are no proof of that. */
bool question_has_recorded(const struct question *question, const char *groups);
/* "ftwait record -e +syscalls -p 123": what was recorded, of the same tasks, and those groups. */
void record_line_append(struct buffer *to, const struct question *question, const char *groups);
