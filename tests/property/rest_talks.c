/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rest_talks.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "clocks/packet_rest.h"
#include "random.h"

#define US           UINT64_C(1000)
#define MS           UINT64_C(1000000)
#define PACKETS_MAX  300u
#define NONE         UINT32_MAX
#define HEADER       52u
#define SEGMENT      1448u

const char *const rest_kind_name[REST_KINDS] = {
	[REST_SLOW] = "slow", [REST_CUT] = "cut", [REST_JOINED] = "joined"};

/* A packet as one machine saw it. The received one has the last byte of the sent one `from`, and
   is `kind`; NONE: it is of another machine. */
struct seen {
	struct packet_sight sight;
	uint32_t id, from;
	enum rest_kind kind;
	bool is_paired;
};

struct seen_log {
	struct seen seen[8 * PACKETS_MAX];
	size_t count;
};

struct rest_talk {
	struct random random;
	struct seen_log sent, received;
	/* percent */
	unsigned lost, elsewhere, foreign, slow, unpaired, large, joined;
	unsigned lengths;
	nsec_t last; /* when the last packet in order arrives */
	nsec_t sent_at;
	struct packet_way way;
	uint32_t *number; /* of the sent packet with that id */
	bool *sent_used, *received_used;
	struct rest_count *count;
	const char *wrong;
};

static struct seen *log_add(struct seen_log *log, nsec_t time, uint32_t bytes, uint32_t from,
                            enum rest_kind kind)
{
	struct seen *seen = &log->seen[log->count];

	*seen = (struct seen){{time, bytes}, (uint32_t)log->count, from, kind, false};
	log->count++;
	return seen;
}

static nsec_t up_to(struct random *random, nsec_t most)
{
	return random_next(random) % (most + 1);
}

static uint32_t length_of(struct rest_talk *talk)
{
	if (random_chance(&talk->random, 30))
		return HEADER + random_below(&talk->random, 2) * 12;
	return HEADER + 20 + 97 * random_below(&talk->random, talk->lengths) % SEGMENT;
}

static nsec_t arrival_of(struct rest_talk *talk)
{
	nsec_t arrival = talk->sent_at + 40 * US + up_to(&talk->random, 100 * US);

	if (random_chance(&talk->random, talk->slow)) {
		arrival += up_to(&talk->random, 250 * MS);
		if (random_chance(&talk->random, 50))
			return arrival; /* others overtake it */
	}
	talk->last = arrival > talk->last ? arrival : talk->last + 1 + up_to(&talk->random, 5 * US);
	return talk->last;
}

static void talk_send_plain(struct rest_talk *talk)
{
	uint32_t bytes = length_of(talk);
	struct seen *sent = log_add(&talk->sent, talk->sent_at, bytes, NONE, REST_SLOW);
	struct seen *received;

	if (random_chance(&talk->random, talk->lost))
		return;
	received = log_add(&talk->received, arrival_of(talk), bytes, sent->id, REST_SLOW);
	received->is_paired = !random_chance(&talk->random, talk->unpaired);
}

/* A device cuts it, and the other one joins some pieces. */
static void talk_send_large(struct rest_talk *talk)
{
	uint32_t segments = 2 + random_below(&talk->random, 10);
	uint32_t data = (segments - 1) * SEGMENT + 1 + random_below(&talk->random, SEGMENT);
	const struct seen *sent =
		log_add(&talk->sent, talk->sent_at, HEADER + data, NONE, REST_CUT);
	nsec_t time = arrival_of(talk);
	bool is_whole = true;

	while (data) {
		uint32_t piece = SEGMENT * (1 + random_below(&talk->random, segments));

		piece = piece < data ? piece : data;
		data -= piece;
		is_whole &= data == 0;
		time += 1 + up_to(&talk->random, 10 * US);
		if (!random_chance(&talk->random, talk->lost))
			log_add(&talk->received, time, HEADER + piece, sent->id,
			        is_whole ? REST_SLOW : REST_CUT);
	}
	talk->last = time > talk->last ? time : talk->last;
}

/* Full packets, of which several arrive as one. */
static void talk_send_burst(struct rest_talk *talk)
{
	uint32_t count = 2 + random_below(&talk->random, 5), joined = 0, bytes = 0;
	const struct seen *sent = NULL;

	for (uint32_t i = 0; i < count; i++) {
		bool is_last = i + 1 == count;
		uint32_t data = is_last ? 1 + random_below(&talk->random, SEGMENT) : SEGMENT;

		talk->sent_at += 1 + up_to(&talk->random, 10 * US);
		sent = log_add(&talk->sent, talk->sent_at, HEADER + data, NONE, REST_JOINED);
		if (random_chance(&talk->random, talk->lost))
			continue;
		bytes += data;
		joined++;
		if (!is_last && random_chance(&talk->random, 60))
			continue;
		log_add(&talk->received, arrival_of(talk), HEADER + bytes, sent->id,
		        joined == 1 ? REST_SLOW : REST_JOINED);
		bytes = joined = 0;
	}
}

