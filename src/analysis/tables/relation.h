/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows that a view sums up, all of one size, and the table that shows them.
 *
 * A relation holds the rows. Each row is found by its key, which is the row's first member; a new
 * row is zero except for its key. At most `limit` rows are made; calls that would make more are
 * counted in left_out. A relation without keys (key_bytes 0) is a list, which relation_add() fills.
 *
 * A form describes the table: its columns and the member of a row that each shows, the order of
 * rows, and the words for what was left out. The rest is done alike for all tables: --sort, columns
 * that a narrow terminal leaves out, empty cells, an empty table in data where text shows none.
 * Only the rows that the presenter shows are filled in.
 *
 * USAGE
 *	struct disk_row {
 *		struct disk_key { uint32_t task, dev; } key;
 *		uint64_t count;
 *		struct distribution time;
 *	};
 *	#define AT(member) RELATION_AT(struct disk_row, member)
 *
 *	enum {COLUMN_DEV = 1};
 *	static const struct field fields[] = {
 *		{"task", "TASK", CELL_TASK, 0, AT(key.task)},
 *		[COLUMN_DEV] = {"dev", "DEV", CELL_TEXT, 0, RELATION_FILLED},
 *		{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(1), AT(count)},
 *		{"time", "P50 / P99 / MAX", CELL_DISTRIBUTION, 0, AT(time)},
 *	};
 *	static const char *const sort_keys[] = {"total", "count", NULL};
 *	static const struct measure by_key[] = {{AT(time.total)}, {AT(count)}};
 *	static const struct relation_form form = {
 *		"disks", "Disks, by their time", fields, ARRAY_SIZE(fields),
 *		.sort_keys = sort_keys, .by_key = by_key, .is_shown = row_is_asked,
 *		.fill = row_fill, .rows_named = "disks", .lost_named = "requests",
 *	};
 *
 *	relation_init(&rows, sizeof(struct disk_row), sizeof(struct disk_key), ROWS_MAX);
 *	row = relation_row(&rows, &(struct disk_key){task, dev});	// for each request
 *	if (row)
 *		distribution_add(&row->time, length, at);
 *	...						// the question is resolved
 *	chosen = relation_choose(&rows, &form, view, question);
 *	relation_show(&form, &chosen, view, question, to);
 *	relation_rows_release(&chosen);
 *	relation_release(&rows, &form);
 */
#pragma once

#include <stddef.h>

#include "analysis/analysis.h"
#include "base/data/map.h"

struct relation {
	size_t row_bytes, key_bytes;
	uint32_t limit;
	char *row; /* count of them, in the order in which they were made */
	size_t count, capacity;
	struct map by_hash;
	uint64_t left_out; /* calls that found no room for another row */
};

/* A member of a row, as columns and measures name it; fill() fills in a column without a member. */
#define RELATION_AT(type, member)                                                                  \
	.offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define RELATION_FILLED .size = 0

/*
 * A column, with where a row has its value:
 *	CELL_MACHINE                           uint32_t, its number; only as the first column, which
 *	                                       is left out where there is one machine (cells.h)
 *	CELL_TASK                              uint32_t, a track; TRACK_NONE: empty
 *	CELL_TEXT                              uint32_t, a name of the timeline; 0: empty
 *	CELL_COUNT, CELL_DURATION, CELL_INSTANT  unsigned, 1 to 8 bytes
 *	CELL_BOOL                              bool
 *	CELL_DISTRIBUTION                      struct distribution; without values: empty
 *	CELL_BY_KIND                           nsec_t[CAUSE_KIND_COUNT]
 */
struct field {
	const char *key, *title; /* these four are as in struct column */
	enum cell_type type;
	unsigned flags;
	size_t offset, size;
};

/* The number that rows are sorted by: an unsigned member of the row, or what a function computes
   from the row. */
struct measure {
	size_t offset, size;
	uint64_t (*of)(const void *row);
};

/* The rows to show, in their order; they stay in the relation's memory. */
struct relation_rows {
	const void **row;
	size_t count;
};

struct relation_form {
	const char *key, *title; /* of the table */
	const struct field *field;
	size_t field_count;
	const char *const *sort_keys; /* values of --sort; NULL: none */
	/* Sorts largest first, by the measure of the key that --sort names, else by the first one;
	   equal rows by `then`, if it is set, and then in the order in which they were made. */
	const struct measure *by_key;
	struct measure then;
	bool (*is_shown)(const void *view, const void *row); /* NULL: all are shown */
	/*
	 * Fills in the cells of columns without a member. Their types are set, and may become
	 * CELL_EMPTY. The text of a CELL_TEXT may be written to text[column]; what cells of
	 * CELL_ROWS point to is freed once the row is shown. NULL: all columns have a member.
	 */
	void (*fill)(const void *view, const void *row, struct cell *cell, struct buffer *text);
	/* Adapts the columns to the rows. NULL: the columns are the same for all rows. */
	void (*adapt)(const void *view, const struct relation_rows *rows, struct column *shown);
	bool is_hidden_if_empty; /* a screen shows the table only if it has rows */
	/* Words of the note "[requests of ]more than 9 connections: 7[ turns] of others are left
	   out". rows_named NULL: nothing is left out, or the view itself notes it. */
	const char *of_named, *rows_named, *lost_named;
};

void relation_init(struct relation *relation, size_t row_bytes, size_t key_bytes, uint32_t limit);
/* Also releases the distributions in the form's columns. form NULL: the rows have no
   distributions. */
void relation_release(struct relation *relation, const struct relation_form *form);
/* The row of that key; it is made if there is none. It is valid until the next call. NULL: there is
   no room for a new row. Keys are compared as bytes, so they must have no padding. */
void *relation_row(struct relation *relation, const void *key);
/* A new row of a relation without keys, all zero. NULL: there is no room. */
void *relation_add(struct relation *relation);
static inline void *relation_at(const struct relation *relation, size_t index)
{
	return relation->row + index * relation->row_bytes;
}

/* The inverse of relation_at(). */
static inline size_t relation_index(const struct relation *relation, const void *row)
{
	return (size_t)((const char *)row - relation->row) / relation->row_bytes;
}

/* Also notes in the health what was left out. */
struct relation_rows relation_choose(const struct relation *relation,
				     const struct relation_form *form, const void *view,
				     const struct question *question);
void relation_note_left_out(const struct relation *relation, const struct relation_form *form,
			    const struct question *question);
void relation_show(const struct relation_form *form, const struct relation_rows *rows,
                   const void *view, const struct question *question, const struct output *to);
void relation_rows_release(struct relation_rows *rows);
/* Shows the table of a view that needs its rows for nothing else: the three calls above. */
void relation_put(const struct relation *relation, const struct relation_form *form,
                  const void *view, const struct question *question, const struct output *to);
