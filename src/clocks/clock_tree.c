/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock_tree.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "packet_pairs.h"
#include "packet_rest.h"

/* What is known of two hosts: the first one has the lower number. */
struct link {
	enum packet_pairs_result result;
	struct packet_pairs pairs;
};

#define NO_ROOT UINT32_MAX /* of a host that is in no tree yet */

struct links {
	const struct host_packets *hosts;
	size_t count;
	struct link *link; /* count * count, those with a first host less than the second */
};

/* A message with its times on the clock of the tree. */
struct timed_message {
	struct host_message message;
	nsec_t sent, received;
};

static struct link *links_at(const struct links *links, size_t one, size_t other)
{
	return one < other ? &links->link[one * links->count + other]
	                   : &links->link[other * links->count + one];
}

static bool have_one_clock(const struct host_packets *a, const struct host_packets *b)
{
	return a->same_clock && a->same_clock == b->same_clock;
}

static void links_find(struct links *links, const struct clock_tree_watch *watch)
{
	size_t done = 0, all = links->count * (links->count - 1) / 2;

	links->link = xcalloc(links->count * links->count, sizeof(*links->link));
	for (size_t i = 0; i < links->count; i++)
		for (size_t j = i + 1; j < links->count; j++) {
			struct link *link = links_at(links, i, j);

			if (watch)
				watch->on_pair(watch->state, done++, all);
			if (have_one_clock(&links->hosts[i], &links->hosts[j])) {
				link->result = PACKET_PAIRS_FOUND; /* by a line of 0 +- 0 */
				continue;
			}
			link->result = packet_pairs_find(&links->hosts[i], &links->hosts[j],
			                                 &link->pairs);
		}
}

static void links_release(struct links *links)
{
	for (size_t i = 0; i < links->count * links->count; i++)
		packet_pairs_release(&links->link[i].pairs);
	free(links->link);
}

/* What is matched on a way and the link that it goes on by, the least; where both have one clock,
   nothing needs to be. */
static uint64_t way_matched(const struct host_clock *known, const struct packet_pairs *pairs)
{
	uint64_t matched =
		pairs->calls ? pairs->calls : (uint64_t)pairs->there.count + pairs->back.count;

	return matched == 0 || (known->matched && known->matched < matched) ? known->matched
	                                                                    : matched;
}

/* The clock of a host by its link to another one, which is in a tree. */
static void clock_set(struct host_clock *ret, const struct link *link, size_t host, size_t via,
                      const struct host_clock *known)
{
	const struct packet_pairs *pairs = &link->pairs;
	struct clock_line line = pairs->fit.line;
	/* what is open before the known line is more or less after it, by its slope */
	const struct clock_line stretch = {.slope = known->line.slope};
	int64_t more = clock_line_shift(&stretch, pairs->fit.bound);

	if (host < via)
		line = clock_line_inverse(&line);
	*ret = (struct host_clock){
		.root = known->root,
		.via = (uint32_t)via,
		.line = clock_line_chain(&known->line, &line),
		.bound = known->bound + pairs->fit.bound + (nsec_t)(more > 0 ? more : 0),
		.matched = way_matched(known, pairs),
	};
}

/* The host with the least bound of those in no tree, and the one that gives it; false: there is
   none. */
static bool tree_next(const struct clock_tree *tree, const struct links *links, size_t *ret_via,
                      size_t *ret_host)
{
	nsec_t least = NSEC_NEVER;

	for (size_t via = 0; via < tree->count; via++)
		for (size_t host = 0; host < tree->count; host++) {
			const struct link *link = links_at(links, via, host);
			nsec_t bound = tree->clock[via].bound + link->pairs.fit.bound;

			if (tree->clock[via].root == NO_ROOT || tree->clock[host].root != NO_ROOT ||
			    link->result != PACKET_PAIRS_FOUND || bound >= least)
				continue;
			least = bound;
			*ret_via = via;
			*ret_host = host;
		}
	return least != NSEC_NEVER;
}

static void tree_note_ambiguous(struct clock_tree *tree, const struct links *links)
{
	for (size_t i = 0; i < tree->count; i++)
		for (size_t j = i + 1; j < tree->count; j++) {
			uint32_t one = tree->clock[i].root, other = tree->clock[j].root;

			if (one == other || links_at(links, i, j)->result != PACKET_PAIRS_AMBIGUOUS)
				continue;
			tree->clock[one].is_ambiguous = true;
			tree->clock[other].is_ambiguous = true;
		}
}

static void tree_grow(struct clock_tree *tree, const struct links *links)
{
	size_t via, host;

	for (size_t i = 0; i < tree->count; i++)
		tree->clock[i].root = NO_ROOT;
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->clock[i].root != NO_ROOT)
			continue;
		tree->clock[i] = (struct host_clock){.root = (uint32_t)i, .via = (uint32_t)i};
		while (tree_next(tree, links, &via, &host))
			clock_set(&tree->clock[host], links_at(links, via, host), host, via,
			          &tree->clock[via]);
	}
	tree_note_ambiguous(tree, links);
}

static nsec_t clock_time(const struct host_clock *clock, nsec_t time)
{
	return time + (nsec_t)clock_line_shift(&clock->line, time);
}

/* The packets of a host, on the clock of its tree. */
struct host_sights {
	struct packet_sight *sent, *received;
	bool *sent_used, *received_used; /* in a message */
};

