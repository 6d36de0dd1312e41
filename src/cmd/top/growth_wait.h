/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stream that is read from a file may be one that nobody writes to any more. */
#pragma once

#include <stdbool.h>

#include "ftwait/nsec.h"

struct growth_wait {
	bool is_growing; /* live_source_grows() of the input */
	bool is_said;
	nsec_t since; /* the first call; 0: none yet */
};

/* To be called while the input does not yet have what a recording begins with: after a second says
   once that this is waited for. */
void growth_wait_say(struct growth_wait *wait, const char *command, const char *path);
