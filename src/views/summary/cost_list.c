/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cost_list.h"

#include <assert.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "graph/logs/task_names.h"
#include "sentences/say.h"
#include "words/cause/cause_kind.h"
#include "words/cause/cause_words.h"
#include "words/cause/stall.h"
#include "words/cause/unknown_words.h"

void cost_list_init(struct cost_list *list, const struct question *question)
{
	*list = (struct cost_list){.question = question, .timeline = question->timeline};
	tally_init(&list->costs, sizeof(struct cost), sizeof(struct cost), TALLY_NO_LIMIT);
	tally_init(&list->shares, sizeof(struct cost_share), offsetof(struct cost_share, total),
	           TALLY_NO_LIMIT);
	link_names_init(&list->names, list->timeline);
}

void cost_list_release(struct cost_list *list)
{
	tally_release(&list->costs);
	tally_release(&list->shares);
	link_names_release(&list->names);
	*list = (struct cost_list){0};
}

static bool note_is_sleep(const struct cause_note *note)
{
	return note && cause_note_is_sleep(note);
}

/* Causes with the same name are one cost: the row for sleeps on timers, for example, shows neither
   the call nor the timer. */
static bool cost_is_for(const void *row, const void *wanted)
{
	const struct cost *cost = row, *of = wanted;

	return cost->machine == of->machine && cost->kind == of->kind &&
	       (cause_notes_are_shared(cost->cause.note, of->cause.note) ||
		(note_is_sleep(cost->cause.note) && note_is_sleep(of->cause.note)));
}

static struct cost *list_find(struct cost_list *list, enum cost_kind kind,
                              const struct shared_cause *cause, uint8_t machine)
{
	const struct cost wanted = {
		.kind = kind, .cause = *cause, .machine = machine, .number = (uint32_t)list->count,
		.claim.track = TRACK_NONE};
	uint64_t hash = shared_cause_hash(note_is_sleep(cause->note) ? NULL : cause->note, kind);
	struct cost *cost;

	if (machine)
		hash = hash_mix(hash, machine);
	cost = tally_find_of(&list->costs, &hash, &wanted, cost_is_for);
	if (!cost)
		return tally_make(&list->costs, hash, &wanted);
	cost->is_mixed |= !cause_notes_are_shared(cost->cause.note, cause->note);
	shared_cause_add(&cost->cause, cause->note);
	cost->cause.is_waker_shared &= cause->is_waker_shared;
	cost->cause.is_originator_shared &= cause->is_originator_shared;
	return cost;
}

static void cost_list_add_share(struct cost_list *list, enum cost_kind kind,
                                const struct shared_cause *cause, uint8_t machine,
                                const struct cost_share *more)
{
	struct cost_share *share;
	struct cost *cost;
	nsec_t time = more->total;

	if (time == 0)
		return;
	cost = list_find(list, kind, cause, machine);
	cost->total += time;
	list->total += time;
	if (cost_is_apart(kind))
		list->apart += time;
	if (more->comm == 0)
		return;
	share = tally_row(&list->shares,
	                  &(struct cost_share){.cost = cost->number, .comm = more->comm});
	share->total += time;
	share->has_own_waits |= more->has_own_waits;
	share->of_others += more->of_others;
	voter_add(&share->others, &more->others);
}

void cost_list_add(struct cost_list *list, enum cost_kind kind, uint32_t comm, nsec_t time)
{
	cost_list_add_share(list, kind, &(struct shared_cause){0}, /* machine= */ 0,
	                    &(struct cost_share){.comm = comm, .total = time});
}

enum cost_kind cost_of_node(const struct chain_node *node, bool is_path)
{
	/* the task's own time, or that of a task it waited for */
	bool is_own = is_path || node->parent == CHAIN_ROOT;
	enum cost_kind kind = cost_of_part((enum part_state)node->state, node->cause.note);

	if (kind == COST_RUNNING && !is_own)
		return COST_OTHERS_RUNNING;
	if (kind == COST_QUEUE && !is_own)
		return COST_OTHERS_QUEUE;
	if (kind == COST_UNKNOWN && !is_own)
		return COST_OTHERS_UNKNOWN;
	return kind == COST_WAIT && node->parent == CHAIN_ROOT &&
	                       cause_note_is_sleep(node->cause.note)
	               ? COST_ASLEEP
	               : kind;
}

/* Whether the time of the cause belongs to no task: the time that a packet was on its way, or was
   held back, is neither the sender's nor the receiver's. */
static bool note_is_nobodys(const struct cause_note *note)
{
	return note->kind == CAUSE_NET ||
	       (note->kind == CAUSE_TIMER && note->as.timer.stall != STALL_NONE);
}

