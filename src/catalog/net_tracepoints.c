/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints of network devices and of sockets. Events of a socket are recorded from its own point
 * of view: saddr and sport are of this host, daddr and dport of the peer, whichever way the packet
 * went. The arrays that end in _v6 hold IPv4 addresses too, mapped. tcp_probe has the sock since
 * 6.10.
 */
#include "tracepoint.h"

#define PACKET(group_, event, kind_, use_)                                             \
	{                                                                              \
		.system = "net", .name = event, .group = group_, .use = use_,          \
		.kind = kind_,                                                         \
		.field = {                                                             \
			FIELD_NUMBER("skbaddr", net.packet),                           \
			FIELD_NUMBER_IF_ANY("len", net.bytes),                         \
			FIELD_TEXT_IF_ANY("name", net.dev),                            \
		},                                                                     \
	}

#define RESET(event)                                                                   \
	{                                                                              \
		.system = "tcp", .name = event, .group = "net", .is_optional = true,   \
		.use = "connections that were aborted", .kind = EVENT_SOCKET_RESET,    \
		.field = {FIELD_NUMBER("skaddr", socket.socket)},                      \
	}

/* Of local sockets, those calls that waited in vain. 64 is MSG_DONTWAIT, which reads show. */
#define TRANSFER(event, kind_, use_)                                                   \
	{                                                                              \
		.system = "sock", .name = event, .group = "net", .is_optional = true,  \
		.filter = "family == 2 || family == 10 || "                            \
			  "(family == 1 && ret < 0 && !(flags & 64))",                 \
		.use = use_, .kind = kind_,                                            \
		.field = {                                                             \
			FIELD_NUMBER("sk", transfer.socket),                           \
			FIELD_NUMBER("family", transfer.family),                       \
			FIELD_NUMBER("protocol", transfer.protocol),                   \
			FIELD_NUMBER("ret", transfer.result),                          \
			FIELD_NUMBER("flags", transfer.flags),                         \
		},                                                                     \
	}

/* The filter leaves out routes of received packets, which are looked up without a protocol. */
#define ROUTE(system_, event)                                                          \
	{                                                                              \
		.system = system_, .name = event, .group = "net", .is_optional = true, \
		.filter = "proto == 17", .use = "addresses of datagrams",              \
		.kind = EVENT_NET_ROUTE,                                               \
		.field = {                                                             \
			FIELD_NUMBER("sport", socket.local_port),                      \
			FIELD_NUMBER("dport", socket.peer_port),                       \
			FIELD_NUMBER("proto", socket.state),                           \
			FIELD_BYTES("dst", socket.peer),                               \
			FIELD_BYTES("src", socket.local),                              \
		},                                                                     \
	}

