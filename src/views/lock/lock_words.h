/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --lock says in sentences, above its table; and the rows of that. */
#pragma once

#include "analysis/analysis.h"
#include "lock_list.h"

/* A lock as it is shown: with what of its shares is asked for. */
struct lock_row {
	size_t place; /* in the list, which has them as they were seen */
	struct lock lock; /* of the kind that it turned out to be */
	bool knows_owners;
	const struct lock_share **share; /* count of them */
	size_t count;
	struct lock_figures figures;
};

/* In the order in which they are shown. */
enum lock_row_rank {
	RANK_LOCK,
	RANK_UNKNOWN, /* a futex that may be one, or anything else */
	RANK_NOBODYS,
};

enum lock_row_rank lock_row_rank(const struct lock_row *row);
/* Of a futex only where that is known. */
bool lock_row_is_lock(const struct lock_row *row);

/* Rows by their rank, and within it as they are shown. */
void lock_words_tell(const struct question *question, const struct lock_row *row, size_t count,
                     const struct presenter *presenter, void *to);
