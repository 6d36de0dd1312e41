/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A critical path as slices that tile its window, on a track of its own.
 */
#pragma once

#include "graph/walk.h"
#include "perfetto_tracks.h"

struct perfetto_path {
	struct perfetto_tracks *tracks; /* borrowed */
	uint64_t track;
};

void perfetto_path_begin(struct perfetto_path *path, uint32_t line);
/* The parts come in order of time. */
void perfetto_path_add(struct perfetto_path *path, const struct part *part);
