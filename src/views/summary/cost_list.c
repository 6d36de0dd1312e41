/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cost_list.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "words/cause/cause_kind.h"
#include "words/cause/cause_words.h"
#include "words/cause/stall.h"
#include "words/cause/unknown_words.h"

#define SMALL_PART 1000 /* a cost is small if it is less than the total divided by this */

void cost_list_init(struct cost_list *list, const struct question *question)
{
	*list = (struct cost_list){.question = question, .timeline = question->timeline};
	map_init(&list->by_hash);
	map_init(&list->share_by_comm);
	link_names_init(&list->names, list->timeline);
}

void cost_list_release(struct cost_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->cost[i].share);
	free(list->cost);
	map_release(&list->by_hash);
	map_release(&list->share_by_comm);
	link_names_release(&list->names);
	*list = (struct cost_list){0};
}

static bool note_is_sleep(const struct cause_note *note)
{
	return note && cause_note_is_sleep(note);
}

/* Causes with the same name are one cost: the row for sleeps on timers, for example, shows neither
   the call nor the timer. */
static uint64_t cost_hash(enum cost_kind kind, const struct cause_note *note)
{
	return shared_cause_hash(note_is_sleep(note) ? NULL : note, kind);
}

static bool cost_is_for(const struct cost *cost, enum cost_kind kind,
                        const struct cause_note *note, uint8_t machine)
{
	if (cost->kind != kind || cost->machine != machine)
		return false;
	return cause_notes_are_shared(cost->cause.note, note) ||
	       (note_is_sleep(cost->cause.note) && note_is_sleep(note));
}

static struct cost *list_find(struct cost_list *list, enum cost_kind kind,
                              const struct shared_cause *cause, uint8_t machine)
{
	uint64_t hash = cost_hash(kind, cause->note);
	uint32_t index;

	if (machine)
		hash = hash_mix(hash, machine);
	MAP_HASH_EACH(&list->by_hash, hash, index) {
		struct cost *cost = &list->cost[index];

		if (cost_is_for(cost, kind, cause->note, machine)) {
			cost->is_mixed |= !cause_notes_are_shared(cost->cause.note, cause->note);
			shared_cause_add(&cost->cause, cause->note);
			cost->cause.is_waker_shared &= cause->is_waker_shared;
			cost->cause.is_originator_shared &= cause->is_originator_shared;
			return cost;
		}
	}
	ARRAY_GROW(list->cost, list->count, list->capacity);
	map_put(&list->by_hash, hash, (uint32_t)list->count);
	list->cost[list->count] = (struct cost){
		.kind = kind,
		.cause = *cause,
		.machine = machine,
		.number = (uint32_t)list->count,
	};
	return &list->cost[list->count++];
}

static void cost_add_share(struct cost_list *list, struct cost *cost,
                           const struct cost_share *more)
{
	uint64_t key = (uint64_t)cost->number << 32 | more->comm;
	uint32_t index = map_get(&list->share_by_comm, key);
	struct cost_share *share;

	if (index == MAP_NONE) {
		ARRAY_GROW(cost->share, cost->share_count, cost->share_capacity);
		map_put(&list->share_by_comm, key, (uint32_t)cost->share_count);
		cost->share[cost->share_count++] = *more;
		return;
	}
	share = &cost->share[index];
	share->total += more->total;
	share->of_others += more->of_others;
	voter_add(&share->others, &more->others);
}

static void cost_list_add_share(struct cost_list *list, enum cost_kind kind,
                                const struct shared_cause *cause, uint8_t machine,
                                const struct cost_share *share)
{
	struct cost *cost;
	nsec_t time = share->total;

	if (time == 0)
		return;
	cost = list_find(list, kind, cause, machine);
	cost->total += time;
	list->total += time;
	if (cost_is_apart(kind))
		list->apart += time;
	if (share->comm)
		cost_add_share(list, cost, share);
}

void cost_list_add(struct cost_list *list, enum cost_kind kind, uint32_t comm, nsec_t time)
{
	cost_list_add_share(list, kind, &(struct shared_cause){0}, /* machine= */ 0,
	                    &(struct cost_share){.comm = comm, .total = time});
}

static enum cost_kind node_cost(const struct chain_node *node, bool is_path)
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

	if (cost->kind != COST_WAIT)
		return false;
	return objects & 1u << note->kind || note_is_nobodys(note);
}

