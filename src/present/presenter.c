/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "presenter.h"

#include <string.h>

/* In the order of --format in help. */
#define PRESENTERS(ROW) \
	ROW(text) \
	ROW(json) \
	ROW(csv) \
	ROW(rows) \
	ROW(folded) \
	ROW(svg) \
	ROW(dot) \
	ROW(html) \
	ROW(perfetto_manifest)

#define PRESENTER_DECLARATION(name) extern const struct presenter name##_presenter;
PRESENTERS(PRESENTER_DECLARATION)

#define PRESENTER_ROW(name) &name##_presenter,
const struct presenter *const presenters[] = {PRESENTERS(PRESENTER_ROW) NULL};

const struct presenter *presenter_find(const char *name)
{
	for (const struct presenter *const *at = presenters; *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;
	return NULL;
}

const struct column chain_columns[CHAIN_COLUMNS] = {
	{"links", NULL, CELL_LINKS, 0},
	{"count", NULL, CELL_COUNT, 0},
	{"total_ns", NULL, CELL_DURATION, 0},
	{"max_ns", NULL, CELL_DURATION, 0},
	{"max_at_ns", NULL, CELL_INSTANT, 0},
	{"next", NULL, CELL_TEXT, COLUMN_LINK},
	{"evidence", NULL, CELL_ROWS, 0},
	{"evidence_inferred", NULL, CELL_BOOL, 0},
};

void chain_cells(const struct tree_chain *chain, struct cell cells[CHAIN_COLUMNS])
{
	for (size_t i = 0; i < CHAIN_COLUMNS; i++)
		cells[i].type = chain_columns[i].type;
	cells[0].links = chain->links;
	cells[1].count = chain->figures.count;
	cells[2].time = chain->figures.total;
	cells[3].time = chain->figures.longest;
	cells[4].time = chain->figures.longest_at;
	cells[5].text = chain->next;
	if (!chain->next)
		cells[5].type = CELL_EMPTY;
	cells[6].rows = chain->evidence.rows;
	cells[7].boolean = chain->evidence.is_inferred;
}

void next_append(struct buffer *to, const char *next, const struct presenter_options *options)
{
	buffer_puts(to, next);
	if (options->asked_window && !link_has_window(next))
		buffer_puts(to, options->asked_window);
	if (options->asked_tasks && !link_has_tasks(next))
		buffer_puts(to, options->asked_tasks);
}

#define TREE_SUMMABLE 2 /* number of the first figures, which are valid for any sum of chains */

void tree_cells(const struct figures *figures, bool is_exact, nsec_t whole,
                struct cell cells[TREE_FIGURES])
{
	cells[0] = (struct cell){.type = CELL_DURATION, .time = figures->total};
	cells[1] = (struct cell){.type = CELL_RATIO, .ratio = nsec_ratio(figures->total, whole)};
	cells[2] = (struct cell){.type = CELL_COUNT, .count = figures->count};
	cells[3] = (struct cell){.type = CELL_DURATION, .time = figures->longest};
	cells[4] = (struct cell){.type = CELL_INSTANT, .time = figures->longest_at};
	for (size_t i = TREE_SUMMABLE; i < TREE_FIGURES && !is_exact; i++)
		cells[i].type = CELL_EMPTY;
}
