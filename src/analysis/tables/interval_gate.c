/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interval_gate.h"

#include <stdlib.h>

#include "base/data/array.h"

void interval_gate_release(struct interval_gate *gate)
{
	free(gate->kept);
	gate->kept = NULL;
	gate->count = gate->capacity = 0;
}

static bool gate_is_wide(const struct interval_gate *gate, const struct interval *interval)
{
	return gate->wide_kinds & INTERVAL_MASK(interval->kind);
}

void interval_gate_pass(void *view, const struct interval *interval)
{
	struct interval_gate *gate = view;
	nsec_t at = question_instant_of(gate->question, interval);
	bool is_wide = gate_is_wide(gate, interval);

	if (!question_may_be_windowed(gate->question)) {
		gate->take(view, interval);
		return;
	}
	if (!question_may_touch(gate->question, is_wide ? interval->begin : at,
	                        is_wide ? interval->end : at))
		return;
	ARRAY_ADD(gate->kept, gate->count, gate->capacity) = *interval;
}

void interval_gate_resolve(void *view)
{
	struct interval_gate *gate = view;

	for (size_t i = 0; i < gate->count; i++)
		if (gate_is_wide(gate, &gate->kept[i]) ||
		    question_contains(gate->question,
		                      question_instant_of(gate->question, &gate->kept[i])))
			gate->take(view, &gate->kept[i]);
	interval_gate_release(gate);
}
