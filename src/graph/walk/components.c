/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "components.h"

#include <assert.h>
#include <stdlib.h>

#include "base/xalloc.h"

#define NONE UINT32_MAX

struct search {
	/* The arcs of a node lead to target[first[node]] up to first[node + 1]. */
	uint32_t *first, *target;
	uint32_t *next;   /* by node: its arc to examine next */
	uint32_t *parent; /* by node: from where it was entered; NONE: the search began here */
	uint32_t *order;  /* by node: when it was entered, from 1; 0: not yet */
	uint32_t *low;    /* by node: the lowest order known to be reached from it */
	uint32_t *open;   /* nodes that are entered and have no component yet */
	uint32_t open_count, entered, component_count;
	uint32_t *component; /* NONE: none yet */
};

/* Sorts the arcs by the node that they leave, by counting. */
static void search_index(struct search *search, size_t node_count, const struct arc *arcs,
                         size_t arc_count)
{
	for (size_t i = 0; i < arc_count; i++) {
		assert(arcs[i].from < node_count && arcs[i].to < node_count);
		search->first[arcs[i].from + 1]++;
	}
	for (size_t node = 0; node < node_count; node++) {
		search->first[node + 1] += search->first[node];
		search->next[node] = search->first[node];
	}
	for (size_t i = 0; i < arc_count; i++)
		search->target[search->next[arcs[i].from]++] = arcs[i].to;
	for (size_t node = 0; node < node_count; node++)
		search->next[node] = search->first[node];
	assert(search->first[node_count] == arc_count);
}

static void search_init(struct search *search, size_t node_count, const struct arc *arcs,
                        size_t arc_count, uint32_t *component)
{
	*search = (struct search){
		.first = xcalloc(node_count + 1, sizeof(*search->first)),
		.target = xcalloc(arc_count, sizeof(*search->target)),
		.next = xcalloc(node_count, sizeof(*search->next)),
		.parent = xcalloc(node_count, sizeof(*search->parent)),
		.order = xcalloc(node_count, sizeof(*search->order)),
		.low = xcalloc(node_count, sizeof(*search->low)),
		.open = xcalloc(node_count, sizeof(*search->open)),
		.component = component,
	};
	search_index(search, node_count, arcs, arc_count);
	for (size_t node = 0; node < node_count; node++)
		component[node] = NONE;
}

static void search_release(struct search *search)
{
	free(search->first);
	free(search->target);
	free(search->next);
	free(search->parent);
	free(search->order);
	free(search->low);
	free(search->open);
}

static void search_enter(struct search *search, uint32_t node, uint32_t parent)
{
	assert(!search->order[node] && search->component[node] == NONE);
	search->order[node] = search->low[node] = ++search->entered;
	search->parent[node] = parent;
	search->open[search->open_count++] = node;
}

/* All arcs of the node were examined: leaves it. Returns the node to go on with. */
static uint32_t search_leave(struct search *search, uint32_t node)
{
	uint32_t parent = search->parent[node], member;

	assert(search->open_count > 0 && search->low[node] <= search->order[node]);
	if (search->low[node] == search->order[node]) {
		do {
			member = search->open[--search->open_count];
			search->component[member] = search->component_count;
		} while (member != node);
		search->component_count++;
	}
	if (parent != NONE && search->low[node] < search->low[parent])
		search->low[parent] = search->low[node];
	return parent;
}

static void search_from(struct search *search, uint32_t root)
{
	uint32_t node = root;

	search_enter(search, root, NONE);
	while (node != NONE) {
		uint32_t to;

		if (search->next[node] == search->first[node + 1]) {
			node = search_leave(search, node);
			continue;
		}
		to = search->target[search->next[node]++];
		if (!search->order[to]) {
			search_enter(search, to, node);
			node = to;
		} else if (search->component[to] == NONE && search->order[to] < search->low[node]) {
			search->low[node] = search->order[to];
		}
	}
	assert(search->open_count == 0);
}

uint32_t components_find(size_t node_count, const struct arc *arcs, size_t arc_count,
                         uint32_t *component)
{
	struct search search;

	assert(node_count <= COMPONENT_NODES_MAX && arc_count <= COMPONENT_NODES_MAX);
	search_init(&search, node_count, arcs, arc_count, component);
	for (uint32_t node = 0; node < node_count; node++)
		if (!search.order[node])
			search_from(&search, node);
	search_release(&search);
	assert(search.entered == node_count && search.component_count <= node_count);
	return search.component_count;
}
