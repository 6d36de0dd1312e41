/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells for tracks and names, by their numbers in a timeline. The text of a cell belongs to the
   timeline. */
#pragma once

#include "ftwait/report.h"
#include "graph/timeline/timeline.h"

/*
 * The first column of a table in which each row belongs to one machine. A report of a single
 * machine omits it: columns and cells begin machine_column_skip() later.
 */
#define MACHINE_COLUMN "machine", "MACHINE", CELL_MACHINE, 0

static inline size_t machine_column_skip(const struct timeline *timeline)
{
	return timeline->hosts.count ? 0 : 1;
}

/* CELL_MACHINE; CELL_EMPTY where there is one machine. */
static inline struct cell cell_of_machine(const struct timeline *timeline, uint32_t machine)
{
	if (timeline->hosts.count == 0)
		return (struct cell){.type = CELL_EMPTY};
	return (struct cell){
		.type = CELL_MACHINE,
		.machine = {timeline->hosts.host[machine].name, machine},
	};
}

/* CELL_TASK, with the name that the task had then; CELL_EMPTY for TRACK_NONE. */
static inline struct cell cell_of_task_at(const struct timeline *timeline, uint32_t track,
                                          nsec_t time)
{
	if (track == TRACK_NONE)
		return (struct cell){.type = CELL_EMPTY};
	return (struct cell){.type = CELL_TASK, .task = timeline_task(timeline, track, time)};
}

/* CELL_TASK, with the task's last name; CELL_EMPTY for TRACK_NONE. */
static inline struct cell cell_of_task(const struct timeline *timeline, uint32_t track)
{
	return cell_of_task_at(timeline, track, NSEC_NEVER);
}

/* CELL_TEXT or CELL_FRAMES; CELL_EMPTY for name id 0. */
static inline struct cell cell_of_name(const struct timeline *timeline, enum cell_type type,
                                       uint32_t name)
{
	return (struct cell){
		.type = name ? type : CELL_EMPTY,
		.text = intern_text(&timeline->names, name),
	};
}

static inline struct cell cell_of_brief_aim(struct brief_aim aim)
{
	return (struct cell){.type = CELL_BRIEF_AIM, .brief_aim = aim};
}
