/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data of a page's icicles: the paths of each view that has them, as JSON in a block:
 *
 *	{"titles": ["Chains: ..."],
 *	 "paths": [[index of its title, total ns, count, longest ns, longest at or null,
 *	            [frame, root first ...]], ...],
 *	 "frames": [["text", "task|cause|kernel|user|mark"], ...]}
 *
 * Instants are ns since the trace's begin.
 */
#pragma once

#include "frame_table.h"
#include "ftwait/report.h"
#include "html_list.h"

struct html_icicle {
	struct frame_table frames;
	struct html_list titles, paths;
	size_t graphs;
	nsec_t trace_begin;
};

void html_icicle_init(struct html_icicle *icicle, nsec_t trace_begin);
void html_icicle_release(struct html_icicle *icicle);
/* Call before the paths of a view. */
void html_icicle_begin(struct html_icicle *icicle, const char *title);
/* Adds a path; one of length 0 is ignored. */
void html_icicle_add(struct html_icicle *icicle, const struct path *path);
/* Writes the block. */
void html_icicle_put(struct html_icicle *icicle, FILE *out);
