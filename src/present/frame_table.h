/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of flame graphs, numbered from 0, each once, for formats in which paths refer to
   frames by number. */
#pragma once

#include "base/data/intern.h"
#include "base/data/map.h"
#include "ftwait/report.h"

/* A frame: a text and a kind. */
struct shown_frame {
	uint32_t name; /* in names */
	enum path_frame_kind kind;
};

struct frame_table {
	struct intern names;
	struct map by_name; /* name and kind -> number */
	struct shown_frame *frame;
	size_t count, capacity;
};

void frame_table_init(struct frame_table *table);
void frame_table_release(struct frame_table *table);
/* Returns its number. */
uint32_t frame_table_add(struct frame_table *table, const struct path_frame *frame);

static inline const char *frame_table_text(const struct frame_table *table, size_t number)
{
	return intern_text(&table->names, table->frame[number].name);
}
