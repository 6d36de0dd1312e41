/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doubts.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"

void doubts_release(struct doubts *doubts)
{
	for (size_t i = 0; i < doubts->count; i++)
		free(doubts->text[i]);
	free(doubts->text);
	*doubts = (struct doubts){0};
}

void doubts_add(struct doubts *doubts, const char *text)
{
	/* NOLINTNEXTLINE: pointers are meant */
	ARRAY_ADD(doubts->text, doubts->count, doubts->capacity) = xstrdup(text);
}

/* Adds doubts about a recording. It has an account for each turn; `first` is the first of them. */
static void doubt_recording(struct doubts *doubts, const struct diff_side *side, size_t first)
{
	const struct run_account *run = &side->run[first];
	double wall = 0, explained = 0;
	_cleanup_(buffer_release) struct buffer line = {0}, why = {0};

	for (size_t i = first; i < side->count && (i == first || side->run[i].is_further); i++) {
		wall += (double)side->run[i].wall;
		explained += (double)side->run[i].wall * side->run[i].explained;
	}
	say(&why, NULL, "[{,}{count} events were lost|{,}{if}events were lost][{,}{if}it is "
	                "damaged][{,}{share} of its CPU time were stolen by the host][{,}{if}"
	                "nothing in it is of the tasks that are asked for|{,}only {share} of its "
	                "time is explained]",
	    WHEN(run->lost, COUNT(run->lost)), IF(run->has_gaps), IF(run->is_damaged),
	    WHEN(run->steal > PART_STOLEN, SHARE(run->steal)), IF(wall <= 0),
	    WHEN(wall > 0 && explained / wall < PART_EXPLAINED, SHARE(explained / wall)));
	if (why.length == 0)
		return;
	say(&line, NULL, "{foreign}: {text}", FOREIGN(run->path), TEXT(why.text));
	doubts_add(doubts, line.text);
}

/* What runs should have in common: a member of struct run_account. */
static const struct odd_fact {
	size_t offset; /* of a uint32_t */
	const char *words;
	const char *none; /* the name where it is 0; NULL: it is a number */
	bool is_id;       /* its value says nothing; 0: not known, which is no difference */
} facts[] = {
	{offsetof(struct run_account, root), "is of another program", "several tasks", false},
	{offsetof(struct run_account, turns), "has other turns", "not recorded", false},
	{offsetof(struct run_account, recorded), "has other events", "not recorded", false},
	{offsetof(struct run_account, kernel), "is of another kernel", "not recorded", false},
	{offsetof(struct run_account, arch), "is of another kind of machine", "not recorded",
	 false},
	{offsetof(struct run_account, machine), "is of another machine", "", true},
	{offsetof(struct run_account, cpus), "has another number of CPUs", NULL, false},
};

static uint32_t fact_of(const struct odd_fact *fact, const struct run_account *run)
{
	uint32_t value;

	memcpy(&value, (const char *)run + fact->offset, sizeof(value));
	return value;
}

/* Its value as a text; NULL: it is a number. */
static const char *fact_text(const struct odd_fact *fact, const struct intern *names,
                             const struct run_account *run)
{
	uint32_t value = fact_of(fact, run);

	return fact->none && value ? intern_text(names, value) : fact->none;
}

/* The runs that differ in a fact from the first of all. */
struct odd_runs {
	const struct run_account *first; /* one of them; NULL: none */
	size_t count;
};

static void side_find_odd(const struct diff_side *side, const struct odd_fact *fact, uint32_t usual,
                          struct odd_runs *odd)
{
	for (size_t i = 0; side && i < side->count; i++) {
		uint32_t value = fact_of(fact, &side->run[i]);

		if (side->run[i].is_further || value == usual ||
		    (fact->is_id && (!value || !usual)))
			continue;
		odd->first = odd->first ? odd->first : &side->run[i];
		odd->count++;
	}
}

static void doubt_fact(struct doubts *doubts, const struct intern *names,
                       const struct run_account *usual, const struct odd_runs *odd,
                       const struct odd_fact *fact)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	say(&line, NULL, "{foreign}[ (and {number} more)] {text} than {foreign}[{if}: [{foreign}|"
	                 "{number}], not [{foreign}|{number}]]",
	    FOREIGN(odd->first->path), WHEN(odd->count > 1, NUMBER(odd->count - 1)),
	    TEXT(fact->words), FOREIGN(usual->path), IF(!fact->is_id),
	    FOREIGN(fact_text(fact, names, odd->first)), NUMBER(fact_of(fact, odd->first)),
	    FOREIGN(fact_text(fact, names, usual)), NUMBER(fact_of(fact, usual)));
	doubts_add(doubts, line.text);
}

void doubts_add_odd(struct doubts *doubts, const struct intern *names,
                    const struct diff_side *first, const struct diff_side *more)
{
	const struct run_account *usual = &first->run[0];

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		struct odd_runs odd = {0};

		side_find_odd(first, &facts[i], fact_of(&facts[i], usual), &odd);
		side_find_odd(more, &facts[i], fact_of(&facts[i], usual), &odd);
		if (odd.first)
			doubt_fact(doubts, names, usual, &odd, &facts[i]);
	}
}

/* The same recording on that side, before run `until`; NULL: there is none. */
static const struct run_account *side_find_same(const struct diff_side *side, size_t until,
                                                const struct run_account *run)
{
	for (size_t i = 0; i < until; i++)
		if (!side->run[i].is_further && side->run[i].boot == run->boot &&
		    side->run[i].begin == run->begin)
			return &side->run[i];
	return NULL;
}

void doubts_add_repeated(struct doubts *doubts, const struct diff_side *side,
                         const struct diff_side *other)
{
	for (size_t i = 0; i < side->count; i++) {
		const struct run_account *run = &side->run[i], *same = NULL;
		_cleanup_(buffer_release) struct buffer line = {0};

		if (!run->is_further && run->boot)
			same = side_find_same(side, i, run);
		if (!same && !run->is_further && run->boot && other)
			same = side_find_same(other, other->count, run);
		if (!same)
			continue;
		say(&line, NULL, "{foreign} is the same recording as {foreign}", FOREIGN(run->path),
		    FOREIGN(same->path));
		doubts_add(doubts, line.text);
	}
}

void doubts_add_unfit(struct doubts *doubts, const struct diff_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		if (!side->run[i].is_further)
			doubt_recording(doubts, side, i);
}

void doubts_print(const struct doubts *doubts, const char *before, const struct output *to)
{
	size_t limit = output_row_limit(to) ? SHOWN_DOUBTS : SIZE_MAX;

	for (size_t i = 0; i < doubts->count && i < limit; i++)
		say_to(to, NULL, "{text}: {text}.", TEXT(before), TEXT(doubts->text[i]));
	if (doubts->count > limit)
		say_to(to, NULL, "{text}: {number} more reasons (--top 0 shows all).", TEXT(before),
		       NUMBER(doubts->count - limit));
}

void doubts_field(const struct doubts *doubts, const char *key, const struct output *to)
{
	static const struct column columns[] = {{NULL, NULL, CELL_TEXT, 0}};
	_cleanup_(freep) struct cell *cells = xcalloc(doubts->count + 1, sizeof(*cells));

	for (size_t i = 0; i < doubts->count; i++)
		cells[i] = (struct cell){.type = CELL_TEXT, .text = doubts->text[i]};
	output_field(to, key, NULL,
	             &(struct cell){.type = CELL_ROWS, .rows = {columns, 1, cells, doubts->count}});
}
