/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which columns of `ftwait top` a terminal has room for, and where. */
#pragma once

#include <stddef.h>

#include "top_shot.h"

/* From left to right. */
enum top_column {
	TOP_COLUMN_WAITING,
	TOP_COLUMN_QUEUED,
	TOP_COLUMN_RUNNING,
	TOP_COLUMN_WAITS,
	TOP_COLUMN_LONGEST,
	TOP_COLUMN_NAME,
	TOP_COLUMN_FOR,
	TOP_COLUMN_BEHIND,
	TOP_COLUMN_COUNT,
};

struct top_columns {
	size_t at[TOP_COLUMN_COUNT];
	size_t width[TOP_COLUMN_COUNT]; /* 0: left out */
};

/*
 * The columns depend only on the width of the terminal and on what rows are, not on what is in
 * them: they do not move from shot to shot.
 */
struct top_columns top_columns_fit(size_t columns, enum top_by by);
