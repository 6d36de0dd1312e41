/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packet_talks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "clocks/packet_pairs.h"
#include "random.h"

#define US      UINT64_C(1000)
#define MS      UINT64_C(1000000)
#define SECOND  UINT64_C(1000000000)
#define ROUNDING 16

enum talk_flags {
	HAS_LOSS = 1 << 0,
	HAS_THIRD = 1 << 1,
	HAS_DRIFT = 1 << 2,
	HAS_PART = 1 << 3,
	IS_FAR = 1 << 4,
	HAS_BULK = 1 << 5,
	IS_PERIODIC = 1 << 6,
	IS_TWICE = 1 << 7,
	IS_STRANGE = 1 << 8,
	IS_SHORT = 1 << 9,
	HAS_STEP = 1 << 10,
	IS_COPY = 1 << 11,
};

const char *const packet_talk_name[TALK_KINDS] = {
	[TALK_PLAIN] = "plain",       [TALK_LOSS] = "loss",         [TALK_THIRD] = "third host",
	[TALK_DRIFT] = "drift",       [TALK_PARTIAL] = "partial",   [TALK_FAR] = "far",
	[TALK_BULK] = "bulk",         [TALK_ALL] = "all",           [TALK_PERIODIC] = "periodic",
	[TALK_TWICE] = "twice",       [TALK_STRANGERS] = "strangers", [TALK_SHORT] = "short",
	[TALK_STEP] = "step",         [TALK_COPY] = "copy",
};

static const unsigned kind_flags[TALK_KINDS] = {
	[TALK_LOSS] = HAS_LOSS,       [TALK_THIRD] = HAS_THIRD,       [TALK_DRIFT] = HAS_DRIFT,
	[TALK_PARTIAL] = HAS_PART,    [TALK_FAR] = IS_FAR,            [TALK_BULK] = HAS_BULK,
	[TALK_PERIODIC] = IS_PERIODIC, [TALK_TWICE] = IS_TWICE, [TALK_STRANGERS] = IS_STRANGE,
	[TALK_SHORT] = IS_SHORT,      [TALK_STEP] = HAS_STEP,         [TALK_COPY] = IS_COPY,
};

/* A packet as one machine saw it; `id` is the same on both, and on no third one. */
struct seen {
	struct packet_sight sight;
	uint32_t id;
};

struct seen_log {
	struct seen *seen;
	struct packet_sight *sight;
	size_t count, capacity;
};

enum { FIRST, SECOND_HOST, HOSTS };

struct network {
	struct random random;
	unsigned flags, loss; /* percent */
	/* The first clock is that of the second + offset + ppb * (second - 0) / 10^9. */
	int64_t offset, ppb;
	nsec_t step[HOSTS], step_at; /* what a clock is set forward by, and when */
	nsec_t begin[HOSTS], end[HOSTS]; /* of recordings, on the second clock */
	nsec_t quickest, jitter;
	nsec_t last[HOSTS]; /* when the last packet from it arrives: packets keep their order */
	uint32_t next_id;
	struct seen_log sent[HOSTS], received[HOSTS];
};

static nsec_t first_clock(const struct network *network, nsec_t second)
{
	long double drift = (long double)second * (long double)network->ppb / 1e9L;

	return second + (nsec_t)(network->offset + (int64_t)llroundl(drift));
}

/* What a machine's clock shows; times of the talk are those of the second one without a step. */
static nsec_t host_clock(const struct network *network, unsigned host, nsec_t time)
{
	nsec_t step = time < network->step_at ? 0 : network->step[host];

	return (host == FIRST ? first_clock(network, time) : time) + step;
}

static nsec_t random_up_to(struct random *random, nsec_t most)
{
	return random_next(random) % (most + 1);
}

static void log_add(struct network *network, struct seen_log *log, unsigned host, nsec_t time,
                    uint32_t bytes, uint32_t id)
{
	if (time < network->begin[host] || time > network->end[host])
		return;
	ARRAY_GROW(log->seen, log->count, log->capacity);
	log->seen[log->count++] = (struct seen){{host_clock(network, host, time), bytes}, id};
}

/* Mostly quick, now and then slow. */
static nsec_t network_latency(struct network *network)
{
	nsec_t latency = network->quickest + random_up_to(&network->random, network->jitter);

	while (random_chance(&network->random, 20))
		latency += random_up_to(&network->random, 8 * network->jitter);
	return latency;
}