bool cost_node_is_of_task(const struct chain_node *node)
{
	const struct cost cost = {
		.kind = node_cost(node, /* is_path= */ true),
		.cause = node->cause,
	};

	return !cost_is_apart(cost.kind) && !cost_is_of_object(&cost);
}

/* The machine of the object that the node's time is of; 0 if it is of none. All tasks of a node's
   name are of one machine. */
static uint8_t node_machine(const struct timeline *timeline, const struct chain_node *node,
                            enum cost_kind kind)
{
	const struct cost cost = {.kind = kind, .cause = node->cause};

	return cost_is_of_object(&cost) && node->voter.track < timeline->track_count
	               ? timeline->track[node->voter.track].host
	               : 0;
}

void cost_list_add_tree(struct cost_list *list, const struct chain_tree *tree, bool is_path)
{
	for (size_t i = 1; i < tree->count; i++) {
		const struct chain_node *node = &tree->node[i];
		enum cost_kind kind = node_cost(node, is_path);
		bool is_wait = kind == COST_WAIT;
		struct cost_share share = {.comm = node->comm, .total = node->total};

		if (is_path && node->parent != CHAIN_ROOT) {
			share.of_others = node->total;
			voter_add_weighed(&share.others, &node->voter, node->total);
		}
		if (is_path && is_wait && note_is_nobodys(node->cause.note))
			share.comm = 0;
		cost_list_add_share(list, kind,
		                    is_wait ? &node->cause : &(struct shared_cause){0},
		                    node_machine(list->timeline, node, kind), &share);
	}
	/* the time of nodes for which the tree had no room */
	cost_list_add(list, COST_CUT, 0, tree->node[CHAIN_ROOT].total);
}

/* The cost's share of that name; NULL: it has none. */
static struct cost_share *cost_share_of(const struct cost_list *list, const struct cost *cost,
                                        uint32_t comm)
{
	uint32_t index = map_get(&list->share_by_comm, (uint64_t)cost->number << 32 | comm);

	return index == MAP_NONE ? NULL : &cost->share[index];
}

/* Moves from the cost at `asleep` what is reported already, as other tasks waited for it. */
static void list_count_once(struct cost_list *list, size_t asleep, uint32_t comm, nsec_t reported)
{
	struct cost_share *own = cost_share_of(list, &list->cost[asleep], comm);
	nsec_t both = own ? nsec_min(own->total, reported) : 0;

	if (both == 0)
		return;
	own->total -= both;
	list->cost[asleep].total -= both;
	list->total -= both;
	list->apart -= both;
	cost_list_add(list, COST_COUNTED, comm, both);
}

/* Removes shares and costs that have become empty. */
static void list_drop_empty(struct cost_list *list)
{
	size_t costs = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct cost *cost = &list->cost[i];
		size_t kept = 0;

		for (size_t at = 0; at < cost->share_count; at++)
			if (cost->share[at].total)
				cost->share[kept++] = cost->share[at];
		cost->share_count = kept;
		if (cost->total)
			list->cost[costs++] = *cost;
		else
			free(cost->share);
	}
	list->count = costs;
	map_clear(&list->by_hash);
	map_clear(&list->share_by_comm);
}

void cost_list_count_once(struct cost_list *list)
{
	const size_t count = list->count;
	size_t asleep = 0;

	while (asleep < count && list->cost[asleep].kind != COST_ASLEEP)
		asleep++;
	for (size_t i = 0; asleep < count && i < count; i++) {
		if (list->cost[i].kind != COST_WAIT ||
		    !cause_note_is_sleep(list->cost[i].cause.note))
			continue;
		/* the cost may move when another one is added */
		for (size_t at = 0; at < list->cost[i].share_count; at++)
			list_count_once(list, asleep, list->cost[i].share[at].comm,
			                list->cost[i].share[at].total);
	}
	list_drop_empty(list);
}

static int cost_share_compare(const void *a, const void *b)
{
	const struct cost_share *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->comm < y->comm ? -1 : x->comm > y->comm;
}

/* The group in which a cost is listed; lower groups come first. */
static int cost_rank(const struct cost *cost)
{
	return cost->is_small ? 2 : cost_is_apart(cost->kind);
}

