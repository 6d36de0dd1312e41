/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "level_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/row_link.h"
#include "base/cleanup.h"
#include "base/data/order.h"
#include "base/xalloc.h"

void level_tree_init(struct level_tree *tree)
{
	intern_init(&tree->labels);
	tally_init(&tree->levels, sizeof(struct level), sizeof(struct level), TALLY_NO_LIMIT);
	(void)tally_add(&tree->levels);
}

void level_tree_release(struct level_tree *tree)
{
	intern_release(&tree->labels);
	tally_release(&tree->levels);
	*tree = (struct level_tree){0};
}

uint32_t level_tree_below(struct level_tree *tree, uint32_t parent, struct buffer *label,
                          uint32_t tag)
{
	uint32_t id = intern_add(&tree->labels, label->text, label->length);
	uint64_t key = (uint64_t)parent << 32 | id;
	const struct level *child = tally_get(&tree->levels, key);

	buffer_clear(label);
	if (child)
		return tally_number(&tree->levels, child);
	child = tally_make(&tree->levels, key, &(struct level){
		.label = id,
		.tag = tag,
		.parent = parent,
		.sibling = tree->level[parent].child,
		.figures = {.longest_at = NSEC_NEVER},
	});
	tree->level[parent].child = tally_number(&tree->levels, child);
	tree->level[parent].child_count++;
	return tree->level[parent].child;
}

uint32_t level_tree_add(struct level_tree *tree, uint32_t level, const struct figures *figures)
{
	uint32_t root = level;

	figures_add(&tree->level[0].figures, figures);
	for (; level; level = tree->level[level].parent) {
		tree->level[level].added_count++;
		figures_add(&tree->level[level].figures, figures);
		root = level;
	}
	return root;
}

void level_tree_set(struct level_tree *tree, uint32_t level, const struct figures *figures)
{
	struct level *set = &tree->level[level];

	set->has_figures = true;
	set->figures.count = figures->count;
	set->figures.longest = figures->longest;
	set->figures.longest_at = figures->longest_at;
}

const char *level_tree_label(const struct level_tree *tree, uint32_t level)
{
	return intern_text(&tree->labels, tree->level[level].label);
}

void level_tree_name(struct level_tree *tree, uint32_t level, struct buffer *label)
{
	tree->level[level].label = intern_add(&tree->labels, label->text, label->length);
	buffer_clear(label);
}

static int level_compare(const void *a, const void *b, void *of)
{
	const struct level_tree *tree = of;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	int order = FALLING(&tree->level[left], &tree->level[right], figures.total);

	return order ? order
	             : strcmp(level_tree_label(tree, left), level_tree_label(tree, right));
}

struct node_sink {
	const struct output *to;
	const struct question *question;
	const struct level_knowledge *knowledge;
};

/* Shows the level's children by descending total, equal ones by label. `comm`: of the tasks of the
   level; NULL: of any. Recursion is at most
   TREE_DEPTH_MAX deep. */
static void children_show(const struct level_tree *tree, uint32_t parent, unsigned depth,
                          const char *comm, const struct node_sink *sink)
{
	_cleanup_(buffer_release) struct buffer next = {0};
	const struct level_knowledge *known = sink->knowledge;
	const uint32_t child_count = tree->level[parent].child_count;
	_cleanup_(freep) uint32_t *child = xcalloc(child_count + 1u, sizeof(*child));
	size_t count = 0;

	for (uint32_t at = tree->level[parent].child; at; at = tree->level[at].sibling)
		child[count++] = at;
	assert(count == child_count);
	/* The comparison only reads the levels. */
	qsort_r(child, count, sizeof(*child), level_compare, (void *)(uintptr_t)tree);
	for (uint32_t i = 0; i < child_count; i++) {
		const struct level *level = &tree->level[child[i]];
		const char *own = level->comm ? level->comm : comm;
		struct cause cause;
		struct tree_node node = {
			.label = level_tree_label(tree, child[i]),
			.figures = level->figures,
			.is_exact = level->has_figures || level->added_count == 1,
			.child_count = level->child_count,
		};

		if (known->cause(known->state, level->tag, &cause))
			node.cause = &cause;
		if (known->evidence && level->end)
			node.evidence = known->evidence(known->state, level->end);
		buffer_clear(&next);
		if (question_has_links(sink->question))
			waits_link_append(&next, own, level->comm ? NULL : &level->figures,
			                  sink->question);
		node.next = next.text;
		if (output_tree_node(sink->to, depth, &node))
			children_show(tree, child[i], depth + 1, own, sink);
	}
}

void level_tree_show(const struct level_tree *tree, const struct tree *shown,
                     const struct level_knowledge *knowledge, const struct question *question,
                     const struct output *to)
{
	struct tree whole = *shown;

	whole.total = tree->level[0].figures.total;
	whole.root_count = tree->level[0].child_count;
	output_tree_begin(to, &whole);
	children_show(tree, 0, 0, NULL, &(struct node_sink){to, question, knowledge});
	output_tree_end(to);
}
