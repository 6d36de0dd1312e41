/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "request_time.h"

#include <netinet/in.h>

#include "graph/timeline/timeline.h"

bool request_time(const struct interval *interval, struct request_time *ret)
{
	const struct exchange_interval *exchange = &interval->exchange;
	bool is_client = exchange->is_active;
	nsec_t length = is_client ? exchange->wait : exchange->work;

	if (exchange->of.protocol != IPPROTO_TCP || interval->task == TRACK_NONE ||
	    length == NSEC_NEVER || (!is_client && !exchange->of.is_passive))
		return false;
	*ret = (struct request_time){
		.task = interval->task,
		.is_client = is_client,
		.address = is_client ? exchange->of.peer : exchange->of.local,
		.length = length,
		/* the wait of a client ends at its first read, where the interval begins */
		.end = is_client ? interval->begin : exchange->answered,
	};
	ret->begin = ret->end - length;
	return true;
}