static int cost_compare_time(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int cost_compare(const void *a, const void *b)
{
	int rank = cost_rank(a) - cost_rank(b);

	return rank ? rank : cost_compare_time(a, b);
}

void cost_list_sort_by_time(struct cost_list *list)
{
	array_sort(list->cost, list->count, sizeof(*list->cost), cost_compare_time);
}

void cost_list_sort(struct cost_list *list)
{
	nsec_t reported = list->total - list->apart;

	for (size_t i = 0; i < list->count; i++)
		list->cost[i].is_small = !cost_is_apart(list->cost[i].kind) &&
		                         list->cost[i].total < reported / SMALL_PART;
	array_sort(list->cost, list->count, sizeof(*list->cost), cost_compare);
	for (size_t i = 0; i < list->count; i++)
		array_sort(list->cost[i].share, list->cost[i].share_count,
		           sizeof(*list->cost[i].share), cost_share_compare);
	map_clear(&list->by_hash);
	map_clear(&list->share_by_comm);
}

nsec_t cost_list_total(const struct cost_list *list, enum cost_kind kind)
{
	nsec_t total = 0;

	for (size_t i = 0; i < list->count; i++)
		if (list->cost[i].kind == kind)
			total += list->cost[i].total;
	return total;
}

bool cost_list_is_apart(const struct cost_list *list)
{
	return nsec_ratio(list->total - list->apart, list->total) < COST_NEGLIGIBLE;
}

double cost_list_part(const struct cost_list *list, enum cost_kind kind, enum cause_kind cause)
{
	nsec_t total = 0;

	if (cost_list_is_apart(list))
		return 0;
	for (size_t i = 0; i < list->count; i++)
		if (list->cost[i].kind == kind &&
		    (kind != COST_WAIT || list->cost[i].cause.note->kind == cause))
			total += list->cost[i].total;
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

/* Whether the words for the cause are a state of the task, not what it waits for. */
static bool cause_is_state(const struct cost *cost, const struct cause *cause)
{
	return cause->kind == CAUSE_UNKNOWN || cause->kind == CAUSE_FROZEN ||
	       cause_note_is_chosen(cost->cause.note) || cause_is_held_back(cause) ||
	       cause_is_late(cause);
}

/* Whether the words for it say only that it is not known what the task does. */
static bool cost_says_nothing(const struct cost *cost)
{
	return cost_is_unknown(cost->kind) ||
	       (cost->kind == COST_WAIT && cost->cause.note->kind == CAUSE_UNKNOWN);
}

void cost_doing_append(struct buffer *to, const struct cost_list *list, const struct cost *cost)
{
	struct cause cause;

	buffer_puts(to, cost_says_nothing(cost) ? ": " : " ");
	if (cost->kind == COST_QUEUE)
		buffer_puts(to, "in a ");
	if (cost->kind == COST_WAIT) {
		cause = cost_cause(list->timeline, cost);
		if (!cause_is_state(cost, &cause))
			buffer_puts(to, "waiting for ");
	}
	cost_name_append(to, list, cost);
}

/* "disk vda", "kernel: softirq RCU", "sleeping on a timer". */
static void cost_cause_append(struct buffer *to, const struct cost_list *list,
                              const struct cost *cost)
{
	struct cause cause = cost_cause(list->timeline, cost);

	if (cause_note_is_sleep(cost->cause.note)) {
		buffer_puts(to, "sleeping on a timer");
	} else if (cause.kind == CAUSE_UNKNOWN && !cause.purpose) {
		/* not to be taken for COST_UNKNOWN */
		buffer_puts(to, "waiting (" WORDS_NOT_RECORDED ")");
	} else if (cause_is_state(cost, &cause) && cause.kind != CAUSE_FROZEN) {
		cause_text_append(to, &cause);
	} else {
		if (cause_kind_is_of_kernel(cause.kind))
			buffer_puts(to, "kernel: ");
		cause_name_append(to, &cause);
	}
}

void cost_name_append(struct buffer *to, const struct cost_list *list, const struct cost *cost)
{
	if (cost->kind == COST_OPEN)
		buffer_puts(to, list->question->resolved->open_words);
	else if (cost->kind == COST_WAIT)
		cost_cause_append(to, list, cost);
	else
		buffer_puts(to, cost_kind_words(cost->kind));
	if (list->timeline->hosts.count && cost_is_of_object(cost))
		buffer_printf(to, " of %s", list->timeline->hosts.host[cost->machine].name);
}