/* Returns when the packet arrives, whether it is lost or not. */
static nsec_t network_send(struct network *network, unsigned from, nsec_t time, uint32_t bytes)
{
	unsigned to = from == FIRST ? SECOND_HOST : FIRST;
	nsec_t arrival = time + network_latency(network);
	uint32_t id = network->next_id++;

	arrival = nsec_max(arrival, network->last[from] + random_up_to(&network->random, 3 * US));
	log_add(network, &network->sent[from], from, time, bytes, id);
	if (random_chance(&network->random, network->loss)) {
		nsec_t last = network->last[from];

		if (random_chance(&network->random, 50)) {
			arrival = network_send(network, from, time + 200 * MS, bytes);
			network->last[from] = last; /* it is out of order */
		}
		return arrival;
	}
	network->last[from] = arrival;
	log_add(network, &network->received[to], to, arrival, bytes, id);
	return arrival;
}

/* A packet between that machine and a third one, either way. */
static void third_send(struct network *network, unsigned host, nsec_t time, uint32_t bytes)
{
	bool is_sent = random_chance(&network->random, 50);

	log_add(network, is_sent ? &network->sent[host] : &network->received[host], host, time,
	        bytes, network->next_id++);
}

/* A burst of full packets, some of which the sender or the receiver has as one. */
static nsec_t bulk_send(struct network *network, unsigned from, nsec_t time)
{
	unsigned packets = 1 + random_below(&network->random, 30);

	for (unsigned i = 0; i < packets; i++) {
		unsigned kind = random_below(&network->random, 10);
		uint32_t joined = 2948;

		time += 12 * US + random_up_to(&network->random, 3 * US);
		if (kind == 0) {
			log_add(network, &network->sent[from], from, time, joined,
			        network->next_id++);
			log_add(network, &network->received[!from], !from,
			        time + network->quickest + 20 * US, 1500, network->next_id++);
			log_add(network, &network->received[!from], !from,
			        time + network->quickest + 32 * US, 1500, network->next_id++);
		} else {
			(void)network_send(network, from, time, 1500);
		}
		if (i % 2 == 1)
			(void)network_send(network, !from, time + network->quickest, 52);
	}
	return time;
}

static uint32_t random_bytes(struct random *random, unsigned lengths)
{
	return random_chance(random, 60) ? 308 : 52 + 7 * random_below(random, lengths);
}

/* A question, and its answer. */
static nsec_t network_exchange(struct network *network, nsec_t time, unsigned lengths)
{
	struct random *random = &network->random;
	unsigned from = random_chance(random, 80) ? FIRST : SECOND_HOST;

	if ((network->flags & HAS_BULK) && random_chance(random, 20))
		time = bulk_send(network, from, time);
	time = network_send(network, from, time, random_bytes(random, lengths));
	time += 50 * US + random_up_to(random, 400 * US);
	return network_send(network, !from, time, random_bytes(random, lengths));
}

/* Questions and answers of which hardly any two are of one length. */
static void network_talk_shortly(struct network *network, nsec_t begin, nsec_t end)
{
	struct random *random = &network->random;
	nsec_t think = MS + random_up_to(random, 20 * MS), time = begin;

	for (unsigned i = 10 + random_below(random, 90); i > 0 && time < end; i--) {
		time = network_send(network, FIRST, time, 52 + random_below(random, 1400));
		time += 10 * US + random_up_to(random, 100 * US);
		time = network_send(network, SECOND_HOST, time, 52 + random_below(random, 1400));
		time += random_up_to(random, 2 * think);
	}
}

static void network_talk(struct network *network, nsec_t begin, nsec_t end)
{
	struct random *random = &network->random;
	unsigned lengths = 1 + random_below(random, 20);
	nsec_t gap = (end - begin) / (100 + random_below(random, 200));

	for (nsec_t time = begin; time < end;) {
		if (network->flags & IS_PERIODIC) {
			(void)network_send(network, FIRST, time, 84);
			(void)network_send(network, SECOND_HOST, time + network->quickest + 50 * US,
			                   84);
			time += gap;
			continue;
		}
		if (network->flags & IS_STRANGE) {
			third_send(network, random_below(random, 2), time,
			           random_bytes(random, lengths));
			time += random_up_to(random, gap);
			continue;
		}
		if (network->flags & HAS_THIRD)
			for (unsigned i = random_below(random, 6); i > 0; i--)
				third_send(network, random_below(random, 2),
				           time + random_up_to(random, 2 * gap),
				           random_bytes(random, lengths));
		time = network_exchange(network, time, lengths);
		time += random_chance(random, 50) ? random_up_to(random, gap / 20)
		                                  : random_up_to(random, 3 * gap);
	}
}

