/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentences of --lock, above its table; and the rows of that table. */
#pragma once

#include "analysis/analysis.h"
#include "lock_list.h"

/* A lock as it is shown: with its shares that are asked for. */
struct lock_row {
	size_t place; /* index in the list, which is in order of appearance */
	struct lock lock; /* with the kind that it turned out to be */
	bool knows_owners;
	const struct lock_share **share; /* `count` elements */
	size_t count;
	struct lock_figures figures;
};

/* In the order in which they are shown. */
enum lock_row_rank {
	RANK_LOCK,
	RANK_UNKNOWN, /* a futex that may be a lock, or anything else */
	RANK_NOBODYS,
};

enum lock_row_rank lock_row_rank(const struct lock_row *row);
/* For a futex only if it is known to be a lock. */
bool lock_row_is_lock(const struct lock_row *row);

/* Rows are sorted by rank, and within it as they are shown. */
void lock_words_print(const struct question *question, const struct lock_row *row, size_t count,
                      const struct output *to);
