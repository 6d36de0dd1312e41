/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "row_source.h"

#include "views/syscall/call_costs.h"
#include "views/chains/chain_costs.h"
#include "views/costs.h"

/* In keys: rows are divided by this member. */
#define DIVIDED UINT32_MAX

static bool calls_are_there(const struct question *question, struct buffer *why)
{
	return analysis_has_events(analysis_find("syscall"), question, "no system calls are in it",
	                           why);
}

static bool groups_are_there(const struct question *question, struct buffer *why)
{
	if (question->timeline->groups.count > 0)
		return true;
	buffer_puts(why, "it does not say which control groups its tasks are in; a recording by "
	                 "`ftwait record` does");
	return false;
}

const struct row_source row_sources[DIFF_BY_COUNT] = {
	[DIFF_BY_CAUSE] = {
		.name = "cause", .view = "costs", .each = costs_each, .things = "waits",
		.by = {.kind = DIVIDED, .cause = DIVIDED, .name = DIVIDED, .aim = DIVIDED,
		       .aim_name = DIVIDED, .task = DIVIDED},
		.have_state = true, .are_divided = true,
	},
	[DIFF_BY_CHAIN] = {
		.name = "chain", .view = "chains", .each = chains_each, .things = "waits",
		.by = {.kind = DIVIDED, .what = DIVIDED},
		.are_counted = true, .have_state = true,
	},
	[DIFF_BY_TASK] = {
		.name = "task", .view = "costs", .each = costs_each, .things = "waits",
		.by = {.task = DIVIDED},
		.are_whole = true, .are_divided = true,
	},
	[DIFF_BY_RESOURCE] = {
		.name = "resource", .view = "costs", .each = costs_each, .things = "waits",
		.by = {.kind = DIVIDED, .cause = DIVIDED, .name = DIVIDED, .aim = DIVIDED,
		       .aim_name = DIVIDED},
		.have_state = true, .are_divided = true,
	},
	[DIFF_BY_SYSCALL] = {
		.name = "syscall", .view = "syscall", .each = calls_each, .things = "calls",
		.by = {.what = DIVIDED},
		.are_counted = true, .has_sums = calls_are_there,
	},
	[DIFF_BY_CGROUP] = {
		.name = "cgroup", .view = "costs", .each = costs_each, .things = "waits",
		.by = {.what = DIVIDED}, .by_group = true,
		.are_whole = true, .are_divided = true, .has_sums = groups_are_there,
	},
};

struct account_key row_source_key(const struct row_source *source, const struct account_key *key)
{
	const struct account_key *by = &source->by;

	return (struct account_key){
		.kind = key->kind & by->kind,
		.cause = key->cause & by->cause,
		.name = key->name & by->name,
		.aim = key->aim & by->aim,
		.aim_name = key->aim_name & by->aim_name,
		.task = key->task & by->task,
		.what = key->what & by->what,
	};
}

bool row_source_counts(const struct row_source *source, const struct account_key *key)
{
	return source->are_counted || (key->kind == COST_WAIT && key->cause);
}

bool row_source_names(const struct row_source *source, const struct account_key *key)
{
	return !source->by.what || key->what;
}