static void log_copy(struct network *network, struct seen_log *to, const struct seen_log *from)
{
	to->count = 0;
	for (size_t i = 0; i < from->count; i++) {
		ARRAY_GROW(to->seen, to->count, to->capacity);
		to->seen[to->count++] =
			(struct seen){{from->seen[i].sight.time - (nsec_t)network->offset,
		                       from->seen[i].sight.bytes},
		                      network->next_id++};
	}
}

/* The second machine is the first one, on another clock. */
static void network_copy(struct network *network)
{
	log_copy(network, &network->sent[SECOND_HOST], &network->sent[FIRST]);
	log_copy(network, &network->received[SECOND_HOST], &network->received[FIRST]);
	network->begin[SECOND_HOST] = network->begin[FIRST];
	network->end[SECOND_HOST] = network->end[FIRST];
}

static void network_run(struct network *network)
{
	nsec_t begin = 100 * SECOND + random_up_to(&network->random, 1000 * SECOND);
	nsec_t length = SECOND + random_up_to(&network->random, 10 * SECOND);
	uint64_t seed = network->random.state;

	if (network->flags & HAS_DRIFT)
		length = 30 * SECOND + random_up_to(&network->random, 270 * SECOND);
	for (unsigned host = 0; host < HOSTS; host++) {
		nsec_t part = network->flags & HAS_PART ? length / 2 : length / 10;

		network->begin[host] = begin + random_up_to(&network->random, part);
		network->end[host] = begin + length - random_up_to(&network->random, part);
		if (network->end[host] < network->begin[host])
			network->end[host] = network->begin[host] + SECOND;
	}
	if (network->flags & IS_TWICE) {
		network->loss = 0;
		network_talk(network, begin, begin + length / 2);
		network->random.state = seed;
		begin += length / 2;
		length -= length / 2;
	}
	if (network->flags & HAS_STEP) {
		network->step_at = begin + length / 5 +
		                   random_up_to(&network->random, length * 3 / 5);
		network->step[random_below(&network->random, HOSTS)] =
			(2 * MS + random_up_to(&network->random, 8 * MS))
			<< random_below(&network->random, 9);
	}
	if (network->flags & IS_SHORT)
		network_talk_shortly(network, nsec_max(network->begin[0], network->begin[1]),
		                     nsec_min(network->end[0], network->end[1]));
	else
		network_talk(network, begin, begin + length);
	if (network->flags & IS_COPY)
		network_copy(network);
}

static void network_make(struct network *network, uint64_t seed, enum packet_talk_kind kind)
{
	struct random *random = &network->random;

	*network = (struct network){.random = {seed}, .flags = kind_flags[kind]};
	if (kind == TALK_ALL)
		network->flags = random_below(random, HAS_BULK * 2);
	if (network->flags & HAS_LOSS)
		network->loss = random_below(random, 21);
	network->ppb = (int64_t)random_below(random, 100001) - 50000;
	if (network->flags & HAS_DRIFT)
		network->ppb *= 6;
	network->offset = (int64_t)random_up_to(random, 2000000 * SECOND);
	network->quickest = 20 * US + random_up_to(random, 100 * US);
	network->jitter = 5 * US + random_up_to(random, 300 * US);
	if (network->flags & IS_SHORT) {
		network->quickest = 5 * US;
		network->jitter = random_up_to(random, 25 * US);
	}
	if (network->flags & IS_FAR)
		network->quickest += random_up_to(random, 60 * MS);
	network_run(network);
}

