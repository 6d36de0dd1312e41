/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mappings at the addresses in the recorded user stacks; without these, those of the asked
   tasks if system calls are recorded. */
#pragma once

#include "recording_state.h"

/* Starts to collect the mappings, if any are wanted. Call before the queue's thread gets
   any pages. */
void recording_maps_begin(struct recording *recording);
/* Appends what was found, as lines of ftwait/stream.h, and prints what is missing. */
void recording_maps_describe(struct recording *recording, struct buffer *to);
