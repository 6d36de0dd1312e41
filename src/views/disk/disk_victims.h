/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that waited while requests of others were there. */
#pragma once

#include "disk_view.h"

/* A task that had requests at the device while the victim waited. */
struct rival {
	uint32_t task; /* struct disk_task */
	nsec_t overlap;
};

struct victim {
	uint32_t task; /* struct disk_task */
	struct rival *rival; /* longest overlap first */
	size_t count, capacity;
};

/* The victims by index of struct disk_task; tasks that are not asked for have no rivals. Free
   them. */
struct victim *victims_new(const struct disk_view *view);
void victims_free(const struct disk_view *view, struct victim *victims);
/* "bulk[7] 91.0 %, jbd2/vda1-8[90] 2.0 %, 3 more": parts of the victim's waiting. */
void victim_rivals_append(struct buffer *to, const struct disk_view *view,
                          const struct victim *victim);
/* A table of them, the one that waited most first. */
void victims_show(const struct disk_view *view, const struct victim *victims,
                  const struct output *to);
