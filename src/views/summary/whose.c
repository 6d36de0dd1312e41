/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A majority vote (Boyer and Moore's algorithm) leaves one candidate: the task, or the name, that
   has more than half, if there is one. So no sums are kept by task or by name. */
#include "whose.h"

#include "analysis/prose.h"
#include "cost_list.h"

#define WHOSE_LEAST 0.5 /* a task or name must have more than this part of all time */

/* Whether the node is of another task: nodes directly below the root are of the path's own task. */
static bool node_is_anothers(const struct chain_node *node)
{
	return node->parent != CHAIN_ROOT && node->total && cost_node_is_of_task(node);
}

/* The part of the node's time that is known to be of its candidate task. */
static nsec_t node_task_total(const struct chain_node *node)
{
	return nsec_min(node->voter.own, node->total);
}

static nsec_t path_total_of_name(const struct chain_tree *path, uint32_t comm)
{
	nsec_t total = 0;

	for (size_t i = 1; i < path->count; i++)
		if (node_is_anothers(&path->node[i]) && path->node[i].comm == comm)
			total += path->node[i].total;
	return total;
}

static nsec_t path_total_of_task(const struct chain_tree *path, uint32_t track)
{
	nsec_t total = 0;

	for (size_t i = 1; i < path->count; i++)
		if (node_is_anothers(&path->node[i]) && path->node[i].voter.track == track)
			total += node_task_total(&path->node[i]);
	return total;
}

/* Sets `track` of ret_name to the candidate name, and of ret_task to the candidate track. */
static void path_elect(const struct chain_tree *path, struct voter *ret_name,
                       struct voter *ret_task)
{
	for (size_t i = 1; i < path->count; i++) {
		const struct chain_node *node = &path->node[i];

		if (!node_is_anothers(node))
			continue;
		voter_vote(ret_name, node->comm, node->total);
		voter_vote(ret_task, node->voter.track, node_task_total(node));
	}
}

void whose_append(struct buffer *to, const struct link_names *names, const struct chain_tree *path,
                  uint32_t self, nsec_t all)
{
	const struct timeline *timeline = path->timeline;
	struct voter name = {0}, task = {.track = TRACK_NONE};
	double of_name, of_task = 0;

	path_elect(path, &name, &task);
	of_name = nsec_ratio(path_total_of_name(path, name.track), all);
	if (of_name <= WHOSE_LEAST)
		return;
	if (link_name_is_of_many(names, name.track) && task.track != self)
		of_task = nsec_ratio(path_total_of_task(path, task.track), all);
	if (of_task > WHOSE_LEAST) {
		buffer_printf(to, "; in %.0f %% of it ", 100 * of_task);
		prose_task_append(to, timeline, task.track);
	} else {
		buffer_printf(to, "; in %.0f %% of it ", 100 * of_name);
		if (name.track == track_name(&timeline->track[self]))
			link_others_append(names, name.track, to);
		else
			link_name_append(names, name.track, to);
	}
	buffer_puts(to, " ran or waited");
}
