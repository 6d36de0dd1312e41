/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links from one kept cause to another: a timer's to the request that the sleeper waited for, a
 * work item's to what the interrupt served that queued it, a disk request's to the work item that
 * submitted it. A link is the index in the timeline's causes + 1; 0: there is none. State keeps
 * links, too: a link stays valid when the older half of the history is forgotten, as long as a
 * cause that is kept has it.
 */
#pragma once

#include "timeline.h"

/* Where a cause that was older than the kept history is now. */
struct cause_move {
	uint32_t from, to; /* links. First: searched by */
};

/* The most links that are kept in a row: a chain of work and requests may have no end. */
#define CAUSE_LINK_DEPTH 4

/* The present place of a cause that was older than the kept history; NULL: it is forgotten. */
struct cause_note *timeline_moved_cause(const struct timeline *timeline, uint32_t link);

/* The cause of a link, to be corrected, if it happened at a time of its own (its origin is known)
   and more is known of it now. NULL: there is none, or it is forgotten. */
static inline struct cause_note *timeline_amend_linked(const struct timeline *timeline,
                                                       uint32_t link)
{
	if (link > timeline->causes_gone)
		return &timeline->cause[link - 1 - timeline->causes_gone];
	return link ? timeline_moved_cause(timeline, link) : NULL;
}

/* The cause of a link; NULL: there is none, or it is forgotten. */
static inline const struct cause_note *timeline_linked_cause(const struct timeline *timeline,
                                                             uint32_t link)
{
	return timeline_amend_linked(timeline, link);
}

/* The work item in which that disk request was submitted; NULL: none, or not known. */
static inline const struct cause_note *timeline_submitting_work(const struct timeline *timeline,
                                                                const struct cause_note *note)
{
	return timeline_linked_cause(timeline, note->kind == CAUSE_DISK ? note->as.disk.work : 0);
}

/*
 * The causes before half_cause are about to be forgotten. Order of calls: begin, keep for each of
 * these that a segment has, end; only then may they be freed.
 */
struct cause_links {
	struct map moved; /* from links to old causes to links to their copies */
	size_t moves_before;
};

void cause_links_begin(struct cause_links *links, const struct timeline *timeline);
/* Notes the cause again, as if it was new, and what it links to; returns its new index. */
uint32_t cause_links_keep(struct cause_links *links, struct timeline *timeline, uint32_t cause);
void cause_links_end(struct cause_links *links, struct timeline *timeline);
