/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of network devices. */
#include "event_decoder.h"

#define PACKET(event, kind_)                                        \
	{                                                           \
		.system = "net", .name = event, .kind = kind_,      \
		.field = {                                          \
			FIELD_NUMBER("skbaddr", net.packet),        \
			FIELD_NUMBER_IF_ANY("len", net.bytes),      \
			FIELD_TEXT_IF_ANY("name", net.dev),         \
		},                                                  \
	}

const struct decoder_row net_event_rows[] = {
	PACKET("netif_receive_skb", EVENT_NET_RECEIVE),
	PACKET("net_dev_queue", EVENT_NET_QUEUE),
	{
		.system = "napi", .name = "napi_poll", .kind = EVENT_NAPI_POLL,
		.field = {FIELD_TEXT_IF_ANY("dev_name", net.dev)},
	},
	{0},
};
