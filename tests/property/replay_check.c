/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay_check.h"

#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/cleanup.h"
#include "graph/aims/awaited.h"
#include "random.h"
#include "views/whatif/outcome.h"

#define ASKED 4 /* in each timeline */

static char any[] = "*";

static struct outcome outcome_ask(const struct replay_plan *plan, const struct question *question,
                                  enum what_if_kind kind, uint32_t factor, uint32_t track)
{
	const struct what_if_spec spec = {.kind = kind, .name = any, .factor = factor};
	struct contentions contentions = {0};
	struct outcome outcome;

	contentions_settle(&contentions, question->timeline);
	outcome = outcome_find(plan, &spec, question, track, &contentions);
	contentions_release(&contentions);
	return outcome;
}

static const char *kind_check(const struct replay_plan *plan, const struct question *question,
                              struct random *random, uint32_t track, struct replay_count *count)
{
	enum what_if_kind kind = (enum what_if_kind)random_below(random, WHAT_IF_NET);
	uint32_t factor = random_below(random, FACTOR_ONE);
	struct outcome one = outcome_ask(plan, question, kind, FACTOR_ONE, track);
	struct outcome some = outcome_ask(plan, question, kind, factor, track);
	struct outcome none = outcome_ask(plan, question, kind, 0, track);

	count->asked++;
	count->saves += none.high > 0;
	count->wide += none.high > none.low;
	if (one.low || one.high)
		return "a factor of 1 saves something";
	if (some.low > some.high || none.low > none.high)
		return "the interval of what is saved is none";
	if (none.high > plan->end - plan->begin)
		return "more is saved than there was";
	/* `high` may fall: who comes earlier to a wait may find it not over, and queues again */
	if (some.low > none.low)
		return "a smaller factor saves less for certain";
	return NULL;
}

const char *replay_check(struct timeline *timeline, uint64_t seed, struct replay_count *count)
{
	const struct resolved resolved = {.begin = timeline->begin, .end = timeline->end};
	const struct question question = {.resolved = &resolved, .timeline = timeline};
	struct random random = {seed};
	const char *wrong = NULL;

	timeline_find_awaited(timeline);
	for (unsigned i = 0; i < ASKED && timeline->track_count && !wrong; i++) {
		uint32_t track = random_below(&random, timeline->track_count);
		nsec_t begin = timeline->begin;
		struct replay_plan plan;

		if (random_chance(&random, 30))
			begin += random_next(&random) % (timeline->end - timeline->begin + 1);
		replay_plan_init(&plan, timeline, begin, timeline->end);
		wrong = kind_check(&plan, &question, &random, track, count);
		replay_plan_release(&plan);
	}
	return wrong;
}
