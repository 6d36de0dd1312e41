/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data of a page that compares two sets of runs, for src/html/changes.js: what both sides spent
 * along each path, as JSON in a block:
 *
 *	{"about": [compared task or null, old runs, new runs, whether anything can be
 *	           sure, verdict of the whole time],
 *	 "paths": [[old ns, old count, new ns, new count, verdict, [text, outermost first ...]],
 *	           ...],
 *	 "texts": ["text", ...]}
 *
 * ns and counts are sums over all runs of a side. A path's texts are indices in "texts". A verdict
 * is [p or null if it was not tested, whether it is sure, what changed in a word].
 */
#pragma once

#include "base/data/intern.h"
#include "ftwait/report.h"
#include "html_list.h"

struct html_changes {
	struct intern texts;
	struct html_list about, paths;
};

void html_changes_init(struct html_changes *changes);
void html_changes_release(struct html_changes *changes);
/* Call once, before the paths. */
void html_changes_begin(struct html_changes *changes, const struct compared_sides *comparison);
void html_changes_add(struct html_changes *changes, const struct compared_path *path);
/* Writes the block. */
void html_changes_put(struct html_changes *changes, FILE *out);
