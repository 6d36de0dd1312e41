/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A budget from a file. A rule as it is shown must be the same rule again. */
#include <assert.h>
#include <string.h>

#include "compare/budget.h"
#include "fuzz_target.h"

static void assert_same(const struct rule *rule)
{
	struct budget again;
	struct buffer why;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	assert(budget_parse(&again, rule->text, strlen(rule->text), &why) == 0);
	assert(again.count == 1);
	assert(again.rule[0].measure == rule->measure);
	assert(again.rule[0].statistic == rule->statistic);
	assert(again.rule[0].kinds == rule->kinds && again.rule[0].cause == rule->cause);
	assert(again.rule[0].comparison == rule->comparison);
	assert(again.rule[0].limit >= rule->limit && again.rule[0].limit <= rule->limit);
	assert(!again.rule[0].tasks == !rule->tasks && !again.rule[0].object == !rule->object);
	budget_release(&again);
	buffer_release(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct budget budget;
	struct buffer why;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (budget_parse(&budget, (const char *)bytes, size, &why) < 0) {
		assert(strncmp(why.text, "line ", 5) == 0 || strcmp(why.text, "it has no rules") == 0);
	} else {
		assert(why.length == 0 && budget.count > 0);
		for (size_t i = 0; i < budget.count; i++)
			assert_same(&budget.rule[i]);
	}
	budget_release(&budget);
	buffer_release(&why);
	return 0;
}
