/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packet_share.h"

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"

#define EXPECTED_LEAST 16 /* pairs; fewer may be missing by accident */
#define NONE_LEAST     10 /* likewise, if all are missing */
#define DENSE_MAX      1000000 /* ns */
#define DROP_LEAST     8  /* so many times fewer than expected */

/* A packet without partner. */
struct lone_packet {
	int64_t at;
	uint32_t bytes;
	unsigned slice;
};

ORDER_FUNCTION(lone_compare, struct lone_packet, RISING(x, y, bytes), RISING(x, y, at))

static int64_t time_of(const struct share_side *side, size_t i)
{
	const struct packet_sight *sight = &side->sight[i];

	return (int64_t)sight->time +
	       (side->line ? clock_line_shift(side->line, sight->time) : 0);
}

/* SHARE_SLICES: it is outside the time. */
static unsigned slice_of(int64_t at, const struct share_time *time)
{
	if (at < time->begin || at >= time->end)
		return SHARE_SLICES;
	return (unsigned)((at - time->begin) / ((time->end - time->begin) / SHARE_SLICES + 1));
}

/* Whether it follows directly on another packet of its length: then both may have no partner as
   either may be the other one's. */
static bool is_dense(const struct lone_packet *lone, const struct lone_packet *before)
{
	return lone->bytes == before->bytes && lone->at - before->at < DENSE_MAX;
}

/* By length and time. */
static struct lone_packet *lone_find(const struct share_side *side, const struct share_time *time,
                                     size_t *ret_count)
{
	struct lone_packet *lone = xcalloc(side->count, sizeof(*lone));
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < side->count; i++) {
		int64_t at = time_of(side, i);
		unsigned slice = slice_of(at, time);

		if (slice < SHARE_SLICES && !side->is_paired[i])
			lone[count++] = (struct lone_packet){at, side->sight[i].bytes, slice};
	}
	array_sort(lone, count, sizeof(*lone), lone_compare);
	for (size_t i = 0; i < count; i++) {
		struct lone_packet packet = lone[i];

		if ((i == 0 || !is_dense(&packet, &lone[i - 1])) &&
		    (i + 1 == count || !is_dense(&lone[i + 1], &packet)))
			lone[kept++] = packet;
	}
	*ret_count = kept;
	return lone;
}

static int lone_order(const struct lone_packet *left, const struct lone_packet *right)
{
	return ORDER_BY(RISING(left, right, bytes), RISING(left, right, slice));
}

void packet_share_find(const struct share_side *sent, const struct share_side *received,
                       const struct share_time *time, struct packet_share *ret)
{
	size_t sent_count, received_count, i = 0, j = 0;
	_cleanup_(freep) struct lone_packet *left = lone_find(sent, time, &sent_count);
	_cleanup_(freep) struct lone_packet *right = lone_find(received, time, &received_count);

	*ret = (struct packet_share){0};
	for (size_t k = 0; k < sent->count; k++) {
		unsigned slice = slice_of(time_of(sent, k), time);

		if (slice < SHARE_SLICES && sent->is_paired[k])
			ret->paired[slice]++;
	}
	while (i < sent_count && j < received_count) {
		int order = lone_order(&left[i], &right[j]);

		ret->alone[left[i].slice] += order == 0;
		i += order <= 0;
		j += order >= 0;
	}
}

/* Sums of what is before or after a time. */
struct part {
	uint64_t paired, alone, other_paired;
};

static void part_add(struct part *part, const struct packet_share *one,
                     const struct packet_share *other, size_t slice)
{
	part->paired += one->paired[slice];
	part->alone += one->alone[slice];
	part->other_paired += other->paired[slice];
}

/* Whether fewer than half of the pairs are there that the rest and the other direction let expect,
   and 3.5 times the standard deviation fewer. */
static bool part_lags(const struct part *part, const struct part *rest)
{
	uint64_t expected = rest->other_paired
	                            ? part->other_paired * rest->paired / rest->other_paired
	                            : 0;
	uint64_t missing = expected - part->paired;

	if (part->paired * 2 >= expected || part->alone * 2 < expected)
		return false;
	if (expected >= NONE_LEAST && part->paired == 0)
		return true;
	return missing * missing * 4 >= 49 * (expected + expected * expected / rest->paired);
}

/* Whether hardly a packet has a partner, where in the rest most have one; fewer than half, where in
   the rest nearly all have. */
static bool part_is_empty(const struct part *part, const struct part *rest)
{
	uint64_t packets = rest->paired + rest->alone;
	uint64_t expected = packets ? (part->paired + part->alone) * rest->paired / packets : 0;

	if (expected < EXPECTED_LEAST || rest->paired < rest->alone)
		return false;
	return part->paired * (rest->paired >= 3 * rest->alone ? 2 : DROP_LEAST) < expected;
}

static bool part_is_doubtful(const struct part *part, const struct part *rest)
{
	return part_lags(part, rest) || part_is_empty(part, rest);
}

static bool share_drops(const struct packet_share *one, const struct packet_share *other)
{
	for (size_t middle = 1; middle < SHARE_SLICES; middle++) {
		struct part before = {0}, after = {0};

		for (size_t slice = 0; slice < SHARE_SLICES; slice++)
			part_add(slice < middle ? &before : &after, one, other, slice);
		if (part_is_doubtful(&before, &after) || part_is_doubtful(&after, &before))
			return true;
	}
	return false;
}

bool packet_shares_differ(const struct packet_share *there, const struct packet_share *back)
{
	struct packet_share both;

	for (size_t slice = 0; slice < SHARE_SLICES; slice++) {
		both.paired[slice] = there->paired[slice] + back->paired[slice];
		both.alone[slice] = there->alone[slice] + back->alone[slice];
	}
	return share_drops(there, back) || share_drops(back, there) || share_drops(&both, &both);
}