bool cost_is_of_object(const struct cost *cost)
{
	static const unsigned objects = 1u << CAUSE_DISK | 1u << CAUSE_NET | 1u << CAUSE_IRQ |
	                                1u << CAUSE_SOFTIRQ | 1u << CAUSE_INTERRUPT |
	                                1u << CAUSE_IPI | 1u << CAUSE_RCU;
	const struct cause_note *note = cost->cause.note;

	return cost->kind == COST_WAIT &&
	       (objects & 1u << note->kind || note_is_nobodys(note));
}

const struct chain_node *cost_node_charged(const struct chain_tree *tree,
                                           const struct chain_node *node)
{
	const struct chain_node *at = node;

	if (node->state != PART_WAITING ||
	    (node->cause.note && node->cause.note->kind != CAUSE_UNKNOWN))
		return node;
	while (at->parent != CHAIN_ROOT) {
		at = &tree->node[at->parent];
		if (at->cause.note && (at->cause.note->kind == CAUSE_NET ||
		                       at->cause.note->kind == CAUSE_LOCK))
			return at;
	}
	return node;
}

/* Whether the node's task slept for its cause itself, as --waits shows. On another task's path it
   did, but for a work item that was pending, or what is not known. */
static bool node_is_own_wait(const struct chain_node *node, bool is_path)
{
	const struct cause_note *note = node->cause.note;

	return node->parent == CHAIN_ROOT ||
	       (is_path && note && note->kind != CAUSE_WORK_PENDING && note->kind != CAUSE_UNKNOWN);
}

/* A cost as a node has it, with the machine that its object is of, if it is one: all tasks of a
   node's name are of one machine, also this one. */
static struct cost cost_of(const struct cost_list *list, enum cost_kind kind,
                           const struct shared_cause *cause, uint32_t track)
{
	struct cost cost = {.kind = kind};

	if (kind == COST_WAIT)
		cost.cause = *cause;
	if (cost_is_of_object(&cost) && track < list->timeline->track_count)
		cost.machine = list->timeline->track[track].host;
	return cost;
}

struct cost *cost_list_get(struct cost_list *list, enum cost_kind kind,
                           const struct cause_note *cause, uint32_t track)
{
	const struct shared_cause shared = shared_cause_of(cause);
	const struct cost wanted = cost_of(list, kind, &shared, track);

	EACH_OF(list->cost, list->count, struct cost, cost)
		if (cost_is_for(cost, &wanted))
			return cost;
	return NULL;
}

void cost_list_add_tree(struct cost_list *list, const struct chain_tree *tree, bool is_path)
{
	EACH_OF(tree->node + 1, tree->count - 1, const struct chain_node, node) {
		const struct chain_node *charged = cost_node_charged(tree, node);
		enum cost_kind kind = cost_of_node(charged, is_path);
		bool is_wait = kind == COST_WAIT;
		const struct cost cost = cost_of(list, kind, &charged->cause, charged->voter.track);
		struct cost_share share = {
			.comm = node->comm,
			.total = node->total,
			.has_own_waits = node_is_own_wait(node, is_path),
		};

		if (is_path && node->parent != CHAIN_ROOT) {
			share.of_others = node->total;
			voter_add_weighed(&share.others, &node->voter, node->total);
		}
		if (is_path && is_wait && charged == node && note_is_nobodys(node->cause.note))
			share.comm = 0;
		cost_list_add_share(list, kind, &cost.cause, cost.machine, &share);
	}
	/* the time of nodes for which the tree had no room */
	cost_list_add(list, COST_CUT, 0, tree->node[CHAIN_ROOT].total);
}

void cost_list_count_once(struct cost_list *list)
{
	const size_t count = list->count, shares = list->share_count;
	size_t asleep = 0, kept = 0;

	while (asleep < count && list->cost[asleep].kind != COST_ASLEEP)
		asleep++;
	for (size_t at = 0; asleep < count && at < shares; at++) {
		const struct cost_share share = list->share[at];
		const struct cost *cost = &list->cost[share.cost];
		const struct cost_share key = {.cost = list->cost[asleep].number,
		                               .comm = share.comm};
		struct cost_share *own = tally_find(&list->shares, &key);
		nsec_t both = own ? nsec_min(own->total, share.total) : 0;

		if (cost->kind != COST_WAIT || !cause_note_is_sleep(cost->cause.note) || both == 0)
			continue;
		list->share[at].has_own_waits = true;
		own->total -= both;
		list->cost[asleep].total -= both;
		list->total -= both;
		list->apart -= both;
		cost_list_add(list, COST_COUNTED, share.comm, both);
	}
	for (size_t i = 0; i < list->count; i++)
		if (list->cost[i].total)
			list->cost[kept++] = list->cost[i];
	list->count = kept;
	map_clear(&list->costs.by_hash);
}

