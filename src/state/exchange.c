/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exchange.h"

#include "graph/timeline/timeline.h"

void exchange_begin(struct exchange *exchange, nsec_t since)
{
	*exchange = (struct exchange){
		.since = since,
		.landed = NSEC_NEVER,
		.left = NSEC_NEVER,
		.track = TRACK_NONE,
	};
}

bool exchange_add(struct exchange *exchange, bool is_send, nsec_t now, uint32_t track,
                  struct exchange *ret)
{
	bool is_next = !is_send && exchange->has_sent;

	if (is_next) {
		*ret = *exchange;
		exchange_begin(exchange, exchange->last_sent);
	}
	if (is_send) {
		if (!exchange->has_sent) {
			exchange->first_sent = now;
			exchange->track = track;
		}
		exchange->has_sent = true;
		exchange->last_sent = now;
	} else {
		if (!exchange->has_received) {
			exchange->first_received = now;
			exchange->track = track;
		}
		exchange->has_received = true;
		exchange->last_received = now;
	}
	return is_next;
}

bool exchange_interval(const struct exchange *exchange, struct interval *ret)
{
	struct exchange_interval *phases = &ret->exchange;

	if (!exchange->has_received && !exchange->has_sent)
		return false;
	ret->begin = exchange->has_received ? exchange->first_received : exchange->first_sent;
	ret->task = exchange->track;
	phases->answered = exchange->has_sent ? exchange->first_sent : NSEC_NEVER;
	phases->wait = phases->receive = phases->work = phases->send = NSEC_NEVER;
	phases->way_out = phases->answering = phases->way_back = NSEC_NEVER;
	if (exchange->has_received && exchange->since != NSEC_NEVER)
		phases->wait = exchange->first_received - exchange->since;
	if (phases->wait != NSEC_NEVER && exchange->landed != NSEC_NEVER) {
		phases->way_out = exchange->landed - exchange->since;
		phases->answering = exchange->left - exchange->landed;
		phases->way_back = exchange->first_received - exchange->left;
	}
	if (exchange->has_received)
		phases->receive = exchange->last_received - exchange->first_received;
	if (exchange->has_received && exchange->has_sent)
		phases->work = exchange->first_sent - exchange->last_received;
	if (exchange->has_sent)
		phases->send = exchange->last_sent - exchange->first_sent;
	return true;
}