static void talk_make(struct rest_talk *talk, uint64_t seed)
{
	struct random *random = &talk->random;
	unsigned packets = 30 + random_below(random, PACKETS_MAX - 30);

	*random = (struct random){seed};
	talk->lost = random_chance(random, 50) ? 0 : random_below(random, 10);
	talk->elsewhere = random_below(random, 30);
	talk->foreign = random_below(random, 30);
	talk->slow = random_below(random, 10);
	talk->unpaired = random_below(random, 30);
	talk->large = random_below(random, 20);
	talk->joined = random_below(random, 20);
	talk->lengths = 1 + random_below(random, random_chance(random, 50) ? 15 : 1500);
	for (unsigned i = 0; i < packets; i++) {
		talk->sent_at += up_to(random, random_chance(random, 50) ? 50 * US : 3 * MS);
		if (random_chance(random, talk->elsewhere))
			log_add(&talk->sent, talk->sent_at, length_of(talk), NONE, REST_SLOW);
		if (random_chance(random, talk->foreign))
			log_add(&talk->received, talk->sent_at + up_to(random, 200 * US),
			        length_of(talk), NONE, REST_SLOW);
		if (random_chance(random, talk->large))
			talk_send_large(talk);
		else if (random_chance(random, talk->joined))
			talk_send_burst(talk);
		else
			talk_send_plain(talk);
	}
}

static int seen_compare(const void *a, const void *b)
{
	const struct seen *left = a, *right = b;

	if (left->sight.time != right->sight.time)
		return left->sight.time < right->sight.time ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

static struct packet_sight *log_finish(struct seen_log *log)
{
	struct packet_sight *sight = xcalloc(log->count, sizeof(*sight));

	array_sort(log->seen, log->count, sizeof(*log->seen), seen_compare);
	for (size_t i = 0; i < log->count; i++)
		sight[i] = log->seen[i].sight;
	return sight;
}

static int pair_compare(const void *a, const void *b)
{
	const struct packet_pair *left = a, *right = b;

	return (left->sent > right->sent) - (left->sent < right->sent);
}

static void talk_pair(struct rest_talk *talk)
{
	struct packet_way *way = &talk->way;

	talk->number = xcalloc(talk->sent.count, sizeof(*talk->number));
	talk->sent_used = xcalloc(talk->sent.count, sizeof(bool));
	talk->received_used = xcalloc(talk->received.count, sizeof(bool));
	way->pair = xcalloc(talk->received.count, sizeof(*way->pair));
	for (size_t i = 0; i < talk->sent.count; i++)
		talk->number[talk->sent.seen[i].id] = (uint32_t)i;
	for (size_t i = 0; i < talk->received.count; i++) {
		const struct seen *seen = &talk->received.seen[i];

		if (!seen->is_paired) {
			talk->count->there[seen->kind] += seen->from != NONE;
			continue;
		}
		way->pair[way->count++] =
			(struct packet_pair){talk->number[seen->from], (uint32_t)i};
		talk->sent_used[talk->number[seen->from]] = true;
		talk->received_used[i] = true;
	}
	array_sort(way->pair, way->count, sizeof(*way->pair), pair_compare);
}

static void on_pair(void *state, const struct packet_pair *pair)
{
	struct rest_talk *talk = state;
	const struct seen *sent = &talk->sent.seen[pair->sent];
	const struct seen *received = &talk->received.seen[pair->received];
	enum rest_kind kind = REST_SLOW;

	if (received->sight.bytes < sent->sight.bytes)
		kind = REST_CUT;
	else if (received->sight.bytes > sent->sight.bytes)
		kind = REST_JOINED;
	talk->count->found[kind]++;
	talk->count->wrong[kind] += received->from != sent->id;
	if (received->is_paired)
		talk->wrong = "a packet of a pair is paired again";
	if (received->sight.time < sent->sight.time)
		talk->wrong = "a packet is received before it is sent";
}

const char *rest_talk_check(uint64_t seed, struct rest_count *count)
{
	struct rest_talk *talk = xcalloc(1, sizeof(*talk));
	struct packet_sight *sent, *received;
	const char *wrong;

	talk->count = count;
	talk_make(talk, seed);
	sent = log_finish(&talk->sent);
	received = log_finish(&talk->received);
	talk_pair(talk);
	packet_rest_find(&(struct packet_rest){
		.sent = sent,
		.received = received,
		.sent_count = talk->sent.count,
		.received_count = talk->received.count,
		.way = &talk->way,
		.sent_used = talk->sent_used,
		.received_used = talk->received_used,
		.on_pair = on_pair,
		.state = talk,
	});
	wrong = talk->wrong;
	free(sent);
	free(received);
	free(talk->way.pair);
	free(talk->number);
	free(talk->sent_used);
	free(talk->received_used);
	free(talk);
	return wrong;
}
