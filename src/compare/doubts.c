/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doubts.h"

#include <assert.h>
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
	const char *separator = ": ";
	struct buffer line;

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	path_append(&line, run);
	if (run->lost) {
		buffer_printf(&line, "%s%s events were lost", separator, COUNT_TEXT(run->lost));
		separator = ", ";
	}
	if (run->is_damaged) {
		buffer_printf(&line, "%sit is damaged", separator);
		separator = ", ";
	}
	if (run->steal > DOUBTFUL_STEAL) {
		buffer_printf(&line, "%sthe host took %.0f %% of its CPU time", separator,
		              100 * run->steal);
		separator = ", ";
	}
	if (run->wall == 0) {
		buffer_printf(&line, "%snothing in it is of the tasks that are asked for",
		              separator);
		separator = ", ";
	} else if (run->explained < DOUBTFUL_EXPLAINED) {
		buffer_printf(&line, "%sonly %.0f %% of its time is explained", separator,
		              100 * run->explained);
		separator = ", ";
	}
	if (*separator == ',')
		doubts_add(doubts, line.text);
	buffer_release(&line);
}

static uint32_t kernel_of(const struct run_account *run)
{
	return run->kernel;
}

static uint32_t arch_of(const struct run_account *run)
{
	return run->arch;
}

static uint32_t recorded_of(const struct run_account *run)
{
	return run->recorded;
}

static uint32_t root_of(const struct run_account *run)
{
	return run->root;
}

static uint32_t cpus_of(const struct run_account *run)
{
	return run->cpus;
}

static const struct odd_fact {
	uint32_t (*of)(const struct run_account *run);
	const char *words;
	bool is_number; /* else a name */
} facts[] = {
	{root_of, "is of another program", false},
	{recorded_of, "has other events", false},
	{kernel_of, "is of another kernel", false},
	{arch_of, "is of another kind of machine", false},
	{cpus_of, "has another number of CPUs", true},
};

static void value_append(struct buffer *to, const struct cost_diff *diff,
                         const struct odd_fact *fact, const struct run_account *run)
{
	uint32_t value = fact->of(run);
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
			if (fact->of(run) == fact->of(first))
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
