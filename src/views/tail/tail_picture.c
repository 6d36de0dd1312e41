/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tail_picture.h"

#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "sentences/say.h"
#include "tail_words.h"

bool tail_has_picture(const struct output *to)
{
	return to->presenter->paths && !to->presenter->is_of_paths;
}

/* A side of the picture. */
struct side {
	bool is_slow;
	struct buffer words;
};

/* "13 slow requests", "237 others". */
static void sides_name(const struct tail *tail, struct side *slow, struct side *others)
{
	const struct tail_answer *answer = &tail->answer;

	say(&slow->words, NULL, "{count} slow {text}{|s}", COUNT(answer->far),
	    TEXT(tail->source->noun));
	say(&others->words, NULL, "{count} other{|s}", COUNT(answer->count - answer->far));
}

static nsec_t side_mean(const struct tail_answer *answer, bool is_slow)
{
	nsec_t sum = 0;

	for (size_t i = 0; i < answer->profile_count; i++)
		sum += is_slow ? answer->profile[i].slow : answer->profile[i].other;
	return sum;
}

/* The leaf, if it says more than the key. */
static void leaf_append(struct buffer *to, const struct tail *tail, const struct tail_profile *row,
                        const struct tail_leaf_profile *leaf)
{
	tail_leaf_append(to, &tail->units, leaf->of.leaf);
	if (leaf->of.leaf == TAIL_NONE && row->leaves > 1)
		buffer_puts(to, "other things");
}

static void side_put(const struct tail *tail, const struct side *side, const struct output *to)
{
	const struct tail_answer *answer = &tail->answer;
	_cleanup_(buffer_release) struct buffer key = {0}, leaf = {0};

	for (size_t i = 0; i < answer->profile_count; i++) {
		const struct tail_profile *row = &answer->profile[i];

		buffer_clear(&key);
		tail_key_append(&key, &tail->units, row->key);
		for (size_t n = row->first; n < row->first + row->leaves; n++) {
			buffer_clear(&leaf);
			leaf_append(&leaf, tail, row, &answer->leaf[n]);
			output_path(to, &(struct path){
				(const struct path_frame[]){{side->words.text, SHOWN_SIDE},
			                                    {key.text, SHOWN_CAUSE},
			                                    {leaf.text, SHOWN_TASK}},
				leaf.length ? 3 : 2,
				side->is_slow ? answer->leaf[n].slow : answer->leaf[n].other});
		}
	}
}

void tail_picture_put(const struct tail *tail, const struct output *to)
{
	const struct tail_answer *answer = &tail->answer;
	struct side slow = {.is_slow = true}, others = {0};
	_cleanup_(buffer_release) struct buffer title = {0};

	if (answer->far == 0 || !tail_has_picture(to))
		return;
	sides_name(tail, &slow, &others);
	say(&title, NULL, "{text} took {time} on average[, the {text} {time}]",
	    TEXT(slow.words.text), TIME(side_mean(answer, true)),
	    WHEN(answer->far < answer->count, TEXT(others.words.text)),
	    TIME(side_mean(answer, false)));
	output_paths_begin(to, title.text);
	side_put(tail, &slow, to);
	side_put(tail, &others, to);
	output_paths_end(to);
	buffer_release(&slow.words);
	buffer_release(&others.words);
}

enum {LEAF_KEY, LEAF_WORDS};

#define AT(member) RELATION_AT(struct tail_leaf_profile, member)

static const struct field leaf_fields[] = {
	[LEAF_KEY] = {NULL, "ON AVERAGE", CELL_TEXT, COLUMN_POINT, FILLED},
	[LEAF_WORDS] = {NULL, "MEANWHILE", CELL_TEXT, COLUMN_POINT, FILLED},
	{NULL, "SLOW", CELL_DURATION, 0, AT(slow.total)},
	{NULL, "THE REST", CELL_DURATION, 0, AT(other.total)},
};
#undef AT

static void leaf_fill(const void *of_tail, const void *of, struct cell *cell, struct buffer *text)
{
	const struct tail *tail = of_tail;
	const struct tail_leaf_profile *leaf = of;

	(void)cell;
	tail_key_append(&text[LEAF_KEY], &tail->units, leaf->of.key);
	tail_end_append(&text[LEAF_WORDS], &tail->units, leaf->of.key, leaf->of.leaf);
}

static const struct relation_form leaf_form = {
	"leaves", "What went on meanwhile", FIELDS(leaf_fields),
	.fill = leaf_fill, .is_hidden_if_empty = true,
};

void tail_leaves_put(const struct tail *tail, const struct output *to)
{
	struct tally rows = relation_of(tail->answer.leaf, sizeof(*tail->answer.leaf),
	                                tail->answer.leaf_count);

	if (tail_has_picture(to) && rows.count > 0)
		relation_put(&rows, &leaf_form, tail, tail->question, to);
}
