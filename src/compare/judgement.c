/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judgement.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/xalloc.h"

void judgement_init(struct judgement *judgement, const struct budget *budget)
{
	*judgement = (struct judgement){
		.budget = budget,
		.rule = xcalloc(budget->count, sizeof(*judgement->rule)),
	};
	intern_init(&judgement->names);
	for (size_t i = 0; i < budget->count; i++)
		measurement_init(&judgement->rule[i].measurement, &budget->rule[i]);
}

void judgement_release(struct judgement *judgement)
{
	for (size_t i = 0; i < judgement->budget->count; i++)
		measurement_release(&judgement->rule[i].measurement);
	free(judgement->rule);
	diff_side_release(&judgement->runs);
	intern_release(&judgement->names);
	doubts_release(&judgement->unfit);
	doubts_release(&judgement->odd);
}

void judgement_take(struct judgement *judgement, const struct question *question,
                    const void *costs, const struct source *source, const struct health *health,
                    const char *path)
{
	struct run_account *run = diff_side_add(&judgement->runs, path);

	run_account_describe(run, &judgement->names, costs, source, health,
	                     question->timeline);
	for (size_t i = 0; i < judgement->budget->count; i++)
		measurement_take(&judgement->rule[i].measurement, question, path);
}

static void rule_decide(struct judgement *judgement, struct judged_rule *judged)
{
	const struct rule *rule = judged->measurement.rule;
	struct buffer why;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&why, "%s: ", rule->text);
	if (!measurement_value(&judged->measurement, &judged->value, &why)) {
		judged->verdict = VERDICT_UNFIT;
		judgement->unmeasured++;
		doubts_add(&judgement->unfit, why.text);
	} else if (!rule_is_kept(rule, judged->value)) {
		judged->verdict = VERDICT_BROKEN;
		judgement->broken++;
	} else if (judged->measurement.partly) {
		buffer_puts(&why, judged->measurement.partly);
		doubts_add(&judgement->odd, why.text);
	}
	buffer_release(&why);
}

void judgement_decide(struct judgement *judgement)
{
	doubts_add_unfit(&judgement->unfit, &judgement->runs);
	judgement->is_healthy = judgement->unfit.count == 0;
	doubts_add_odd(&judgement->odd, &judgement->names, &judgement->runs, NULL);
	for (size_t i = 0; i < judgement->budget->count; i++)
		rule_decide(judgement, &judgement->rule[i]);
}

enum judgement_result judgement_result(const struct judgement *judgement)
{
	if (!judgement->is_healthy)
		return JUDGED_UNFIT;
	if (judgement->broken)
		return JUDGED_BROKEN;
	return judgement->unmeasured ? JUDGED_UNFIT : JUDGED_KEPT;
}
