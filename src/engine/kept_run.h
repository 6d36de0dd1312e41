/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording that was read once, kept in memory, so that further questions need not read it again:
 * the timeline, and what the machine emitted, in its order. A report made of it equals one that
 * reads the recording (tests/kept).
 *
 *	struct kept_run *kept = kept_run_read(&loaded, bytes_max);	(NULL: it is too large)
 *	report_run_init(&run, &loaded, &asked);
 *	report_run_ask(&run, ...);
 *	if (kept_run_can_answer(kept, &run))
 *		kept_run_answer(kept, &run);	(instead of report_run_read())
 *	report_run_show(&run, &form);
 *
 * An answer uses the timeline up, as reports change it: each is made in a process of its own, by
 * fork(), which shares the memory.
 */
#pragma once

#include "report_run.h"

struct kept_run;

/* Reads all of it. At most about `bytes_max` are kept, else nothing is; what only some views need
   is dropped first. Runs that answer from it have the same `loaded`. */
struct kept_run *kept_run_read(struct loaded *loaded, size_t bytes_max);
/* Returns NULL. */
struct kept_run *kept_run_free(struct kept_run *kept);
size_t kept_run_bytes(const struct kept_run *kept);
/* Whether the run would read the whole recording into its history, and does nothing else with it:
   some views forget the older half of a long one, and an answer is to be the same. */
bool kept_run_can_answer(const struct kept_run *kept, const struct report_run *run);
void kept_run_answer(struct kept_run *kept, struct report_run *run);
