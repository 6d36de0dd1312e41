/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain_levels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/cause_words.h"
#include "base/cleanup.h"

/* A link is a level or two; the outermost one names itself, its state and its cause. */
static_assert(2 * (CHAIN_DEPTH_MAX + 2) + 1 <= TREE_DEPTH_MAX, "chains are deeper than trees");

void chain_levels_init(struct chain_levels *levels, const struct chain_tree *chains,
                       bool is_window)
{
	*levels = (struct chain_levels){
		.chains = chains,
		.open_label = is_window ? "not ended in this window" : "not ended in this trace",
		.level_count = 1,
		.level_capacity = 64,
	};
	intern_init(&levels->labels);
	map_init(&levels->by_parent);
	levels->level = xcalloc(levels->level_capacity, sizeof(*levels->level));
	levels->of_link = xcalloc(chains->count, sizeof(*levels->of_link));
}

void chain_levels_release(struct chain_levels *levels)
{
	intern_release(&levels->labels);
	map_release(&levels->by_parent);
	free(levels->level);
	free(levels->of_link);
	*levels = (struct chain_levels){0};
}

/* The level of that label below `parent`; made where there is none. Empties `label`. */
static uint32_t level_below(struct chain_levels *levels, uint32_t parent, struct buffer *label,
                            uint32_t link)
{
	uint32_t id = intern_add(&levels->labels, label->text, label->length);
	uint64_t key = (uint64_t)parent << 32 | id;
	uint32_t child = map_get(&levels->by_parent, key);

	buffer_clear(label);
	if (child != MAP_NONE)
		return child;
	child = (uint32_t)levels->level_count;
	ARRAY_GROW(levels->level, levels->level_count, levels->level_capacity);
	levels->level[levels->level_count++] = (struct chain_level){
		.label = id,
		.link = link,
		.parent = parent,
		.sibling = levels->level[parent].child,
		.figures = {.longest_at = NSEC_NEVER},
	};
	levels->level[parent].child = child;
	levels->level[parent].child_count++;
	map_put(&levels->by_parent, key, child);
	return child;
}

static uint32_t cause_level(struct chain_levels *levels, uint32_t parent, uint32_t link,
                            struct buffer *label)
{
	struct cause cause = chain_node_cause(levels->chains, &levels->chains->node[link]);

	cause_text_append(label, &cause);
	return level_below(levels, parent, label, link);
}

/*
 * "who" is one level; what that one waited for is the next, unless it is the task of the next
 * link, which names itself. The first link keeps its state off its name, so that all chains of one
 * waiter meet in one root.
 */
static uint32_t link_levels(struct chain_levels *levels, uint32_t parent, uint32_t link,
                            struct buffer *label)
{
	const struct chain_node *node = &levels->chains->node[link];
	const char *comm = intern_text(&levels->chains->timeline->names, node->comm);
	const char *state = part_state_name((enum part_state)node->state);
	bool waits = node->state == PART_WAITING, is_first = node->parent == CHAIN_ROOT;
	uint32_t level;

	buffer_puts_clean(label, comm, strlen(comm));
	if (!is_first && !waits)
		buffer_printf(label, " %s", state);
	level = level_below(levels, parent, label, 0);
	if (is_first && !waits) {
		buffer_puts(label, state);
		level = level_below(levels, level, label, 0);
	}
	if (node->cause && node->cause->kind != CAUSE_TASK)
		level = cause_level(levels, level, link, label);
	return level;
}

/* The level below which the next links stand; those of all links before are made on the way. */
static uint32_t level_of_link(struct chain_levels *levels, uint32_t link, struct buffer *label)
{
	uint32_t path[CHAIN_DEPTH_MAX + 2], level = 0;
	size_t count = 0;

	for (; link != CHAIN_ROOT; link = levels->chains->node[link].parent) {
		level = levels->of_link[link];
		if (level)
			break;
		assert(count < ARRAY_SIZE(path));
		path[count++] = link;
	}
	while (count > 0) {
		link = path[--count];
		level = link_levels(levels, level, link, label);
		levels->of_link[link] = level;
	}
	return level;
}

/* Where the chain ends. What is not known has a level too, so that children sum to their parent. */
static uint32_t level_of_end(struct chain_levels *levels, uint32_t link, struct buffer *label)
{
	const struct chain_node *node = &levels->chains->node[link];
	uint32_t level = level_of_link(levels, link, label);

	if (node->cause && node->cause->kind == CAUSE_TASK)
		return cause_level(levels, level, link, label);
	if (node->cause || node->state != PART_WAITING)
		return level;
	buffer_puts(label, levels->open_label);
	return level_below(levels, level, label, 0);
}

