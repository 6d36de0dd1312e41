/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "share_names.h"

#include "graph/name_folds.h"

static void told_move_up(struct told_share *told, size_t at)
{
	for (; at > 0 && told[at - 1].total < told[at].total; at--) {
		struct told_share other = told[at - 1];

		told[at - 1] = told[at];
		told[at] = other;
	}
}

/* Adds the share to the others of that name, or as their first; returns the new count. */
static size_t told_add(struct told_share *told, size_t count, const char *name,
                       const struct cost_share *share)
{
	size_t at = 0;

	while (at < count && told[at].name != name)
		at++;
	if (at == count)
		told[count++] = (struct told_share){.name = name, .share = share};
	told[at].count++;
	told[at].total += share->total;
	return count;
}

size_t shares_fold(struct timeline *timeline, const struct cost *cost,
                   struct told_share told[TOLD_SHARES_MAX])
{
	size_t count = 0, shares = cost->share_count;
	struct name_folds folds;

	if (shares > TOLD_SHARES_MAX)
		shares = TOLD_SHARES_MAX;
	name_folds_init(&folds, &timeline->names);
	for (size_t i = 0; i < shares; i++)
		name_folds_add(&folds, cost->share[i].comm, /* is_asked= */ true);
	(void)name_folds_close(&folds);
	for (size_t i = 0; i < shares; i++) {
		uint32_t name = name_fold(&folds, cost->share[i].comm);

		count = told_add(told, count, intern_text(&timeline->names, name), &cost->share[i]);
	}
	for (size_t i = 1; i < count; i++)
		told_move_up(told, i);
	name_folds_release(&folds);
	return count;
}
