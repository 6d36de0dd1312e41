/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows that a view sums up, all of one size, and the table that shows them.
 *
 * A relation is a tally (tally/tally.h) that has a table. relation_of() makes one of an array that
 * the view has anyway; rows that are in no array pass through relation_table_row().
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
 *		[COLUMN_DEV] = {"dev", "DEV", CELL_TEXT, 0, FILLED},
 *		{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(1), AT(count)},
 *		{"time", "P50 / P99 / MAX", CELL_DISTRIBUTION, 0, AT(time)},
 *	};
 *	static const char *const sort_keys[] = {"total", "count", NULL};
 *	static const struct measure by_key[] = {{AT(time.total)}, {AT(count)}};
 *	static const struct relation_form form = {
 *		"disks", "Disks, by their time", FIELDS(fields),
 *		.sort_keys = sort_keys, .by_key = by_key, .is_shown = row_is_asked,
 *		.fill = row_fill, .rows_named = "disks", .lost_named = "requests",
 *	};
 *
 *	tally_init(&rows, sizeof(struct disk_row), sizeof(struct disk_key), ROWS_MAX);
 *	row = tally_row(&rows, &(struct disk_key){task, dev});	// for each request
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
#include "analysis/evidence/evidence.h"
#include "analysis/tables/row_link.h"
#include "tally/tally.h"

/* A member of a row, as columns and measures name it; fill() fills in a column without a member. */
#define RELATION_AT(type, member)                                                                  \
	.offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define FIELDS(fields) (fields), sizeof(fields) / sizeof((fields)[0])
#define FILLED .size = 0
/* A text that the row points to; NULL: empty. */
#define RELATION_STRING(type, member) RELATION_AT(type, member), .is_string = true

/*
 * A column, with where a row has its value:
 *	CELL_MACHINE                           unsigned, its number; only as the first column, which
 *	                                       is left out where there is one machine (cells.h)
 *	CELL_TASK                              uint32_t, a track; TRACK_NONE: empty
 *	CELL_TEXT, CELL_FRAMES                 uint32_t, a name of the timeline; 0: empty
 *	CELL_COUNT, CELL_DURATION, CELL_INSTANT  unsigned, 1 to 8 bytes
 *	CELL_BOOL                              bool
 *	CELL_INTEGER                           int32_t or int64_t
 *	CELL_PRIORITY                          int16_t
 *	CELL_DISTRIBUTION                      struct distribution, or a pointer to one, which may
 *	                                       be NULL; without values: empty
 *	CELL_BY_KIND                           nsec_t[CAUSE_KIND_COUNT]
 */
struct field {
	const char *key, *title; /* these four are as in struct column, but a column without a key
	                            is COLUMN_TEXT_ONLY anyway */
	enum cell_type type;
	unsigned flags;
	size_t offset, size;
	bool is_string;
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
	   equal rows by those of `order` that are set, and then in the order in which they were
	   made. */
	const struct measure *by_key; /* NULL: only by `order` */
	struct measure order[4];
	struct measure task_time; /* tasks have the names that they had at that time of the row; not
	                             set: their last names */
	/* A row is shown unless one of these that are set is against it. */
	struct measure unless_zero;
	struct measure if_asked; /* the track must be asked for */
	bool (*is_shown)(const void *view, const void *row);
	/*
	 * Fills in the cells of columns without a member. Their types are set, and may become
	 * CELL_EMPTY. The text of a CELL_TEXT may be written to text[column]; what cells of
	 * CELL_ROWS point to is freed once the row is shown. NULL: all columns have a member.
	 */
	void (*fill)(const void *view, const void *row, struct cell *cell, struct buffer *text);
	/* The stretch of a task that the row is about, or that stands for it; its evidence follows
	   the other columns, if that is asked for. NULL: there is none. */
	struct evidence_claim (*claim)(const void *view, const void *row);
	const char *next; /* the options that show what is behind a row (row_link.h); NULL: there
	                     are none */
	/* Adapts the columns to the rows; relation_drop() drops some. NULL: the columns are the
	   same for all rows. */
	void (*adapt)(const void *view, const struct relation_rows *rows, struct column *shown);
	unsigned flags;          /* of all columns: COLUMN_TEXT_ONLY, COLUMN_DATA_ONLY */
	bool is_single;          /* it has one row, as output_table_begin() has it */
	bool is_hidden_if_empty; /* a screen shows the table only if it has rows */
	bool is_bare_if_empty;   /* and data have only its first column */
	/* Words of the note "[requests of ]more than 9 connections: 7[ turns] of others are left
	   out". rows_named NULL: nothing is left out, or the view itself notes it. */
	const char *of_named, *rows_named, *lost_named;
};

/* As tally_release(), but also releases the distributions in the rows that the form's columns
   show. */
void relation_release(struct tally *relation, const struct relation_form *form);
/* Also notes in the health what was left out. */
struct relation_rows relation_choose(const struct tally *relation,
				     const struct relation_form *form, const void *view,
				     const struct question *question);
void relation_note_left_out(const struct tally *relation, const struct relation_form *form,
			    const struct question *question);
void relation_show(const struct relation_form *form, const struct relation_rows *rows,
                   const void *view, const struct question *question, const struct output *to);
void relation_rows_release(struct relation_rows *rows);
/* The rows of an array of a view's own, to show them; nothing is added to it or released. */
static inline struct tally relation_of(const void *array, size_t row_bytes, size_t count)
{
	return (struct tally){
		.row = (void *)(uintptr_t)array, .count = count, .row_bytes = row_bytes,
	};
}
/* Shows no such column anywhere. */
static inline void relation_drop(struct column *column)
{
	column->title = NULL;
	column->flags |= COLUMN_TEXT_ONLY;
}
/*
 * A table that takes its rows one after the other, as they are too many to keep, or in no array.
 * adapt() gets no rows.
 */
struct relation_table;
struct relation_table *relation_table_begin(const struct relation_form *form, const void *view,
                                            const struct question *question,
                                            const struct output *to);
void relation_table_row(struct relation_table *table, const void *row);
/* Whether further rows are only counted. */
bool relation_table_is_full(const struct relation_table *table);
void relation_table_end(struct relation_table *table);
/* Shows the table of a view that needs its rows for nothing else: the three calls above. */
void relation_put(const struct tally *relation, const struct relation_form *form,
                  const void *view, const struct question *question, const struct output *to);
