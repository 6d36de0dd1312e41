/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks wait for which, as a directed graph. Nodes are tasks, folded by name (the last name
 * of the track), and objects: what a wait was for where no task's own doing explains it (a disk, a
 * timer function, an interrupt), folded like the links of chain_tree.h. An edge leads from a waiter
 * to what it waited for; there is one for each pair of nodes and kind of cause.
 *
 * Two times on every edge, both in ns:
 *
 *	raw   whole waits, as given to wait_graph_add(), at the edge to the task or object that
 *	      ended them, whatever that did meanwhile.
 *	path  the same waits walked (walk.h), each part of a walk charged to one edge: time that
 *	      was waited for an object to the edge from the waiting track to the object, else (the
 *	      track ran, was runnable, ...) to the edge along which the walk came to the track.
 *
 *	A  |------ wait ------|      raw   A -> B 20
 *	B  |-- wait --|- run -|      path  A -> B  8, B -> disk 12
 *	        disk  12      20
 *
 * Both sums over all edges are the time of the waits that were added. Waits that had not ended, or
 * not by the end of what is asked, lead to an object of their own.
 *
 * A knot is a strongly connected component with an edge inside: tasks of several names that waited
 * for each other in a circle, by turns, or tasks of one name that waited for one another.
 *
 * Order of calls: init, add for each wait, keep_kinds (optional), close, then read, release.
 * At most nodes.most nodes and edges.most edges; time for which there is none is counted in
 * overflows and overflow_time instead.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graph/logs/task_names.h"
#include "tally/tally.h"
#include "voter.h"
#include "walk.h"
#include "walk_blocks.h"
#include "walk_sample.h"

/* As for chains: time further behind stays with the last edge. */
#define GRAPH_DEPTH_MAX 64
#define WAIT_GRAPH_NODES_MAX (1u << 20)
#define WAIT_GRAPH_EDGES_MAX (1u << 21)
#define WAIT_NODE_NONE       UINT32_MAX

/* What identifies a node. Members that a kind does not use are 0. */
struct wait_node_key {
	uint8_t kind; /* enum cause_kind; tasks: CAUSE_TASK */
	bool is_task; /* a task, of that name; else an object */
	bool is_open; /* object: the wait had not ended */
	uint8_t memory; /* memory: enum memory_what */
	struct cause_identity identity; /* of a task only the name, or that of its fold */
};

struct wait_node {
	struct wait_node_key key;
	bool has_edge;
	uint32_t knot;     /* number in knots, from 1; 0: in none */
	nsec_t waiting;    /* raw time of the edges that leave it */
	nsec_t waited_for; /* path time of the edges that lead to it */
};

/* An amount that is added to one edge, or all of it. */
struct wait_sum {
	uint64_t edge; /* its number */
	nsec_t path;
	uint64_t count;     /* number of waits, and of stretches of walks, along it */
	nsec_t max, max_at; /* the longest of these, and when it began; of equally long ones the
	                       one added first */
	/* Which of the tasks with these names it was; not used for an object. */
	struct voter waiter, waited;
};

struct wait_edge {
	uint32_t from, to; /* nodes */
	uint8_t kind;      /* enum cause_kind: of the waits, not of the node it leads to */
	uint32_t knot;     /* both ends are in it; 0: in none */
	nsec_t raw;
	struct wait_sum sum;
};

struct wait_knot {
	bool has_edge; /* true: a component without an edge inside is no knot */
	uint32_t node_count;
	uint32_t node; /* its node with the most waited_for */
	nsec_t raw, path; /* of the edges inside */
};

struct wait_graph {
	struct timeline *timeline;      /* borrowed */
	const struct name_folds *folds; /* names that are one node; NULL: none fold */
	TALLY(nodes, struct wait_node, node, node_count);
	TALLY(edges, struct wait_edge, edge, edge_count);
	struct wait_knot *knot; /* after close; heaviest path first, number n at n - 1 */
	size_t knot_count;
	nsec_t total;  /* of all waits that were added */
	uint64_t waits;
	uint64_t overflows;
	nsec_t overflow_raw, overflow_path;
	struct walk_result result;
	uint64_t parts_by_confidence[3];
	uint64_t parts_in_blocks; /* number of parts that came as sums of blocks */
	/* the walk that is being added */
	struct wait_frame *frame; /* edges that lead to the track that is being walked */
	size_t depth, frame_capacity;
	uint32_t root_edge;
	uint64_t weight; /* number of waits for which it stands, 0: only itself */
	bool is_of_many; /* these have other names, too */
	struct walk_scale scale;
	nsec_t reached; /* begin of the last reported part */
	struct walk_sample sample; /* of the waits that are walked */
	struct walk_blocks blocks; /* for segments that were walked often */
	struct wait_block *of_block; /* sums of the block that is being summed up; NULL: none is */
};

/* Set folds after it. */
void wait_graph_init(struct wait_graph *graph, struct timeline *timeline);
void wait_graph_release(struct wait_graph *graph);
/*
 * Adds track's wait [begin, end), begin < end, and the walk that explains it, unless that is kept
 * back, for another one of that name to stand for it (walk_sample.h). `cause` is what ended it;
 * NULL: it had not ended by then.
 */
void wait_graph_add(struct wait_graph *graph, uint32_t track, nsec_t begin, nsec_t end,
                    const struct cause_note *cause);
/* Adds the walks that were kept back. Call before edges are read or forgotten. */
void wait_graph_add_rest(struct wait_graph *graph);
/* Forgets the edges of kinds that are not in the mask. */
void wait_graph_keep_kinds(struct wait_graph *graph, uint32_t kinds);
/* Finds the knots and sums up the nodes; nothing may be added any more. */
void wait_graph_close(struct wait_graph *graph);

/* The node of that key, added if there is none; WAIT_NODE_NONE beyond the limit. */
uint32_t wait_graph_node(struct wait_graph *graph, const struct wait_node_key *key);
/* The edge, added if there is none; NULL beyond the limit, or if an end is none. Valid until the
   next one is added. */
struct wait_edge *wait_graph_edge(struct wait_graph *graph, uint32_t from, uint32_t to,
                                  enum cause_kind kind);