static int cost_share_compare(const void *a, const void *b, void *state)
{
	const struct cost_share *x = a, *y = b;

	(void)state;
	return ORDER_BY(RISING(x, y, cost), FALLING(x, y, total), RISING(x, y, comm));
}

ORDER_FUNCTION(cost_compare_time, struct cost, FALLING(x, y, total), RISING(x, y, number))

ORDER_FUNCTION(cost_compare, struct cost, RISING(x, y, is_small),
               cost_is_apart(x->kind) - cost_is_apart(y->kind), cost_compare_time(x, y))

void cost_list_sort_by_time(struct cost_list *list)
{
	array_sort(list->cost, list->count, sizeof(*list->cost), cost_compare_time);
}

void cost_list_sort(struct cost_list *list)
{
	nsec_t reported = list->total - list->apart;
	size_t at = 0;

	tally_sort(&list->shares, cost_share_compare, NULL);
	/* gives each cost its shares; costs are in order of their numbers; empty shares are left
	   out */
	EACH_OF(list->cost, list->count, struct cost, cost) {
		nsec_t divided = 0;

		cost->is_small = !cost_is_apart(cost->kind) &&
		                 cost->total < reported / DIVISOR_SMALL_COST;
		while (at < list->share_count && list->share[at].cost < cost->number)
			at++;
		if (at < list->share_count)
			cost->share = &list->share[at];
		for (; at < list->share_count && list->share[at].cost == cost->number &&
		       list->share[at].total; at++, cost->share_count++)
			divided += list->share[at].total;
		assert(divided <= cost->total);
	}
	array_sort(list->cost, list->count, sizeof(*list->cost), cost_compare);
}

nsec_t cost_list_unplaced(const struct cost_list *list)
{
	const struct question *question = list->question;
	const struct timeline *timeline = question->timeline;
	nsec_t missing = question->health->limits_counted_ns - question->health->limits_placed_ns;
	nsec_t queued = 0;

	if (question->resolved->is_windowed ||
	    nsec_ratio(missing, timeline->end - timeline->begin) < PART_WORTH)
		return 0;
	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (timeline->track[track].is_limited && !question->resolved->is_asked[track] &&
		    (!question->resolved->is_targeted || timeline->track[track].is_target))
			return 0;
	EACH_OF(list->cost, list->count, const struct cost, cost)
		if (cost->kind == COST_QUEUE)
			queued += cost->total;
	return nsec_min(missing, queued);
}

bool cost_list_is_apart(const struct cost_list *list)
{
	return nsec_ratio(list->total - list->apart, list->total) < PART_NEGLIGIBLE;
}

double cost_list_part(const struct cost_list *list, enum cost_kind kind, enum cause_kind cause)
{
	nsec_t total = 0;

	if (cost_list_is_apart(list))
		return 0;
	EACH_OF(list->cost, list->count, const struct cost, cost)
		if (cost->kind == kind && (kind != COST_WAIT || cost->cause.note->kind == cause))
			total += cost->total;
	return nsec_ratio(total, list->total - list->apart);
}

struct cause cost_cause(const struct timeline *timeline, const struct cost *cost)
{
	struct cause cause = shared_cause_result(timeline, &cost->cause);

	if (!cost->is_mixed)
		return cause;
	cause.name = cause.what = cause.purpose = NULL;
	cause.as.timer.call = CALL_NONE;
	return cause;
}

const struct stall *cost_stall(const struct timeline *timeline, const struct cost *cost)
{
	struct cause cause;

	if (cost->kind != COST_WAIT)
		return NULL;
	cause = cost_cause(timeline, cost);
	return cause_stall(&cause);
}

void cost_doing_append(struct buffer *to, const struct cost_list *list, const struct cost *cost)
{
	struct cause cause = {.kind = CAUSE_UNKNOWN};
	bool is_wait = cost->kind == COST_WAIT;
	_cleanup_(buffer_release) struct buffer name = {0};

	if (is_wait)
		cause = cost_cause(list->timeline, cost);
	cost_name_append(&name, list, cost);
	/* behind the colon is only that it is not known */
	say(to, NULL, "[{if}:][{if} in a|{if} waiting for] {text}",
	    IF(cost_is_unknown(cost->kind) ||
	       (is_wait && cost->cause.note->kind == CAUSE_UNKNOWN)),
	    IF(cost->kind == COST_QUEUE),
	    IF(is_wait && !cause_is_state(cost->cause.note, &cause)), TEXT(name.text));
}

