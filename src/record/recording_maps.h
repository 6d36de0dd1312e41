/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands at the addresses in the stacks of programs that a recording has. */
#pragma once

#include "recording.h"

/* Begins to find it out, if such stacks are recorded. Before the queue's thread has anything. */
void recording_maps_begin(struct recording *recording);
/* Appends what was found, as lines of ftwait/stream.h, and says what is missing. */
void recording_maps_describe(struct recording *recording, struct buffer *to);
