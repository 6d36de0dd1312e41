/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command lines of COMMAND's programs and of those of -p, while recording. */
#pragma once

#include "recording_state.h"

/* Begins to record them, if they are asked for; before COMMAND runs. */
void recording_programs_begin(struct recording *recording);
/* Writes the last ones. Call before the queue of pages ends. */
void recording_programs_end(struct recording *recording);
