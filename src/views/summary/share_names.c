/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "share_names.h"

#include <string.h>

/* How much of the name is left without the digits at its end; 0: it has none, or only digits. */
static size_t name_stem(const char *name)
{
	size_t length = strlen(name), stem = length;

	while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
		stem--;
	return stem < length ? stem : 0;
}

static bool told_is_of(const struct told_share *told, const char *name, size_t stem)
{
	return stem && name_stem(told->name) == stem && memcmp(told->name, name, stem) == 0;
}

/* All of the stem go into the first one, which is `first`; returns how many are left. */
static size_t told_join(struct told_share *told, size_t count, size_t first, size_t stem)
{
	size_t kept = first + 1;

	for (size_t at = first + 1; at < count; at++) {
		if (!told_is_of(&told[at], told[first].name, stem)) {
			told[kept++] = told[at];
			continue;
		}
		told[first].total += told[at].total;
		told[first].count += told[at].count;
	}
	told[first].length = stem;
	return kept;
}

static void told_move_up(struct told_share *told, size_t at)
{
	for (; at > 0 && told[at - 1].total < told[at].total; at--) {
		struct told_share other = told[at - 1];

		told[at - 1] = told[at];
		told[at] = other;
	}
}

size_t shares_fold(const struct timeline *timeline, const struct cost *cost,
                   struct told_share told[TOLD_SHARES_MAX])
{
	size_t count = 0;

	for (; count < cost->share_count && count < TOLD_SHARES_MAX; count++) {
		const char *name = intern_text(&timeline->names, cost->share[count].comm);

		told[count] = (struct told_share){name, strlen(name), 1, cost->share[count].total,
		                                  &cost->share[count]};
	}
	for (size_t first = 0; first < count; first++) {
		size_t stem = told[first].count == 1 ? name_stem(told[first].name) : 0, alike = 0;

		for (size_t at = first; at < count; at++)
			alike += told_is_of(&told[at], told[first].name, stem);
		if (alike >= STEM_LEAST) {
			count = told_join(told, count, first, stem);
			told_move_up(told, first);
		}
	}
	return count;
}
