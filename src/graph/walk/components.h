/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strongly connected components of a directed graph: two nodes are in one component where each can
 * be reached from the other along arcs. Tarjan's algorithm (SIAM Journal on Computing 1, 1972),
 * without recursion, because chains of waiters are long. Cost: O(nodes + arcs) in time, 28 bytes a
 * node and 4 an arc while it runs. Parallel arcs and arcs from a node to itself are allowed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Nodes and arcs are counted in 32 bits. */
#define COMPONENT_NODES_MAX (UINT32_MAX - 1)

struct arc {
	uint32_t from, to; /* both below node_count */
};

/*
 * Fills component[node_count] with numbers from 0 on, without gaps, and returns how many there
 * are. No arc leads from a component to one of a higher number. The numbers depend on the input
 * only.
 */
uint32_t components_find(size_t node_count, const struct arc *arcs, size_t arc_count,
                         uint32_t *component);
