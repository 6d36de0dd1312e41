/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits whose length is a constant of a program or the kernel, which a setting avoids: what the
   dictionary of stalls says about the most expensive one. */
#include "advice.h"
#include "base/format.h"
#include "words/stall.h"

#define STALLS_MAX 32 /* stalls that were waited for; further ones are ignored */

struct stall_sum {
	const struct stall *stall;
	nsec_t total;
};

static void stall_sums_add(struct stall_sum *sums, const struct stall *stall, nsec_t total)
{
	size_t at = 0;

	while (at < STALLS_MAX && sums[at].stall && sums[at].stall != stall)
		at++;
	if (at == STALLS_MAX)
		return;
	sums[at].stall = stall;
	sums[at].total += total;
}

static double stall_advise(const void *state, const struct summary *summary,
                           const struct cost_list *list, struct buffer *to)
{
	struct stall_sum sums[STALLS_MAX] = {{0}}, most = {0};
	double part;

	(void)state;
	(void)summary;
	for (size_t i = 0; i < list->count; i++) {
		const struct stall *stall = cost_stall(list->timeline, &list->cost[i]);

		if (stall && stall->advice)
			stall_sums_add(sums, stall, list->cost[i].total);
	}
	for (size_t i = 0; i < STALLS_MAX && sums[i].stall; i++)
		if (sums[i].total > most.total)
			most = sums[i];
	part = nsec_ratio(most.total, list->total - list->apart);
	if (!most.stall || part < ADVICE_LEAST)
		return 0;
	buffer_printf(to, "%s took %s (%.0f %%): %s", most.stall->words,
	              DURATION_TEXT(most.total), 100 * part, most.stall->advice);
	return part;
}

const struct advice stall_advice = {
	.advise = stall_advise,
};
