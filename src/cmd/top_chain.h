/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a row of `ftwait top` waited for, in chains: the view of `ftwait report --chains`, of what
   the live run still knows. */
#pragma once

#include "engine/live_run.h"
#include "ftwait/source.h"
#include "live/top_screen.h"

/* Lines of text, which the caller frees. `width`: columns. The run keeps nothing of it. */
char *top_chain_text(struct live_run *run, struct source *source,
                     const struct top_selected *selected, unsigned width);
