/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cause_link.h"

#include <stdlib.h>

#include "base/array.h"

/* The member that is a link; NULL: causes of that kind have none. */
static uint32_t *note_link(struct cause_note *note)
{
	if (note->kind == CAUSE_TIMER)
		return &note->as.timer.request;
	if (note->kind == CAUSE_DISK)
		return &note->as.disk.work;
	return cause_note_has_work(note) ? &note->as.work.reason : NULL;
}

/* The new link after the first `count` moves; 0: the cause is forgotten. */
static uint32_t link_forwarded(const struct timeline *timeline, size_t count, uint32_t link)
{
	const struct cause_move *move = timeline->cause_move;
	size_t at = array_lower_bound(move, count, sizeof(*move), link);

	return at < count && move[at].from == link ? move[at].to : 0;
}

struct cause_note *timeline_moved_cause(const struct timeline *timeline, uint32_t link)
{
	uint32_t to = link_forwarded(timeline, timeline->cause_move_count, link);

	return to ? &timeline->cause[to - 1 - timeline->causes_gone] : NULL;
}

/* The link's target after the old causes are gone; notes the cause again, and the links behind it
   as far as they are kept. */
static uint32_t link_move(struct cause_links *links, struct timeline *timeline, uint32_t link,
                          unsigned depth)
{
	struct cause_note note;
	uint32_t to, *behind;

	if (link && link <= timeline->causes_gone)
		link = link_forwarded(timeline, links->moves_before, link);
	if (link == 0 || link > timeline->half_cause)
		return link;
	to = map_get(&links->moved, link);
	if (to != MAP_NONE)
		return to;
	if (depth == CAUSE_LINK_DEPTH)
		return 0;
	/* NOLINTNEXTLINE: the array may move, so it is copied first */
	note = *timeline_cause_at(timeline, link - 1);
	behind = note_link(&note);
	if (behind)
		*behind = link_move(links, timeline, *behind, depth + 1);
	to = timeline_note_cause(timeline, &note) + 1;
	map_put(&links->moved, link, to);
	ARRAY_GROW(timeline->cause_move, timeline->cause_move_count,
	           timeline->cause_move_capacity);
	timeline->cause_move[timeline->cause_move_count++] = (struct cause_move){link, to};
	return to;
}

void cause_links_begin(struct cause_links *links, const struct timeline *timeline)
{
	map_init(&links->moved);
	links->moves_before = timeline->cause_move_count;
}

uint32_t cause_links_keep(struct cause_links *links, struct timeline *timeline, uint32_t cause)
{
	struct cause_note note = *timeline_cause_at(timeline, cause);
	uint32_t *link = note_link(&note);

	if (link)
		*link = link_move(links, timeline, *link, 0);
	return timeline_note_cause(timeline, &note);
}

/* Whether the link is to a cause that is young enough to stay where it is. */
static void links_of_young(struct cause_links *links, struct timeline *timeline)
{
	for (size_t at = timeline->half_cause - timeline->causes_gone; at < timeline->cause_count;
	     at++) {
		uint32_t *link = note_link(&timeline->cause[at]), to;

		if (!link || *link == 0 || *link > timeline->half_cause)
			continue;
		to = link_move(links, timeline, *link, 0);
		*note_link(&timeline->cause[at]) = to; /* the array may have moved */
	}
}

static int move_compare(const void *first, const void *second)
{
	const struct cause_move *a = first, *b = second;

	return (a->from > b->from) - (a->from < b->from);
}

void cause_links_end(struct cause_links *links, struct timeline *timeline)
{
	size_t count = 0;

	links_of_young(links, timeline);
	/* what moved before may have moved again, or be forgotten now */
	for (size_t i = 0; i < timeline->cause_move_count; i++) {
		struct cause_move move = timeline->cause_move[i];

		if (i < links->moves_before && move.to <= timeline->half_cause)
			move.to = map_get(&links->moved, move.to);
		if (move.to != MAP_NONE && move.to != 0)
			timeline->cause_move[count++] = move;
	}
	timeline->cause_move_count = count;
	if (count)
		qsort(timeline->cause_move, count, sizeof(*timeline->cause_move), move_compare);
	map_release(&links->moved);
}
