/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a terminal shows while the end of a recording takes long: how much of it is done. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"

struct settle_progress {
	bool is_shown; /* on a terminal, and not with --quiet */
	bool has_text;
	nsec_t begin, shown; /* CLOCK_MONOTONIC */
};

void settle_progress_begin(struct settle_progress *progress, bool is_quiet);
/* For datfile_settle(); `state` is a struct settle_progress. */
void settle_progress_show(void *state, uint64_t done, uint64_t total);
void settle_progress_end(struct settle_progress *progress);
