/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim_cells.h"

#include "graph/aim.h"

struct cell aim_cell_of_cause(const struct timeline *timeline, uint32_t track,
                              const struct cause_note *note, struct cell cells[AIM_BRIEF_CELLS])
{
	static const struct column columns[AIM_BRIEF_CELLS] = {
		{"kind", NULL, CELL_TEXT, 0},
		{"name", NULL, CELL_TEXT, 0},
	};
	const char *name = NULL;
	enum aim_kind kind = note ? timeline_cause_aim(timeline, track, note, &name) : AIM_NONE;

	if (kind == AIM_NONE)
		return (struct cell){.type = CELL_EMPTY};
	cells[0] = (struct cell){.type = CELL_TEXT, .text = aim_kind_name(kind)};
	cells[1] = (struct cell){.type = name ? CELL_TEXT : CELL_EMPTY, .text = name};
	return (struct cell){.type = CELL_RECORD, .rows = {columns, AIM_BRIEF_CELLS, cells, 1}};
}
