/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice on retransmitted segments, if tasks waited for the network. */
#include <stdlib.h>

#include "advice.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "heavy_sums.h"

#define RETRANSMITS_LEAST 5 /* fewer are normal */

struct resends {
	const struct question *question;
	struct heavy_sums by_peer;   /* count: retransmits; total: the same, to sort by */
	struct heavy_sums by_reason; /* reasons of drops */
};

static void *resends_begin(const struct question *question)
{
	struct resends *resends = xcalloc(1, sizeof(*resends));

	resends->question = question;
	heavy_sums_init(&resends->by_peer, sizeof(struct heavy_sum));
	heavy_sums_init(&resends->by_reason, sizeof(struct heavy_sum));
	return resends;
}

static void resends_end(void *state)
{
	struct resends *resends = state;

	heavy_sums_release(&resends->by_peer);
	heavy_sums_release(&resends->by_reason);
	free(resends);
}

static void resends_on_interval(void *state, const struct interval *interval)
{
	struct resends *resends = state;
	const struct connection_interval *connection = &interval->connection;

	if (interval->kind == INTERVAL_DROP && interval->drop.reason)
		heavy_sums_add(&resends->by_reason, &(struct heavy_sum){
			.key = interval->drop.reason,
			.total = 1,
			.count = 1,
		});
	else if (interval->kind == INTERVAL_CONNECTION && connection->retransmits &&
	         connection->peer)
		heavy_sums_add(&resends->by_peer, &(struct heavy_sum){
			.key = connection->peer,
			.total = connection->retransmits,
			.count = connection->retransmits,
		});
}

/* The heaviest sum; NULL: there are none. */
static const struct heavy_sum *sums_most(const struct heavy_sums *sums)
{
	const struct heavy_sum *most = NULL;

	for (size_t i = 0; i < sums->count; i++)
		if (!most || heavy_sums_at(sums, i)->total > most->total)
			most = heavy_sums_at(sums, i);
	return most;
}

static double resends_advise(const void *state, const struct summary *summary,
                             const struct cost_list *list, struct buffer *to)
{
	const struct resends *resends = state;
	const struct intern *names = &summary->question->timeline->names;
	const struct heavy_sum *most = sums_most(&resends->by_peer);
	const struct heavy_sum *reason = sums_most(&resends->by_reason);
	double part = cost_list_part(list, COST_WAIT, CAUSE_NET);
	uint64_t all = 0;

	for (size_t i = 0; i < resends->by_peer.count; i++)
		all += heavy_sums_at(&resends->by_peer, i)->count;
	if (all < RETRANSMITS_LEAST || part < ADVICE_LEAST)
		return 0;
	buffer_printf(to, "%s retransmits, %s of them to %s", COUNT_TEXT(all),
	              most->count == all ? "all" : "most",
	              intern_text(names, (uint32_t)most->key));
	if (reason && reason->count >= all / 2)
		buffer_printf(to, "; %s packets were dropped here (%s)",
		              COUNT_TEXT(reason->count),
		              intern_text(names, (uint32_t)reason->key));
	buffer_puts(to, ": the path there drops packets, or has too little bandwidth for what is "
	                "sent.");
	return part;
}

const struct advice net_advice = {
	.view = "net",
	.begin = resends_begin,
	.on_interval = resends_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_CONNECTION) | INTERVAL_MASK(INTERVAL_DROP),
	.advise = resends_advise,
	.end = resends_end,
};
