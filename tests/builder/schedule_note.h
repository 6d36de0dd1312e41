/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a schedule that become lines of the VERSION option, see ftwait/stream.h. Private to the
 * builder.
 */
#pragma once

#include "schedule.h"

bool schedule_is_note(const char *word);
/* Adds a line that begins with such a word; -EINVAL: the line is malformed. */
int schedule_note_line(struct schedule *schedule, char **words, size_t count);
