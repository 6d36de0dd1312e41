/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doubts.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/format.h"
#include "base/xalloc.h"

void doubts_release(struct doubts *doubts)
{
	for (size_t i = 0; i < doubts->count; i++)
		free(doubts->text[i]);
	free(doubts->text);
	*doubts = (struct doubts){0};
}

static void doubts_add(struct doubts *doubts, const char *text)
{
	/* NOLINTNEXTLINE: pointers are meant */
	ARRAY_GROW(doubts->text, doubts->count, doubts->capacity);
	doubts->text[doubts->count++] = xstrdup(text);
}

static void path_append(struct buffer *to, const struct run_account *run)
{
	buffer_puts_clean(to, run->path, strlen(run->path));
}

static void doubt_run(struct doubts *doubts, const struct run_account *run)
{
	struct buffer line;
	size_t begin;

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	path_append(&line, run);
	begin = line.length;
	if (run->lost)
		buffer_printf(&line, ", %s events were lost", COUNT_TEXT(run->lost));
	if (run->is_damaged)
		buffer_puts(&line, ", it is damaged");
	if (run->steal > DOUBTFUL_STEAL)
		buffer_printf(&line, ", the host took %.0f %% of its CPU time", 100 * run->steal);
	if (run->wall == 0)
		buffer_puts(&line, ", nothing in it is of the tasks that are asked for");
	else if (run->explained < DOUBTFUL_EXPLAINED)
		buffer_printf(&line, ", only %.0f %% of its time is explained",
		              100 * run->explained);
	if (line.length > begin) {
		line.text[begin] = ':';
		doubts_add(doubts, line.text);
	}
	buffer_release(&line);
}

/* What runs should have in common: a member of struct run_account. */
static const struct odd_fact {
	size_t offset; /* of a uint32_t */
	const char *words;
	bool is_number; /* else a name */
} facts[] = {
	{offsetof(struct run_account, root), "is of another program", false},
	{offsetof(struct run_account, recorded), "has other events", false},
	{offsetof(struct run_account, kernel), "is of another kernel", false},
	{offsetof(struct run_account, arch), "is of another kind of machine", false},
	{offsetof(struct run_account, cpus), "has another number of CPUs", true},
};

static uint32_t fact_of(const struct odd_fact *fact, const struct run_account *run)
{
	uint32_t value;

	memcpy(&value, (const char *)run + fact->offset, sizeof(value));
	return value;
}

static void value_append(struct buffer *to, const struct cost_diff *diff,
                         const struct odd_fact *fact, const struct run_account *run)
{
	uint32_t value = fact_of(fact, run);
	const char *text;

	if (fact->is_number) {
		buffer_printf(to, "%u", value);
		return;
	}
	text = value ? intern_text(&diff->names, value) : "not known";
	buffer_puts_clean(to, text, strlen(text));
}

/* Finds the first run that differs in the fact from the first of all, and the number of such. */
static void doubt_fact(struct doubts *doubts, const struct cost_diff *diff,
                       const struct odd_fact *fact)
{
	const struct diff_side *sides[] = {&diff->old, &diff->new};
	const struct run_account *first = &diff->old.run[0], *odd = NULL;
	struct buffer line;
	size_t count = 0;

	for (size_t side = 0; side < ARRAY_SIZE(sides); side++)
		for (size_t i = 0; i < sides[side]->count; i++) {
			const struct run_account *run = &sides[side]->run[i];

			assert(run);
			if (fact_of(fact, run) == fact_of(fact, first))
				continue;
			odd = odd ? odd : run;
			count++;
		}
	if (!odd)
		return;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	path_append(&line, odd);
	if (count > 1)
		buffer_printf(&line, " (and %zu more)", count - 1);
	buffer_printf(&line, " %s than ", fact->words);
	path_append(&line, first);
	buffer_puts(&line, ": ");
	value_append(&line, diff, fact, odd);
	buffer_puts(&line, ", not ");
	value_append(&line, diff, fact, first);
	doubts_add(doubts, line.text);
	buffer_release(&line);
}

void doubts_find(struct doubts *doubts, const struct cost_diff *diff)
{
	*doubts = (struct doubts){0};
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		doubt_fact(doubts, diff, &facts[i]);
	for (size_t i = 0; i < diff->old.count; i++)
		doubt_run(doubts, &diff->old.run[i]);
	for (size_t i = 0; i < diff->new.count; i++)
		doubt_run(doubts, &diff->new.run[i]);
}