const struct tracepoint net_tracepoints[] = {
	PACKET("net", "netif_receive_skb", EVENT_NET_RECEIVE, "packets as causes"),
	PACKET("net", "net_dev_queue", EVENT_NET_QUEUE, "who sent what this machine receives"),
	PACKET(NULL, "napi_gro_receive_entry", EVENT_NET_ARRIVE, "closer clocks of machines"),
	PACKET(NULL, "napi_gro_frags_entry", EVENT_NET_ARRIVE, "closer clocks of machines"),
	{
		.system = "net", .name = "netif_rx", .group = "net", .is_optional = true,
		/* loopback packets are recognized by the device in net_dev_queue */
		.filter = "name != \"lo\"",
		.use = "packets that cross between network namespaces",
		.kind = EVENT_NET_CROSS,
		.field = {
			FIELD_NUMBER("skbaddr", net.packet),
			FIELD_TEXT_IF_ANY("name", net.dev),
		},
	},
	{
		.system = "qdisc", .name = "qdisc_dequeue", .group = "net", .is_optional = true,
		/* often the queue is empty */
		.filter = "skbaddr != 0",
		.use = "packets that stood in a device's queue",
		.kind = EVENT_NET_DEQUEUE,
		.field = {FIELD_NUMBER("skbaddr", net.packet)},
	},
	{
		.system = "skb", .name = "kfree_skb", .group = "net", .is_optional = true,
		/* closing a local or netlink socket also frees messages by kfree_skb */
		.filter = "protocol != 0",
		.use = "packets that were dropped, and why",
		.kind = EVENT_NET_DROP,
		.field = {
			FIELD_NUMBER_IF_ANY("reason", drop.reason),
			FIELD_NUMBER("location", drop.location),
			FIELD_NUMBER("protocol", drop.protocol),
		},
	},
	{
		.system = "napi", .name = "napi_poll", .group = "net",
		.use = "where a batch of packets ends",
		.kind = EVENT_NAPI_POLL,
		.field = {FIELD_TEXT_IF_ANY("dev_name", net.dev)},
	},
	{
		.system = "sock", .name = "inet_sock_set_state", .group = "net",
		.use = "connections: peer, port, lifetime",
		.kind = EVENT_SOCKET_STATE,
		.field = {
			FIELD_NUMBER("skaddr", socket.socket),
			FIELD_NUMBER("newstate", socket.state),
			FIELD_NUMBER("sport", socket.local_port),
			FIELD_NUMBER("dport", socket.peer_port),
			FIELD_BYTES("daddr_v6", socket.peer),
			FIELD_TEXT_IF_ANY("saddr_v6", socket.local), /* bytes */
		},
	},
	{
		.system = "tcp", .name = "tcp_probe", .group = "net",
		.is_optional = true,
		.use = "which connection a packet is for",
		.kind = EVENT_SOCKET_RECEIVE,
		.field = {
			FIELD_NUMBER_IF_ANY("skaddr", socket.socket),
			FIELD_NUMBER("sport", socket.local_port),
			FIELD_NUMBER("dport", socket.peer_port),
			FIELD_BYTES("daddr", socket.peer),
			FIELD_TEXT_IF_ANY("saddr", socket.local), /* bytes */
		},
	},
	{
		.system = "tcp", .name = "tcp_retransmit_skb", .group = "net",
		.is_optional = true, .use = "segments sent again: peers that do not answer",
		.kind = EVENT_SOCKET_RETRANSMIT,
		.field = {
			FIELD_NUMBER("skaddr", socket.socket),
			FIELD_NUMBER_IF_ANY("sport", socket.local_port),
			FIELD_NUMBER_IF_ANY("dport", socket.peer_port),
			FIELD_TEXT_IF_ANY("daddr_v6", socket.peer), /* bytes */
		},
	},
	{
		/* its skaddr is the listening sock: the connection has none yet */
		.system = "tcp", .name = "tcp_retransmit_synack", .group = "net",
		.is_optional = true, .use = "segments sent again: peers that do not answer",
		.kind = EVENT_SOCKET_RETRANSMIT,
		.field = {
			FIELD_NUMBER("sport", socket.local_port),
			FIELD_NUMBER("dport", socket.peer_port),
		},
	},
	ROUTE("fib", "fib_table_lookup"),
	ROUTE("fib6", "fib6_table_lookup"),
	RESET("tcp_send_reset"),
	RESET("tcp_receive_reset"),
	TRANSFER("sock_send_length", EVENT_SOCKET_SEND, "bytes of connections, their turns"),
	TRANSFER("sock_recv_length", EVENT_SOCKET_TAKE, "bytes of connections, their turns"),
	{
		.system = "sock", .name = "sk_data_ready", .group = "net",
		/* AF_UNIX sockets have this event for every message, without any packet */
		.is_optional = true, .filter = "family != 1",
		.use = "which socket a packet is for",
		.kind = EVENT_SOCKET_READY,
		.field = {FIELD_NUMBER("skaddr", socket.socket)},
	},
	{0},
};
