/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sockets. */
#include "place_rows.h"

#include "base/array.h"

static const struct place_row rows[] = {
	{"inet_csk_accept", 1, .call = CALL_ACCEPT, .is_for_work = true},
	{"unix_accept", 2, .is_for_work = true},
	{"inet_stream_connect", 0, .call = CALL_CONNECT},
	{"__inet_stream_connect", 0, .call = CALL_CONNECT},
	{"sk_wait_data", 0, .call = CALL_RECEIVE},
	{"tcp_recvmsg", 0, .call = CALL_RECEIVE},
	{"__skb_wait_for_more_packets", 0, .call = CALL_RECEIVE},
	{"__skb_recv_datagram", 0, .call = CALL_RECEIVE},
	{"unix_stream_read_generic", 0, .call = CALL_RECEIVE},
	{"sk_stream_wait_memory", 0, .call = CALL_SEND},
	{"sk_stream_wait_connect", 0, .call = CALL_SEND},
	{"sock_alloc_send_pskb", 0, .call = CALL_SEND},
};

const struct place_group place_rows_net = {rows, ARRAY_SIZE(rows)};
