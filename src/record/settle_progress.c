/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "settle_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/monotonic.h"

#define QUIET_NS 300000000u /* anything shorter is not shown */
#define STEP_NS  100000000u

void settle_progress_begin(struct settle_progress *progress, bool is_quiet)
{
	*progress = (struct settle_progress){
		.is_shown = !is_quiet && isatty(STDERR_FILENO),
		.begin = monotonic_now(),
	};
}

void settle_progress_show(void *state, uint64_t done, uint64_t total)
{
	struct settle_progress *progress = state;
	nsec_t time = monotonic_now();

	if (!progress->is_shown || total == 0 || time - progress->begin < QUIET_NS ||
	    time - progress->shown < STEP_NS)
		return;
	progress->shown = time;
	progress->has_text = true;
	(void)fprintf(stderr, "\r[ ftwait: making a trace.dat, %u %% ] ",
	              (unsigned)((double)done * 100 / (double)total));
}

void settle_progress_end(struct settle_progress *progress)
{
	if (progress->has_text)
		(void)fputs("\r\033[K", stderr);
}
