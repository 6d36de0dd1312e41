/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_party.h"

#include <stdlib.h>

#include "base/array.h"
#include "graph/timeline.h"

static int party_compare_lines(const void *a, const void *b)
{
	const struct lock_party *x = a, *y = b;

	return x->line < y->line ? -1 : x->line > y->line;
}

static int party_compare(const void *a, const void *b)
{
	const struct lock_party *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return party_compare_lines(a, b);
}

struct lock_party *lock_parties(const struct lock_share *const *share, size_t share_count,
                                bool is_owners, size_t *ret_count)
{
	struct lock_party *party = xcalloc(share_count, sizeof(*party));
	size_t count = 0;

	for (size_t i = 0; i < share_count; i++) {
		party[i].line = is_owners ? share[i]->owner : share[i]->waiter;
		party[i].count = share[i]->figures.length.count;
		party[i].total = is_owners ? share[i]->owned : share[i]->figures.length.total;
		party[i].by_confidence[share[i]->confidence] = share[i]->owned;
	}
	array_sort(party, share_count, sizeof(*party), party_compare_lines);
	for (size_t i = 0; i < share_count; i++) {
		struct lock_party *same = count ? &party[count - 1] : NULL;

		if (!same || same->line != party[i].line) {
			party[count++] = party[i];
			continue;
		}
		same->count += party[i].count;
		same->total += party[i].total;
		for (size_t c = 0; c < ARRAY_SIZE(same->by_confidence); c++)
			same->by_confidence[c] += party[i].by_confidence[c];
	}
	/* an unknown owner is left out */
	if (is_owners && count && party[count - 1].line == LINE_NONE)
		count--;
	array_sort(party, count, sizeof(*party), party_compare);
	*ret_count = count;
	return party;
}

enum confidence lock_party_confidence(const struct lock_party *party)
{
	enum confidence most = CONFIDENCE_LOW;

	for (enum confidence i = CONFIDENCE_LOW; i <= CONFIDENCE_HIGH; i++)
		if (party->by_confidence[i] >= party->by_confidence[most])
			most = i;
	return most;
}