static int seen_compare(const void *a, const void *b)
{
	const struct seen *left = a, *right = b;

	if (left->sight.time != right->sight.time)
		return left->sight.time < right->sight.time ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

static void log_finish(struct seen_log *log)
{
	array_sort(log->seen, log->count, sizeof(*log->seen), seen_compare);
	log->sight = xcalloc(log->count, sizeof(*log->sight));
	for (size_t i = 0; i < log->count; i++)
		log->sight[i] = log->seen[i].sight;
}

static void log_release(struct seen_log *log)
{
	free(log->seen);
	free(log->sight);
}

static struct host_packets host_of(struct network *network, unsigned host)
{
	log_finish(&network->sent[host]);
	log_finish(&network->received[host]);
	return (struct host_packets){
		.sent = network->sent[host].sight,
		.sent_count = network->sent[host].count,
		.received = network->received[host].sight,
		.received_count = network->received[host].count,
		.begin = host_clock(network, host, network->begin[host]),
		.end = host_clock(network, host, network->end[host]),
	};
}

static bool line_is_off(const struct network *network, const struct clock_fit *fit, nsec_t time)
{
	nsec_t second = host_clock(network, SECOND_HOST, time);
	int64_t truth = (int64_t)(host_clock(network, FIRST, time) - second);
	int64_t error = truth - clock_line_shift(&fit->line, second);

	return (error < 0 ? -error : error) > (int64_t)fit->bound + ROUNDING;
}

/* At both ends of the time while both machines were recorded. */
static bool truth_is_bounded(const struct network *network, const struct clock_fit *fit)
{
	nsec_t begin = nsec_max(network->begin[0], network->begin[1]);
	nsec_t end = nsec_min(network->end[0], network->end[1]);

	if (begin >= end)
		return true;
	return !line_is_off(network, fit, begin) && !line_is_off(network, fit, end);
}

static const char *way_check(const struct packet_way *way, const struct seen_log *sent,
                             const struct seen_log *received, const struct clock_line *line,
                             bool is_there, struct packet_talk_count *count)
{
	for (size_t i = 0; i < way->count; i++) {
		const struct seen *from = &sent->seen[way->pair[i].sent];
		const struct seen *to = &received->seen[way->pair[i].received];
		nsec_t second = is_there ? to->sight.time : from->sight.time;
		nsec_t first = second + (nsec_t)clock_line_shift(line, second);

		count->paired++;
		count->false_pairs += from->id != to->id;
		if (from->sight.bytes != to->sight.bytes)
			return "two packets of a pair differ in length";
		if (is_there ? from->sight.time > first : first > to->sight.time)
			return "a packet is received before it is sent";
		if (i > 0 && way->pair[i].sent <= way->pair[i - 1].sent)
			return "a packet is in two pairs";
	}
	return NULL;
}

static const char *found_check(const struct network *network, const struct packet_pairs *pairs,
                               struct packet_talk_count *count)
{
	const struct clock_line *line = &pairs->fit.line;
	const char *wrong = way_check(&pairs->there, &network->sent[FIRST],
	                              &network->received[SECOND_HOST], line, true, count);

	if (!wrong)
		wrong = way_check(&pairs->back, &network->sent[SECOND_HOST],
		                  &network->received[FIRST], line, false, count);
	if (!truth_is_bounded(network, &pairs->fit)) {
		count->wrong++;
		/* not each step leaves enough packets on both sides of it to be seen */
		if (!wrong && !(network->flags & HAS_STEP))
			wrong = "the truth is not within the bound";
	}
	return wrong;
}

static bool ways_are_same(const struct packet_way *way, const struct packet_way *other)
{
	return way->count == other->count && way->sent_alone == other->sent_alone &&
	       (way->count == 0 ||
	        memcmp(way->pair, other->pair, way->count * sizeof(*way->pair)) == 0);
}

static const char *swapped_check(enum packet_pairs_result result, const struct packet_pairs *pairs,
                                 const struct host_packets *host)
{
	struct packet_pairs other;
	const char *wrong = NULL;

	if (packet_pairs_find(&host[1], &host[0], &other) != result)
		wrong = "the order of machines changes what is found";
	else if (!ways_are_same(&pairs->there, &other.back) ||
	         !ways_are_same(&pairs->back, &other.there))
		wrong = "the order of machines changes the pairs";
	else if (pairs->fit.bound != other.fit.bound)
		wrong = "the order of machines changes the bound";
	packet_pairs_release(&other);
	return wrong;
}

const char *packet_talk_check(uint64_t seed, enum packet_talk_kind kind,
                              struct packet_talk_count *count)
{
	struct network network;
	struct host_packets host[HOSTS];
	enum packet_pairs_result result;
	struct packet_pairs pairs;
	const char *wrong = NULL;

	network_make(&network, seed, kind);
	host[0] = host_of(&network, 0);
	host[1] = host_of(&network, 1);
	result = packet_pairs_find(&host[0], &host[1], &pairs);
	count->talks++;
	count->found += result == PACKET_PAIRS_FOUND;
	count->ambiguous += result == PACKET_PAIRS_AMBIGUOUS;
	if (result == PACKET_PAIRS_FOUND) {
		count->sent += pairs.there.count + pairs.back.count + pairs.there.sent_alone +
		               pairs.back.sent_alone;
		wrong = found_check(&network, &pairs, count);
	}
	if (!wrong)
		wrong = swapped_check(result, &pairs, host);
	packet_pairs_release(&pairs);
	for (unsigned i = 0; i < HOSTS; i++) {
		log_release(&network.sent[i]);
		log_release(&network.received[i]);
	}
	return wrong;
}