/* "disk vda", "kernel: softirq RCU", "sleeping on a timer". */
static void cost_cause_append(struct buffer *to, const struct cost_list *list,
                              const struct cost *cost)
{
	struct cause cause = cost_cause(list->timeline, cost);
	const bool is_unknown = cause.kind == CAUSE_UNKNOWN && !cause.as.unknown.is_open &&
	                        !cause.as.unknown.is_remote;
	_cleanup_(buffer_release) struct buffer name = {0};

	cause_name_append(&name, &cause);
	/* "waiting" is not to be taken for COST_UNKNOWN */
	say(to, NULL,
	    "[{if}sleeping on a timer|{if}waiting[ for {text}] (" WORDS_NOT_RECORDED
	    ")|{cause}|[{if}kernel: ]{text}]",
	    IF(cause_note_is_sleep(cost->cause.note)), IF(is_unknown),
	    WHEN(cause.purpose, TEXT(cause.purpose)),
	    WHEN(cause_is_state(cost->cause.note, &cause) && cause.kind != CAUSE_FROZEN,
	         CAUSE(&cause)), IF(cause_kind_is_of_kernel(cause.kind)), TEXT(name.text));
}

void cost_name_append(struct buffer *to, const struct cost_list *list, const struct cost *cost)
{
	_cleanup_(buffer_release) struct buffer name = {0};
	const char *host = NULL;

	if (list->timeline->hosts.count && cost_is_of_object(cost))
		host = list->timeline->hosts.host[cost->machine].name;
	if (cost->kind == COST_OPEN)
		buffer_puts(&name, list->question->resolved->open_words);
	else if (cost->kind == COST_WAIT)
		cost_cause_append(&name, list, cost);
	else
		buffer_puts(&name, cost_kind_words(cost->kind));
	say(to, NULL, "{text}[ of {text}]", TEXT(name.text), TEXT(host));
}

/* Of equal ones the one with the larger share. */
ORDER_FUNCTION(name_share_compare, struct name_share, FALLING(x, y, total), RISING(x, y, share))

size_t shares_fold(struct timeline *timeline, const struct cost *cost,
                   struct name_share folded[NAME_SHARES_MAX])
{
	size_t count = 0, shares = cost->share_count;
	struct name_folds folds;

	if (shares > NAME_SHARES_MAX)
		shares = NAME_SHARES_MAX;
	name_folds_init(&folds, &timeline->names);
	for (size_t i = 0; i < shares; i++)
		name_folds_add(&folds, cost->share[i].comm, /* is_asked= */ true);
	(void)name_folds_close(&folds);
	EACH_OF(cost->share, shares, const struct cost_share, share) {
		const char *name =
			intern_text(&timeline->names, name_fold(&folds, share->comm));
		size_t at = 0;

		while (at < count && folded[at].name != name)
			at++;
		if (at == count)
			folded[count++] = (struct name_share){.name = name, .share = share};
		folded[at].count++;
		folded[at].total += share->total;
	}
	array_sort(folded, count, sizeof(*folded), name_share_compare);
	name_folds_release(&folds);
	return count;
}

void whose_append(struct buffer *to, const struct link_names *names, const struct chain_tree *path,
                  uint32_t self, nsec_t all)
{
	const struct timeline *timeline = path->timeline;
	_cleanup_(buffer_release) struct buffer others = {0};
	_cleanup_(keyed_sums_release) struct keyed_sums by_name, by_task;
	const struct keyed_sum *name, *task;
	double part;
	bool is_task;

	keyed_sums_init(&by_name, sizeof(*name), SIZE_MAX);
	keyed_sums_init(&by_task, sizeof(*task), SIZE_MAX);
	EACH_OF(path->node + 1, path->count - 1, const struct chain_node, node) {
		const struct cost cost = {
			.kind = cost_of_node(node, /* is_path= */ true),
			.cause = node->cause,
		};

		/* nodes directly below the root are of the path's own task; of others only the
		   time of a task counts, not that of a device, a link or the like */
		if (node->parent == CHAIN_ROOT || cost_is_apart(cost.kind) ||
		    cost_is_of_object(&cost))
			continue;
		keyed_sums_add_time(&by_name, node->comm, node->total);
		keyed_sums_add_time(&by_task, node->voter.track,
		                    nsec_min(node->voter.own, node->total));
	}
	name = keyed_sums_most(&by_name);
	task = keyed_sums_most(&by_task);
	part = name ? nsec_ratio(name->total, all) : 0;
	if (!name || part <= PART_MOST)
		return;
	is_task = link_name_is_of_many(names, (uint32_t)name->key) && task && task->key != self &&
	          nsec_ratio(task->total, all) > PART_MOST;
	if (name->key == track_name(&timeline->track[self]))
		link_others_append(names, (uint32_t)name->key, &others);
	say(to, timeline, "; in {share} of it [{task}|{text}|{name}] ran or waited",
	    SHARE(is_task ? nsec_ratio(task->total, all) : part),
	    WHEN(is_task, TASK((uint32_t)task->key)), TEXT(others.text),
	    NAME((uint32_t)name->key));
}
