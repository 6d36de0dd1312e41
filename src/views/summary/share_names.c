/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "share_names.h"

#include "graph/name_folds.h"

static void name_share_move_up(struct name_share *folded, size_t at)
{
	for (; at > 0 && folded[at - 1].total < folded[at].total; at--) {
		struct name_share other = folded[at - 1];

		folded[at - 1] = folded[at];
		folded[at] = other;
	}
}

/* Adds the share to the element of its name, or as a new element; returns the new number of
   elements. */
static size_t name_share_add(struct name_share *folded, size_t count, const char *name,
                             const struct cost_share *share)
{
	size_t at = 0;

	while (at < count && folded[at].name != name)
		at++;
	if (at == count)
		folded[count++] = (struct name_share){.name = name, .share = share};
	folded[at].count++;
	folded[at].total += share->total;
	return count;
}

size_t shares_fold(struct timeline *timeline, const struct cost *cost,
                   struct name_share folded[NAME_SHARES_MAX])
{
	size_t count = 0, shares = cost->share_count;
	struct name_folds folds;

	if (shares > NAME_SHARES_MAX)
		shares = NAME_SHARES_MAX;
	name_folds_init(&folds, &timeline->names);
	for (size_t i = 0; i < shares; i++)
		name_folds_add(&folds, cost->share[i].comm, /* is_asked= */ true);
	(void)name_folds_close(&folds);
	for (size_t i = 0; i < shares; i++) {
		uint32_t name = name_fold(&folds, cost->share[i].comm);

		count = name_share_add(folded, count, intern_text(&timeline->names, name),
		                       &cost->share[i]);
	}
	for (size_t i = 1; i < count; i++)
		name_share_move_up(folded, i);
	name_folds_release(&folds);
	return count;
}
