/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packet_rest.h"

#include "base/data/array.h"

/* A packet takes no longer than that. */
#define REST_TIME_MAX UINT64_C(200000000)
/* Acknowledgements and the like have no data: one is as good as another. */
#define REST_BYTES_MIN 80
/* A packet is cut or joined only if it is larger than that. */
#define JOINED_BYTES_MIN 600

/* IP and TCP: with time stamps, without options, with those of IPv6, and other options. */
static const uint32_t header_bytes[] = {52, 40, 72, 60, 64};

/* The packets between two pairs that are in no pair, by number. */
struct rest_gap {
	const struct packet_rest *rest;
	uint32_t sent[REST_MAX], received[REST_MAX];
	size_t sent_count, received_count;
};

static bool times_fit(const struct rest_gap *gap, uint32_t sent, uint32_t received)
{
	nsec_t from = gap->rest->sent[sent].time, to = gap->rest->received[received].time;

	return from <= to && to - from <= REST_TIME_MAX;
}

static void gap_pair(const struct rest_gap *gap, uint32_t sent, uint32_t received)
{
	const struct packet_rest *rest = gap->rest;

	rest->sent_used[sent] = true;
	rest->received_used[received] = true;
	rest->on_pair(rest->state, &(struct packet_pair){sent, received});
}

/* The only one of that length in the list; UINT32_MAX: there is none, or more. */
static uint32_t only_of_length(const struct packet_sight *packet, const uint32_t *list,
                               size_t count, uint32_t bytes)
{
	uint32_t only = UINT32_MAX;

	for (size_t i = 0; i < count; i++) {
		if (packet[list[i]].bytes != bytes)
			continue;
		if (only != UINT32_MAX)
			return UINT32_MAX;
		only = list[i];
	}
	return only;
}

/* Packets that took long. */
static void gap_pair_slow(const struct rest_gap *gap)
{
	const struct packet_rest *rest = gap->rest;

	for (size_t i = 0; i < gap->sent_count; i++) {
		uint32_t sent = gap->sent[i], bytes = rest->sent[sent].bytes, received;

		if (bytes < REST_BYTES_MIN ||
		    only_of_length(rest->sent, gap->sent, gap->sent_count, bytes) != sent)
			continue;
		received = only_of_length(rest->received, gap->received, gap->received_count,
		                          bytes);
		if (received != UINT32_MAX && times_fit(gap, sent, received))
			gap_pair(gap, sent, received);
	}
}

/* Counts the consecutive unused packets from list[at] on that together hold the data of a packet
   of `bytes` bytes. Returns at least 2, or 0 if there are none. */
static size_t pieces_count(const struct packet_sight *packet, const bool *used,
                           const uint32_t *list, size_t count, size_t at, uint32_t bytes)
{
	for (size_t h = 0; h < ARRAY_SIZE(header_bytes); h++) {
		uint32_t header = header_bytes[h];
		uint64_t sum = header;
		size_t end = at;

		while (end < count && sum < bytes && !used[list[end]] &&
		       packet[list[end]].bytes > header)
			sum += packet[list[end++]].bytes - header;
		if (sum == bytes && end - at >= 2)
			return end - at;
	}
	return 0;
}

/* Returns where the only such pieces begin, and their number; SIZE_MAX: none, or several. */
static size_t pieces_find(const struct packet_sight *packet, const bool *used,
                          const uint32_t *list, size_t count, uint32_t bytes, size_t *ret_count)
{
	size_t only = SIZE_MAX;

	for (size_t at = 0; at < count; at++) {
		size_t pieces = pieces_count(packet, used, list, count, at, bytes);

		if (pieces == 0)
			continue;
		if (only != SIZE_MAX)
			return SIZE_MAX;
		only = at;
		*ret_count = pieces;
	}
	return only;
}

/* One packet was sent, several arrived. */
static void gap_pair_cut(const struct rest_gap *gap)
{
	const struct packet_rest *rest = gap->rest;

	for (size_t i = 0; i < gap->sent_count; i++) {
		uint32_t sent = gap->sent[i];
		size_t count = 0, at;

		if (rest->sent_used[sent] || rest->sent[sent].bytes < JOINED_BYTES_MIN)
			continue;
		at = pieces_find(rest->received, rest->received_used, gap->received,
		                 gap->received_count, rest->sent[sent].bytes, &count);
		if (at == SIZE_MAX || !times_fit(gap, sent, gap->received[at]) ||
		    !times_fit(gap, sent, gap->received[at + count - 1]))
			continue;
		for (size_t k = 0; k < count; k++)
			gap_pair(gap, sent, gap->received[at + k]);
	}
}

/* Several were sent, one arrived: with the last of them. */
static void gap_pair_joined(const struct rest_gap *gap)
{
	const struct packet_rest *rest = gap->rest;

	for (size_t i = 0; i < gap->received_count; i++) {
		uint32_t received = gap->received[i];
		size_t count = 0, at;

		if (rest->received_used[received] ||
		    rest->received[received].bytes < JOINED_BYTES_MIN)
			continue;
		at = pieces_find(rest->sent, rest->sent_used, gap->sent, gap->sent_count,
		                 rest->received[received].bytes, &count);
		if (at == SIZE_MAX || !times_fit(gap, gap->sent[at], received) ||
		    !times_fit(gap, gap->sent[at + count - 1], received))
			continue;
		for (size_t k = 0; k < count; k++)
			rest->sent_used[gap->sent[at + k]] = true;
		gap_pair(gap, gap->sent[at + count - 1], received);
	}
}

/* Lists the unused numbers in (after, before); false: there are too many. */
static bool gap_list(const bool *used, size_t after, size_t before, uint32_t *list, size_t *count)
{
	*count = 0;
	for (size_t i = after; i < before; i++) {
		if (used[i])
			continue;
		if (*count == REST_MAX)
			return false;
		list[(*count)++] = (uint32_t)i;
	}
	return *count > 0;
}

void packet_rest_find(const struct packet_rest *rest)
{
	const struct packet_way *way = rest->way;
	struct rest_gap gap = {.rest = rest};
	size_t sent, received;

	if (way->count == 0)
		return;
	sent = way->pair[0].sent + 1;
	received = way->pair[0].received + 1;
	for (size_t i = 1; i < way->count; i++) {
		size_t sent_end = way->pair[i].sent, received_end = way->pair[i].received;

		/* one that was overtaken says nothing of the order */
		if (received_end < received)
			continue;
		if (gap_list(rest->sent_used, sent, sent_end, gap.sent, &gap.sent_count) &&
		    gap_list(rest->received_used, received, received_end, gap.received,
		             &gap.received_count)) {
			gap_pair_slow(&gap);
			gap_pair_cut(&gap);
			gap_pair_joined(&gap);
		}
		sent = sent_end + 1;
		received = received_end + 1;
	}
}