/* The root keeps the sum of the chains' totals; of its waits the waiter's own figures tell. */
static void root_tell(struct chain_level *root, const struct figures *waiter)
{
	root->is_told = true;
	root->figures.count = waiter->count;
	root->figures.longest = waiter->longest;
	root->figures.longest_at = waiter->longest_at;
}

void chain_levels_add(struct chain_levels *levels, uint32_t node, const struct figures *waiter)
{
	const struct chain_node *end = &levels->chains->node[node];
	const struct figures figures = {end->total, end->count, end->max, end->max_at};
	_cleanup_(buffer_release) struct buffer label = {0};
	uint32_t at, root = 0;

	figures_add(&levels->level[0].figures, &figures);
	if (levels->chain_count >= CHAIN_LEVELS_CHAINS_MAX ||
	    levels->level_count + 2u * end->depth + 1 > CHAIN_LEVELS_NODES_MAX) {
		levels->chains_left_out++;
		levels->total_left_out += figures.total;
		return;
	}
	levels->chain_count++;
	buffer_init(&label, BUFFER_LIMIT_DEFAULT);
	for (at = level_of_end(levels, node, &label); at; at = levels->level[at].parent) {
		levels->level[at].chain_count++;
		figures_add(&levels->level[at].figures, &figures);
		root = at;
	}
	if (waiter)
		root_tell(&levels->level[root], waiter);
}

static const char *level_label(const struct chain_levels *levels, uint32_t level)
{
	return intern_text(&levels->labels, levels->level[level].label);
}

static int level_compare(const void *a, const void *b, void *of)
{
	const struct chain_levels *levels = of;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	nsec_t left_total = levels->level[left].figures.total;
	nsec_t right_total = levels->level[right].figures.total;

	if (left_total != right_total)
		return left_total < right_total ? 1 : -1;
	return strcmp(level_label(levels, left), level_label(levels, right));
}

/* By descending total, equal ones by label; the caller frees them. */
static uint32_t *level_children(const struct chain_levels *levels, uint32_t parent)
{
	const struct chain_level *level = &levels->level[parent];
	uint32_t *child = xcalloc(level->child_count + 1u, sizeof(*child));
	size_t count = 0;

	for (uint32_t at = level->child; at; at = levels->level[at].sibling)
		child[count++] = at;
	assert(count == level->child_count);
	/* The comparison only reads the levels. */
	qsort_r(child, count, sizeof(*child), level_compare, (void *)(uintptr_t)levels);
	return child;
}

/* Where nodes go. */
struct node_sink {
	const struct presenter *presenter;
	void *to;
};

static bool level_show(const struct chain_levels *levels, uint32_t at, unsigned depth,
                       const struct node_sink *sink)
{
	const struct chain_level *level = &levels->level[at];
	struct tree_node node = {
		.label = level_label(levels, at),
		.figures = level->figures,
		.is_exact = level->is_told || level->chain_count == 1,
		.child_count = level->child_count,
	};
	struct cause cause;

	if (level->link) {
		cause = chain_node_cause(levels->chains, &levels->chains->node[level->link]);
		node.cause = &cause;
	}
	return sink->presenter->tree_node(sink->to, depth, &node);
}

/* Not deeper than TREE_DEPTH_MAX calls. */
static void children_show(const struct chain_levels *levels, uint32_t parent, unsigned depth,
                          const struct node_sink *sink)
{
	_cleanup_(freep) uint32_t *child = level_children(levels, parent);

	for (uint32_t i = 0; i < levels->level[parent].child_count; i++)
		if (level_show(levels, child[i], depth, sink))
			children_show(levels, child[i], depth + 1, sink);
}

void chain_levels_show(const struct chain_levels *levels, const struct tree *tree,
                       const struct presenter *presenter, void *to)
{
	struct tree whole = *tree;

	whole.total = levels->level[0].figures.total;
	whole.root_count = levels->level[0].child_count;
	whole.chains_left_out = levels->chains_left_out;
	whole.total_left_out = levels->total_left_out;
	presenter->tree_begin(to, &whole);
	children_show(levels, 0, 0, &(struct node_sink){presenter, to});
	presenter->tree_end(to);
}
