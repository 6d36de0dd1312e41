/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain_names.h"

#include <assert.h>
#include <string.h>

#include "analysis/cost_kind.h"
#include "analysis/own_time.h"
#include "base/data/array.h"
#include "words/cause/unknown_words.h"

/* Bytes of a chain's name: a longer one is cut. */
#define NAME_BYTES_MAX 8192

void chain_names_init(struct chain_names *names, struct chain_tree *tree,
                      struct timeline *timeline)
{
	*names = (struct chain_names){.tree = tree, .timeline = timeline};
	name_folds_init(&names->folds, &timeline->names);
	buffer_init(&names->text, NAME_BYTES_MAX);
	for (uint32_t track = 0; track < timeline->track_count; track++) {
		uint32_t name = track_name(&timeline->track[track]);
		uint32_t stable = cost_task(timeline, track);

		if (stable == name)
			continue;
		map_put(&names->folds.folds, name, stable);
		map_put(&names->folds.folds, stable, stable);
	}
	tree->folds = &names->folds;
}

void chain_names_release(struct chain_names *names)
{
	name_folds_release(&names->folds);
	buffer_release(&names->text);
}

/* " <- disk vda" */
static void cause_append(struct chain_names *names, const struct cause_note *note)
{
	uint32_t name = cost_object(names->timeline, note);

	buffer_puts(&names->text, " <- ");
	cost_words_append(&names->text, COST_WAIT, cause_kind_name((enum cause_kind)note->kind),
	                  name ? intern_text(&names->timeline->names, name) : NULL, NULL);
}

static void link_append(struct chain_names *names, const struct chain_node *node, bool is_end)
{
	const char *comm = intern_text(&names->timeline->names, node->comm);
	const struct cause_note *note = node->cause.note;
	bool waits = node->state == PART_WAITING;

	if (names->text.length > 0)
		buffer_puts(&names->text, " <- ");
	buffer_puts_clean(&names->text, comm, strlen(comm));
	if (is_end && !waits) {
		part_state_append(&names->text, (enum part_state)node->state);
	}
	/* of a wait for another task, that task is the next link */
	if (note && (is_end || note->kind != CAUSE_TASK))
		cause_append(names, note);
	else if (is_end && waits)
		buffer_puts(&names->text, " <- " WORDS_STILL_WAITING);
}

const char *chain_name(struct chain_names *names, const struct chain_node *end)
{
	const struct chain_node *link[CHAIN_DEPTH_MAX + 2];
	const struct chain_node *node = end;
	size_t count = 0;

	for (; node != &names->tree->node[CHAIN_ROOT]; node = &names->tree->node[node->parent]) {
		assert(count < ARRAY_SIZE(link));
		link[count++] = node;
	}
	buffer_clear(&names->text);
	while (count-- > 0)
		link_append(names, link[count], count == 0);
	return names->text.text;
}