/* Messages as they are found. */
struct messages {
	const struct clock_tree *tree;
	const struct host_packets *hosts;
	struct host_sights *sights; /* by host */
	struct timed_message *timed;
	size_t count, capacity;
	uint32_t from, to; /* hosts of the pairs that come now */
};

/* Takes a pair as a message if the clocks allow that. */
static void messages_take(void *state, const struct packet_pair *pair)
{
	struct messages *messages = state;
	struct host_sights *from = &messages->sights[messages->from];
	struct host_sights *to = &messages->sights[messages->to];
	nsec_t sent = from->sent[pair->sent].time;
	nsec_t received = to->received[pair->received].time;

	if (sent > received)
		return;
	from->sent_used[pair->sent] = true;
	to->received_used[pair->received] = true;
	ARRAY_ADD(messages->timed, messages->count, messages->capacity) = (struct timed_message){
		{messages->from, messages->to, pair->sent, pair->received}, sent, received};
}

/* Calls `take` for each direction between two hosts of one tree that exchange packets. */
static void messages_each_way(struct messages *messages, const struct links *links,
                              void (*take)(struct messages *messages,
                                           const struct packet_way *way))
{
	for (uint32_t i = 0; i < links->count; i++)
		for (uint32_t j = i + 1; j < links->count; j++) {
			const struct packet_pairs *pairs = &links_at(links, i, j)->pairs;

			if (messages->tree->clock[i].root != messages->tree->clock[j].root ||
			    (pairs->there.count == 0 && pairs->back.count == 0))
				continue;
			messages->from = i;
			messages->to = j;
			take(messages, &pairs->there);
			messages->from = j;
			messages->to = i;
			take(messages, &pairs->back);
		}
}

static void messages_take_way(struct messages *messages, const struct packet_way *way)
{
	for (size_t i = 0; i < way->count; i++)
		messages_take(messages, &way->pair[i]);
}

static void messages_take_rest(struct messages *messages, const struct packet_way *way)
{
	const struct host_sights *from = &messages->sights[messages->from];
	const struct host_sights *to = &messages->sights[messages->to];

	packet_rest_find(&(struct packet_rest){
		.sent = from->sent,
		.received = to->received,
		.sent_count = messages->hosts[messages->from].sent_count,
		.received_count = messages->hosts[messages->to].received_count,
		.way = way,
		.sent_used = from->sent_used,
		.received_used = to->received_used,
		.on_pair = messages_take,
		.state = messages,
	});
}

/* Messages with the same received packet are sorted by the time of sending, the latest first. */
ORDER_FUNCTION(message_compare, struct timed_message, RISING(x, y, message.to),
               RISING(x, y, message.received), FALLING(x, y, sent), RISING(x, y, message.from))

static bool message_is_other(const struct host_message *a, const struct host_message *b)
{
	return a->to != b->to || a->received != b->received;
}

static void tree_keep(struct clock_tree *tree, struct timed_message *timed, size_t count)
{
	array_sort(timed, count, sizeof(*timed), message_compare);
	tree->message = xcalloc(count, sizeof(*tree->message));
	for (size_t i = 0; i < count; i++)
		if (i == 0 || message_is_other(&timed[i].message, &timed[i - 1].message))
			tree->message[tree->message_count++] = timed[i].message;
}

static struct packet_sight *sights_make(const struct host_clock *clock,
                                        const struct packet_sight *packet, size_t count)
{
	struct packet_sight *sight = xcalloc(count, sizeof(*sight));

	for (size_t i = 0; i < count; i++)
		sight[i] = (struct packet_sight){clock_time(clock, packet[i].time),
		                                 packet[i].bytes};
	return sight;
}

static void tree_add_messages(struct clock_tree *tree, const struct links *links)
{
	struct messages messages = {.tree = tree, .hosts = links->hosts};

	messages.sights = xcalloc(links->count, sizeof(*messages.sights));
	for (size_t i = 0; i < links->count; i++) {
		const struct host_packets *host = &links->hosts[i];

		messages.sights[i] = (struct host_sights){
			.sent = sights_make(&tree->clock[i], host->sent, host->sent_count),
			.received = sights_make(&tree->clock[i], host->received,
		                                host->received_count),
			.sent_used = xcalloc(host->sent_count, sizeof(bool)),
			.received_used = xcalloc(host->received_count, sizeof(bool)),
		};
	}
	messages_each_way(&messages, links, messages_take_way);
	messages_each_way(&messages, links, messages_take_rest);
	tree_keep(tree, messages.timed, messages.count);
	for (size_t i = 0; i < links->count; i++) {
		free(messages.sights[i].sent);
		free(messages.sights[i].received);
		free(messages.sights[i].sent_used);
		free(messages.sights[i].received_used);
	}
	free(messages.sights);
	free(messages.timed);
}

void clock_tree_find(const struct host_packets *hosts, size_t count,
                     const struct clock_tree_watch *watch, struct clock_tree *ret)
{
	struct links links = {.hosts = hosts, .count = count};

	*ret = (struct clock_tree){.count = count};
	ret->clock = xcalloc(count, sizeof(*ret->clock));
	links_find(&links, watch);
	tree_grow(ret, &links);
	tree_add_messages(ret, &links);
	links_release(&links);
}

void clock_tree_release(struct clock_tree *tree)
{
	free(tree->clock);
	free(tree->message);
	*tree = (struct clock_tree){0};
}
