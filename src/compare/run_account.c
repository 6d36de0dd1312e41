/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run_account.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "views/costs.h"

struct taking {
	struct run_account *account;
	struct intern *names;
};

static uint32_t name_of(struct intern *names, const char *text)
{
	return text ? intern_adds(names, text) : 0;
}

/* The sleeps of several tasks, most of which are idle, would hide all else; those of one task are
   part of how long it took. */
static bool cost_is_taken(const struct run_account *account, const struct cost_sum *sum)
{
	return account->root || !cost_is_apart(sum->kind);
}

static void take_cost(void *state, const struct cost_sum *sum)
{
	const struct taking *taking = state;
	struct run_account *account = taking->account;

	if (!cost_is_taken(account, sum))
		return;
	ARRAY_ADD(account->cost, account->count, account->capacity) = (struct account_cost){
		.key = {.kind = sum->kind,
		        .cause = name_of(taking->names, sum->cause),
		        .name = name_of(taking->names, sum->name),
		        .aim = sum->aim.kind,
		        .aim_name = name_of(taking->names, sum->aim.name),
		        .task = name_of(taking->names, sum->task),
		        .what = name_of(taking->names, sum->what)},
		.count = sum->count,
		.total = sum->total,
	};
}

void run_account_take(struct run_account *account, struct intern *names, account_sums *each,
                      const void *view)
{
	struct taking taking = {account, names};

	each(view, take_cost, &taking);
}

static void add_wall(void *state, const struct cost_sum *sum)
{
	struct run_account *account = state;

	if (cost_is_taken(account, sum))
		account->wall += sum->total;
}

void run_account_describe(struct run_account *account, struct intern *names, const void *costs,
                          const struct source *source, const struct health *health,
                          const struct timeline *timeline)
{
	nsec_t length = timeline->end - timeline->begin;

	account->root = name_of(names, costs_root(costs));
	costs_each(costs, add_wall, account);
	account->explained = costs_explained(costs);
	account->boot = name_of(names, source->notes.machine.boot_id);
	account->begin = timeline->begin;
	account->machine = name_of(names, source->notes.machine.machine_id);
	account->lost = health->events_lost;
	account->has_gaps = health->gap_count > 0;
	account->is_damaged = health->input_damaged;
	if (health->has_steal)
		account->steal = nsec_ratio(health->steal_ns, length * source->cpu_count);
	account->kernel = name_of(names, source->kernel);
	account->arch = name_of(names, source->arch);
	account->recorded = name_of(names, source->notes.recorded);
	account->cpus = source->cpu_count;
}

struct run_account *diff_side_add(struct diff_side *side, const char *path)
{
	ARRAY_GROW(side->run, side->count, side->capacity);
	side->run[side->count] = (struct run_account){.path = path};
	return &side->run[side->count++];
}

void diff_side_release(struct diff_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		free(side->run[i].cost);
	free(side->run);
}

size_t diff_side_recordings(const struct diff_side *side)
{
	size_t count = 0;

	for (size_t i = 0; i < side->count; i++)
		count += !side->run[i].is_further;
	return count;
}

/* In keys: rows are divided by this member. */
#define DIVIDED UINT32_MAX

static bool calls_are_there(const struct question *question, struct buffer *why)
{
	return analysis_has_events(analysis_find("syscall"), question, "no system calls are in it",
	                           why);
}

static bool groups_are_there(const struct question *question, struct buffer *why)
{
	if (question->timeline->groups.stays.count > 0)
		return true;
	return buffer_fail(why, false, "it does not say which control groups its tasks are in; a "
	                   "recording by `ftwait record` does");
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
