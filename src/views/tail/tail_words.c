/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tail_words.h"

#include "analysis/tables/cost_kind.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "sentences/say.h"
#include "tail_reasons.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_kind.h"
#include "words/cause/unknown_words.h"

/* "flusher[12]" if one task has all of it, else "worker". */
static void behind_append(struct buffer *to, const struct tail_units *units,
                          const struct tail_key_row *row)
{
	const struct voter *behind = &row->behind;
	bool is_one = behind->own && behind->own == behind->all;

	if (row->key.behind)
		say(to, units->timeline, "[{task}|{name}]", WHEN(is_one, TASK(behind->track)),
		    NAME(row->key.behind));
}

static void wait_append(struct buffer *to, const struct tail_units *units,
                        const struct tail_key *key, const char *behind)
{
	const struct brief_aim aim = brief_aim_of_key(units->timeline, &key->aim);
	_cleanup_(buffer_release) struct buffer what = {0};

	if (aim.kind == AIM_TIME) {
		say(to, NULL, "slept[ ({foreign})]", FOREIGN(aim.name));
		return;
	}
	if (aim.kind != AIM_NONE)
		aim_words_append(&what, &aim);
	else if (key->cause && !key->behind)
		buffer_puts(&what, cause_kind_words((enum cause_kind)(key->cause - 1)));
	say(to, NULL, "[waited for {text}[, behind {text}]|waited for {text}|waited: {text}]",
	    TEXT(what.text), TEXT(behind), TEXT(behind), TEXT(WORDS_NOT_RECORDED));
}

void tail_key_append(struct buffer *to, const struct tail_units *units, uint32_t number)
{
	static const char *const plain[] = {
		[TAIL_OTHER] = "many other things",
		[TAIL_RAN] = "ran itself",
		[TAIL_INTERRUPTED] = "was interrupted while it ran",
		[TAIL_LIMIT] = "was held back by a CPU limit",
		[TAIL_UNKNOWN] = WORDS_NOT_RECORDED,
	};
	const struct tail_key_row *row = &units->key[number];
	_cleanup_(buffer_release) struct buffer behind = {0};

	behind_append(&behind, units, row);
	switch ((enum tail_what)row->key.what) {
	case TAIL_WAIT:
		wait_append(to, units, &row->key, behind.text);
		return;
	case TAIL_QUEUE:
		say(to, NULL, "was queued[: {text} had the CPU]", TEXT(behind.text));
		return;
	case TAIL_STOPPED:
		say(to, NULL, "was stopped[ by {text}]", TEXT(behind.text));
		return;
	case TAIL_OTHER:
	case TAIL_RAN:
	case TAIL_INTERRUPTED:
	case TAIL_LIMIT:
	case TAIL_UNKNOWN:
		break;
	}
	buffer_puts(to, plain[row->key.what]);
}

void tail_leaf_append(struct buffer *to, const struct tail_units *units, uint32_t number)
{
	const struct intern *names = &units->timeline->names;
	const struct tail_leaf *leaf;

	if (number == TAIL_NONE)
		return;
	leaf = &units->leaf[number];
	say(to, units->timeline, "[{name}: ]", WHEN(leaf->comm, NAME(leaf->comm)));
	cost_words_append(to, (enum cost_kind)leaf->kind,
	                  leaf->cause ? cause_kind_name((enum cause_kind)(leaf->cause - 1)) : NULL,
	                  leaf->name ? intern_text(names, leaf->name) : NULL, NULL);
}

void tail_end_append(struct buffer *to, const struct tail_units *units, uint32_t key,
                     uint32_t leaf)
{
	static const char *const plain[] = {
		[TAIL_RAN] = "running",       [TAIL_INTERRUPTED] = "interrupts",
		[TAIL_QUEUE] = "run queue",   [TAIL_LIMIT] = "held back by a CPU limit",
		[TAIL_STOPPED] = "stopped",   [TAIL_UNKNOWN] = WORDS_NOT_RECORDED,
	};
	uint32_t what = key == TAIL_SEVERAL ? TAIL_OTHER : units->key[key].key.what;

	if (leaf != TAIL_NONE)
		tail_leaf_append(to, units, leaf);
	else if (what < ARRAY_SIZE(plain) && plain[what])
		buffer_puts(to, plain[what]);
}

void tail_vote_append(struct buffer *to, const struct tail_units *units, uint32_t vote)
{
	if (vote == TAIL_SEVERAL)
		buffer_puts(to, "several things");
	else if (vote == TAIL_NONE)
		buffer_puts(to, "not far from the others");
	else
		tail_key_append(to, units, vote);
}
