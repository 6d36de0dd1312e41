/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions of the flight recorder, one a line. A condition as it is shown must be the same
   condition again. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "flight/condition.h"
#include "fuzz_target.h"

static void assert_same_text(const char *a, const char *b)
{
	assert(!a == !b && (!a || strcmp(a, b) == 0));
}

static void assert_same(const struct condition *condition, const char *shown)
{
	struct condition_need need[CONDITION_NEEDS_MAX];
	struct condition again;
	struct buffer why;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	assert(condition_parse(shown, &again, &why) == 0 && why.length == 0);
	assert(again.head == condition->head && again.time == condition->time);
	assert(again.rate == condition->rate && again.filters == condition->filters);
	assert(again.pid == condition->pid && again.kind == condition->kind);
	assert_same_text(again.text, condition->text);
	assert_same_text(again.kernel_filter, condition->kernel_filter);
	for (size_t i = 0; i < FILTER_COUNT; i++)
		assert_same_text(again.value[i], condition->value[i]);
	assert(condition_needs(&again, need) <= CONDITION_NEEDS_MAX);
	condition_release(&again);
	buffer_release(&why);
}

static void try_line(const char *text)
{
	struct condition condition;
	struct buffer why, shown;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	buffer_init(&shown, BUFFER_LIMIT_DEFAULT);
	if (condition_parse(text, &condition, &why) < 0) {
		assert(why.length > 0 && !strchr(why.text, '\n') && !why.is_cut);
	} else {
		condition_append(&shown, &condition);
		/* units may make it longer */
		if (shown.length <= CONDITION_BYTES_MAX)
			assert_same(&condition, shown.text);
	}
	condition_release(&condition);
	buffer_release(&why);
	buffer_release(&shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = xstrndup((const char *)bytes, size), *line = text, *end;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		try_line(line);
	}
	try_line(line);
	free(text);
	return 0;
}
