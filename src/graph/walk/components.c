/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "components.h"

#include <assert.h>
#include "base/cleanup.h"
#include "base/xalloc.h"

#define NONE UINT32_MAX

struct search_node {
	uint32_t first;  /* its arcs lead to target[first] up to that of the next node */
	uint32_t next;   /* its arc to examine next */
	uint32_t parent; /* from where it was entered; NONE: the search began here */
	uint32_t order;  /* when it was entered, from 1; 0: not yet */
	uint32_t low;    /* the lowest order known to be reached from it */
};

struct search {
	struct search_node *node; /* one behind the last one ends its arcs */
	uint32_t *target;
	uint32_t *open; /* nodes that are entered and have no component yet */
	uint32_t open_count, entered, component_count;
	uint32_t *component; /* NONE: none yet */
};

/* Sorts the arcs by the node that they leave, by counting. */
static void search_index(struct search *search, size_t node_count, const struct arc *arcs,
                         size_t arc_count)
{
	uint32_t end = 0;

	for (size_t i = 0; i < arc_count; i++) {
		assert(arcs[i].from < node_count && arcs[i].to < node_count);
		search->node[arcs[i].from].first++;
	}
	/* counts become ends, and inserting each arc from the last one on makes them begins */
	for (size_t i = 0; i <= node_count; i++)
		end = search->node[i].first += end;
	for (size_t i = arc_count; i-- > 0;)
		search->target[--search->node[arcs[i].from].first] = arcs[i].to;
	for (size_t i = 0; i < node_count; i++) {
		search->node[i].next = search->node[i].first;
		search->component[i] = NONE;
	}
	assert(search->node[node_count].first == arc_count);
}

static void search_enter(struct search *search, uint32_t index, uint32_t parent)
{
	struct search_node *node = &search->node[index];

	assert(!node->order && search->component[index] == NONE);
	node->order = node->low = ++search->entered;
	node->parent = parent;
	search->open[search->open_count++] = index;
}

/* All arcs of the node were examined: leaves it. Returns the node to go on with. */
static uint32_t search_leave(struct search *search, uint32_t index)
{
	const struct search_node *node = &search->node[index];
	uint32_t member;

	assert(search->open_count > 0 && node->low <= node->order);
	if (node->low == node->order) {
		do {
			member = search->open[--search->open_count];
			search->component[member] = search->component_count;
		} while (member != index);
		search->component_count++;
	}
	if (node->parent != NONE && node->low < search->node[node->parent].low)
		search->node[node->parent].low = node->low;
	return node->parent;
}

static void search_from(struct search *search, uint32_t root)
{
	uint32_t at = root;

	search_enter(search, root, NONE);
	while (at != NONE) {
		struct search_node *node = &search->node[at];
		uint32_t to;

		if (node->next == node[1].first) {
			at = search_leave(search, at);
			continue;
		}
		to = search->target[node->next++];
		if (!search->node[to].order) {
			search_enter(search, to, at);
			at = to;
		} else if (search->component[to] == NONE && search->node[to].order < node->low) {
			node->low = search->node[to].order;
		}
	}
	assert(search->open_count == 0);
}

uint32_t components_find(size_t node_count, const struct arc *arcs, size_t arc_count,
                         uint32_t *component)
{
	_cleanup_(freep) struct search_node *nodes = xcalloc(node_count + 1, sizeof(*nodes));
	_cleanup_(freep) uint32_t *target = xcalloc(arc_count, sizeof(*target));
	_cleanup_(freep) uint32_t *open = xcalloc(node_count, sizeof(*open));
	struct search search = {
		.node = nodes, .target = target, .open = open, .component = component};

	assert(node_count <= COMPONENT_NODES_MAX && arc_count <= COMPONENT_NODES_MAX);
	search_index(&search, node_count, arcs, arc_count);
	for (uint32_t node = 0; node < node_count; node++)
		if (!nodes[node].order)
			search_from(&search, node);
	assert(search.entered == node_count && search.component_count <= node_count);
	return search.component_count;
}
