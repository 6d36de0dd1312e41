/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tail_words.h"

#include "analysis/tables/cost_kind.h"
#include "analysis/turns/turn_source.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_kind.h"
#include "words/cause/unknown_words.h"

/* "flusher[12]" if it is wanted and one task has all of it, else "worker". */
static void behind_append(struct buffer *to, const struct tail_units *units,
                          const struct tail_key_row *row, bool has_numbers)
{
	const struct voter *behind = &row->behind;
	bool is_one = has_numbers && behind->own && behind->own == behind->all;

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

static void key_append(struct buffer *to, const struct tail_units *units, uint32_t number,
                       bool has_numbers)
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

	behind_append(&behind, units, row, has_numbers);
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

void tail_key_append(struct buffer *to, const struct tail_units *units, uint32_t number)
{
	key_append(to, units, number, /* has_numbers= */ true);
}

/* "others had the CPU (bash 3, cc1 2, 4 more)": of how many units each is the reason. */
static void pool_append(struct buffer *to, const struct tail_units *units,
                        const struct tail_reason *reason)
{
	size_t shown = 0, rest = reason->votes;

	buffer_puts(to, "was queued: others had the CPU (");
	for (size_t i = 0; i < reason->pooled_count && i < TAIL_POOLED_SHOWN; i++) {
		const struct tail_pooled *pooled = &reason->pooled[i];
		uint32_t name = units->key[pooled->key].key.behind;

		if (!name)
			continue;
		say(to, units->timeline, "[{if}, ]{name} {count}", IF(shown > 0), NAME(name),
		    COUNT(pooled->votes));
		rest -= pooled->votes;
		shown++;
	}
	say(to, NULL, "[{if}, {count} more])", IF(rest > 0), COUNT(rest));
}

void tail_reason_append(struct buffer *to, const struct tail_units *units,
                        const struct tail_reason *reason)
{
	if (reason->is_pooled)
		pool_append(to, units, reason);
	else
		tail_vote_append(to, units, reason->key);
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

static void vote_append(struct buffer *to, const struct tail_units *units, uint32_t vote,
                        bool has_numbers)
{
	if (vote == TAIL_SEVERAL)
		buffer_puts(to, "several things");
	else if (vote == TAIL_NONE)
		buffer_puts(to, "not far from the others");
	else
		key_append(to, units, vote, has_numbers);
}

void tail_vote_append(struct buffer *to, const struct tail_units *units, uint32_t vote)
{
	vote_append(to, units, vote, /* has_numbers= */ true);
}

void tail_vote_name(struct buffer *to, const struct tail_units *units, uint32_t vote)
{
	vote_append(to, units, vote, /* has_numbers= */ false);
}

/* The sentences. */

/* The track of all units; TRACK_NONE: they are of several. */
static uint32_t only_track(const struct tail *tail)
{
	for (size_t i = 1; i < tail->units.count; i++)
		if (tail->units.unit[i].track != tail->units.unit[0].track)
			return TRACK_NONE;
	return tail->units.count ? tail->units.unit[0].track : TRACK_NONE;
}

static nsec_t length_from_end(const struct tail_answer *answer, size_t n)
{
	return answer->units->unit[answer->order[answer->count - 1 - n]].length;
}

static void units_print(const struct tail *tail, const struct output *to)
{
	const struct tail_answer *answer = &tail->answer;
	uint32_t track = only_track(tail);

	say_fact(to, tail->question->timeline, FACT(FACT_ANSWER, .next = "--tail"),
	       "[{task}|{name}|It][{if} answered|{if} sent|:] {count} {text}{|s}: half of them "
	       "took at most {time}, [{count} took far longer ({time}[ to {time}])|none took far "
	       "longer, {time} at most].",
	       WHEN(track != TRACK_NONE, TASK(track)), WHEN(tail->program, NAME(tail->program)),
	       IF(tail_is_of_server(tail)), IF(tail->role), COUNT(answer->count),
	       TEXT(tail->source->noun), TIME(answer->median),
	       WHEN(answer->far, COUNT(answer->far)),
	       TIME(answer->far ? length_from_end(answer, answer->far - 1) : 0),
	       WHEN(answer->far > 1, TIME(length_from_end(answer, 0))),
	       TIME(length_from_end(answer, 0)));
	if (tail->others)
		say_to(to, NULL, "{count} {text}{|s} of other programs {is|are} left out (--comm).",
		       COUNT(tail->others), TEXT(tail->source->noun));
}

/* The slowest unit that has the reason; without one the slowest of all. */
static const struct tail_unit *reason_unit(const struct tail_answer *answer,
                                           const struct tail_reason *reason)
{
	size_t wanted = (size_t)(reason - answer->reason);

	for (size_t i = answer->count; i-- > 0;)
		if (answer->vote[answer->order[i]] == wanted)
			return &answer->units->unit[answer->order[i]];
	return &answer->units->unit[answer->order[answer->count - 1]];
}

static void reason_print(const struct tail *tail, const struct tail_reason *reason,
                         const struct output *to)
{
	const struct tail_answer *answer = &tail->answer;
	const struct tail_unit *unit = reason_unit(answer, reason);
	_cleanup_(buffer_release) struct buffer what = {0}, leaf = {0};

	tail_reason_append(&what, &tail->units, reason);
	tail_leaf_append(&leaf, &tail->units, reason->leaf);
	say_fact(to, NULL,
	       FACT(FACT_CAUSE, .next = "--tail", .has_task = true,
	            .task = timeline_task(tail->question->timeline, unit->track, unit->begin),
	            .begin = unit->begin, .end = unit->end),
	       "{count} of these {count}: {text}, {time} longer[; meanwhile {text}]. "
	       "[{if}No other {text} has that|Of all {count} {count} have that][; without it 99 "
	       "of 100 would take at most {time} instead of {time}].",
	       COUNT(reason->votes), COUNT(answer->far), TEXT(what.text), TIME(reason->excess),
	       TEXT(leaf.text), IF(reason->all_with == reason->votes), TEXT(tail->source->noun),
	       COUNT(answer->count), COUNT(reason->all_with),
	       WHEN((double)reason->p99_without <= (1 - PART_WORTH) * (double)answer->p99,
	            TIME(reason->p99_without)),
	       TIME(answer->p99));
}

/* Why nothing is named. */
static void silence_print(const struct tail *tail, const struct output *to)
{
	const struct tail_answer *answer = &tail->answer;
	const struct tail_reason *first = answer->reason;
	bool is_few = answer->count < TAIL_ENOUGH;

	if (answer->far >= TAIL_FAR_LEAST && first->key != TAIL_SEVERAL &&
	    2 * first->votes > answer->far && first->all_with > first->slow_with)
		say_to(to, NULL,
		       "No rare cause: most are slow by what {count} of all {count} have, too; "
		       "they are the upper end of the same.",
		       COUNT(first->all_with), COUNT(answer->count));
	else if (answer->far >= TAIL_FAR_LEAST)
		prose_put(to, "No rare cause: no reason stands out, as each has too few of them.");
	else if (is_few)
		say_to(to, NULL, "{count} {text}{|s}: too few for a tail; 200 or more.",
		       COUNT(answer->count), TEXT(tail->source->noun));
	else
		say_to(to, NULL, "No rare cause: {text} took far longer.",
		       TEXT(answer->far ? "too few" : "none"));
	if (!tail->source->gather)
		prose_put(to, "`ftwait diff` compares runs.");
}

/* Returns how many reasons are named. */
static size_t reasons_print(const struct tail *tail, size_t most, const struct output *to)
{
	const struct tail_answer *answer = &tail->answer;
	size_t named = 0;

	for (size_t i = 0; i < answer->reason_count; i++)
		if (answer->reason[i].is_named && named++ < most)
			reason_print(tail, &answer->reason[i], to);
	if (named == 0)
		silence_print(tail, to);
	return named;
}

void tail_print(const struct tail *tail, const struct output *to)
{
	size_t named;

	if (tail->answer.count == 0) {
		say_to(to, NULL,
		       "Nothing to compare[: {text}][{if}; --per says what else a unit is: "
		       "mark:NAME, slice:NAME, syscall:NAME, pair:A/B,by=KEY].",
		       TEXT(tail->why.text), IF(!tail->question->asked->tail.per));
		return;
	}
	units_print(tail, to);
	named = reasons_print(tail, SHOWN_RARE, to);
	if (named > SHOWN_RARE)
		say_to(to, NULL, "{count} other reason{|s} {is|are} as rare: the table has them.",
		       COUNT(named - SHOWN_RARE));
}

static bool has_named(const struct tail_answer *answer)
{
	return answer->reason_count > 0 && answer->reason[0].is_named;
}

bool tail_explains(const struct tail *tail, uint32_t track)
{
	return track != TRACK_NONE && has_named(&tail->answer) &&
	       track_name(&tail->question->timeline->track[track]) == tail->program;
}

bool tail_lead_print(const struct tail *tail, const struct output *to)
{
	const struct tail_answer *answer = &tail->answer;

	if (!has_named(answer) && answer->count < TAIL_ENOUGH)
		return false;
	units_print(tail, to);
	(void)reasons_print(tail, SHOWN_RARE_FIRST, to);
	say_fact(to, NULL, FACT(FACT_ASIDE), "[More on the slow ones: {text}]",
	         WHEN(answer->far, TEXT("--tail")));
	return true;
}
