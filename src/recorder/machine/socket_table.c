/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "socket_table.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/monotonic.h"
#include "base/xalloc.h"
#include "ftwait/event.h"
#include "text_file.h"

/* The kernel prints listening sockets first, so only connections are cut off. */
#define TABLE_BYTES_MAX (1u << 20)

static void listening_ports_add(struct listening_ports *ports, uint16_t port)
{
	size_t at = 0;

	while (at < ports->count && ports->port[at] < port)
		at++;
	if (ports->count == STREAM_LISTEN_MAX || (at < ports->count && ports->port[at] == port))
		return;
	memmove(&ports->port[at + 1], &ports->port[at],
	        (ports->count - at) * sizeof(ports->port[0]));
	ports->port[at] = port;
	ports->count++;
}

/* "   0: 0100007F:1F90 00000000:0000 0A ..." */
static void line_parse(struct listening_ports *ports, const char *line)
{
	unsigned port, state;
	int fields = sscanf(line, " %*u: %*32[0-9A-Fa-f]:%4x %*32[0-9A-Fa-f]:%*4x %2x ", &port,
	                    &state);

	if (fields == 2 && state == STATE_LISTEN && port > 0)
		listening_ports_add(ports, (uint16_t)port);
}

void listening_ports_parse(struct listening_ports *ports, const char *text)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		line_parse(ports, line);
	}
}

void listening_ports_look(struct listening_ports *ports, pid_t pid)
{
	static const char *const tables[] = {"tcp", "tcp6"};
	_cleanup_(buffer_release) struct buffer text = buffer_of(TABLE_BYTES_MAX);

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		/* if the table is too long, the part that was read is used */
		(void)text_file_read(PROC_PATH("/proc/%d/net/%s", (int)pid, tables[i]), &text);
		listening_ports_parse(ports, text.text);
	}
}

void listening_ports_describe(const struct listening_ports *ports, struct buffer *to)
{
	for (size_t i = 0; i < ports->count; i++)
		buffer_printf(to, "%s %u", i ? "" : "listen", (unsigned)ports->port[i]);
	if (ports->count)
		buffer_putc(to, '\n');
}

#define REPLY_BYTES   32768
#define TEXT_BYTES    (1u << 20)
#define PATIENCE_USEC 100000 /* for one message of the kernel, which answers at once */

/* Without those that no process has open: TIME_WAIT and NEW_SYN_RECV. */
#define STATES        (~(1u << 6 | 1u << 12))

struct request {
	struct nlmsghdr head;
	union {
		struct inet_diag_req_v2 inet;
		struct unix_diag_req unix_;
	} as;
};

struct reading {
	struct buffer *reply;
	nsec_t deadline;
	uint32_t count;
	uint8_t protocol;
};

static void row_put(struct reading *reading, const struct socket_row *row)
{
	if (row->inode == 0 || reading->count == SOCKETS_MAX)
		return;
	reading->count++;
	buffer_append(reading->reply, row, sizeof(*row));
}

static void endpoint_set(struct endpoint *to, uint8_t family, const void *address, uint16_t port)
{
	const struct text text = {
		.at = address,
		.length = family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr),
	};

	(void)endpoint_read(&text, port, to);
}

/* The attribute of the message behind its fixed part; NULL: it has none of that type. */
static const void *attribute(const struct nlmsghdr *head, size_t fixed, uint16_t type,
			     size_t *ret_size)
{
	const char *at = (const char *)head + NLMSG_LENGTH(NLMSG_ALIGN(fixed));
	const char *end = (const char *)head + head->nlmsg_len;

	while ((size_t)(end - at) >= sizeof(struct nlattr)) {
		struct nlattr attr;

		memcpy(&attr, at, sizeof(attr));
		if (attr.nla_len < sizeof(attr) || attr.nla_len > (size_t)(end - at))
			break;
		if ((attr.nla_type & NLA_TYPE_MASK) == type) {
			*ret_size = attr.nla_len - sizeof(attr);
			return at + sizeof(attr);
		}
		if (NLMSG_ALIGN(attr.nla_len) >= (size_t)(end - at))
			break;
		at += NLMSG_ALIGN(attr.nla_len);
	}
	return NULL;
}

/* Copies as much of it as there is; returns its size. */
static size_t attribute_copy(const struct nlmsghdr *head, size_t fixed, uint16_t type, void *to,
			     size_t size)
{
	size_t got = 0;
	const void *at = attribute(head, fixed, type, &got);

	if (at)
		memcpy(to, at, got < size ? got : size);
	return got;
}

static void row_set_state(struct socket_row *row, uint8_t state, uint32_t received, uint32_t sent)
{
	row->is_listening = state == STATE_LISTEN && row->protocol != SOCKET_UDP;
	row->is_connecting = state == STATE_SYN_SENT;
	row->queued = row->is_listening ? received : sent;
	row->backlog = row->is_listening ? sent : 0;
}

static void inet_take(struct reading *reading, const struct nlmsghdr *head)
{
	struct socket_row row = {.protocol = reading->protocol};
	struct inet_diag_msg message;
	struct tcp_info info = {0};

	if (head->nlmsg_len < NLMSG_LENGTH(sizeof(message)))
		return;
	memcpy(&message, (const char *)head + NLMSG_HDRLEN, sizeof(message));
	row.inode = message.idiag_inode;
	endpoint_set(&row.local, message.idiag_family, message.id.idiag_src,
		     ntohs(message.id.idiag_sport));
	endpoint_set(&row.remote, message.idiag_family, message.id.idiag_dst,
		     ntohs(message.id.idiag_dport));
	row_set_state(&row, message.idiag_state, message.idiag_rqueue, message.idiag_wqueue);
	if (attribute_copy(head, sizeof(message), INET_DIAG_INFO, &info, sizeof(info)) >=
	    offsetof(struct tcp_info, tcpi_last_ack_recv)) {
		row.since_sent = info.tcpi_last_data_sent;
		row.since_received = info.tcpi_last_data_recv;
		/* acknowledged bytes count the opening as one */
		row.is_first = (info.tcpi_bytes_sent > 0 || info.tcpi_bytes_acked > 1) &&
			       info.tcpi_bytes_received == 0;
	}
	row_put(reading, &row);
}

/* The other ends of connections that the listening socket has not accepted: of these only the
   listening one knows. */
static void unix_take_waiting(struct reading *reading, const struct nlmsghdr *head,
			      uint64_t listening)
{
	size_t size = 0;
	const char *at = attribute(head, sizeof(struct unix_diag_msg), UNIX_DIAG_ICONS, &size);
	uint32_t inode;

	for (size_t i = 0; at && (i + 1) * sizeof(inode) <= size; i++) {
		memcpy(&inode, at + i * sizeof(inode), sizeof(inode));
		row_put(reading, &(struct socket_row){
			.inode = inode,
			.peer = listening,
			.is_note = true,
		});
	}
}

static void unix_take(struct reading *reading, const struct nlmsghdr *head)
{
	struct socket_row row = {.protocol = SOCKET_UNIX};
	struct unix_diag_msg message;
	struct unix_diag_rqlen queue = {0};
	uint32_t peer = 0;

	if (head->nlmsg_len < NLMSG_LENGTH(sizeof(message)))
		return;
	memcpy(&message, (const char *)head + NLMSG_HDRLEN, sizeof(message));
	row.inode = message.udiag_ino;
	(void)attribute_copy(head, sizeof(message), UNIX_DIAG_PEER, &peer, sizeof(peer));
	row.peer = peer;
	(void)attribute_copy(head, sizeof(message), UNIX_DIAG_RQLEN, &queue, sizeof(queue));
	row_set_state(&row, message.udiag_state, queue.udiag_rqueue, queue.udiag_wqueue);
	if (attribute_copy(head, sizeof(message), UNIX_DIAG_NAME, row.name,
			   sizeof(row.name) - 1) > 0)
		row.name[0] = row.name[0] ? row.name[0] : '@';
	row_put(reading, &row);
	if (row.is_listening)
		unix_take_waiting(reading, head, row.inode);
}

/* Takes the messages of one part of the answer; returns 1 if more parts follow, 0 at the end,
   -errno: the kernel has no such list. */
static int part_take(struct reading *reading, const char *text, size_t length)
{
	while (length >= sizeof(struct nlmsghdr)) {
		const struct nlmsghdr *head = (const struct nlmsghdr *)(const void *)text;
		size_t size = NLMSG_ALIGN(head->nlmsg_len);

		if (head->nlmsg_len < sizeof(*head) || head->nlmsg_len > length ||
		    head->nlmsg_type == NLMSG_DONE)
			return 0;
		if (head->nlmsg_type == NLMSG_ERROR)
			return -ENOENT;
		if (reading->protocol == SOCKET_UNIX)
			unix_take(reading, head);
		else
			inet_take(reading, head);
		if (size >= length)
			return 1;
		text += size;
		length -= size;
	}
	return 1;
}

static int list_read(struct reading *reading, int fd, const struct request *request)
{
	_cleanup_(freep) char *text = xmalloc(REPLY_BYTES);
	int r = 1;

	if (send(fd, request, request->head.nlmsg_len, 0) < 0)
		return -errno;
	while (r > 0) {
		ssize_t got = recv(fd, text, REPLY_BYTES, 0);

		if (got <= 0)
			return got < 0 ? -errno : -EIO;
		r = part_take(reading, text, (size_t)got);
		if (reading->count == SOCKETS_MAX || monotonic_now() >= reading->deadline)
			return 0;
	}
	return r;
}

/* A socket for each list: the rest of one that was not read to its end goes with it. */
static int diag_read(struct reading *reading, uint8_t family, uint8_t protocol)
{
	const struct timeval patience = {.tv_usec = PATIENCE_USEC};
	struct request request = {
		.head = {
			.nlmsg_type = SOCK_DIAG_BY_FAMILY,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		},
	};
	_cleanup_(closep) int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	if (fd < 0)
		return -errno;
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (family == AF_UNIX) {
		request.head.nlmsg_len = NLMSG_LENGTH(sizeof(request.as.unix_));
		request.as.unix_ = (struct unix_diag_req){
			.sdiag_family = AF_UNIX,
			.udiag_states = ~0u,
			.udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER |
				      UDIAG_SHOW_ICONS | UDIAG_SHOW_RQLEN,
		};
	} else {
		request.head.nlmsg_len = NLMSG_LENGTH(sizeof(request.as.inet));
		request.as.inet = (struct inet_diag_req_v2){
			.sdiag_family = family,
			.sdiag_protocol = protocol,
			.idiag_ext = protocol == IPPROTO_TCP ? 1u << (INET_DIAG_INFO - 1) : 0,
			.idiag_states = STATES,
		};
	}
	return list_read(reading, fd, &request);
}

/* "0100007F", or four such words: each in the byte order of the machine. */
static bool address_parse(const char *text, uint16_t port, struct endpoint *ret)
{
	uint32_t word[4];
	size_t count = strlen(text) / 8;

	if (count != 1 && count != 4)
		return false;
	for (size_t i = 0; i < count; i++)
		if (sscanf(text + 8 * i, "%8" SCNx32, &word[i]) != 1)
			return false;
	endpoint_set(ret, count == 1 ? AF_INET : AF_INET6, word, port);
	return true;
}

/* "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0  0 4711 ..." */
static void line_take(struct reading *reading, const char *line)
{
	struct socket_row row = {.protocol = reading->protocol};
	char local[33], remote[33];
	unsigned local_port, remote_port, state;
	uint32_t sent, received;

	if (sscanf(line, " %*u: %32[0-9A-Fa-f]:%x %32[0-9A-Fa-f]:%x %x %" SCNx32 ":%" SCNx32
	           " %*x:%*x %*x %*u %*u %" SCNu64, local, &local_port, remote, &remote_port,
	           &state, &sent, &received, &row.inode) != 8 ||
	    !address_parse(local, (uint16_t)local_port, &row.local) ||
	    !address_parse(remote, (uint16_t)remote_port, &row.remote))
		return;
	row_set_state(&row, (uint8_t)state, received, sent);
	row_put(reading, &row);
}

static void text_take(struct reading *reading, int32_t tgid, bool is_v6)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(TEXT_BYTES);

	(void)text_file_read(PROC_PATH("/proc/%d/net/%s%s", tgid,
	                               reading->protocol == SOCKET_TCP ? "tcp" : "udp",
	                               is_v6 ? "6" : ""), &text);
	for (const char *line = text.text; (line = strchr(line, '\n')); line++)
		line_take(reading, line + 1);
}

/* Goes to the network namespace of the process. Returns a file of the own one, to go back to; -1:
   it is the same one; -2: it cannot be entered. */
static int namespace_enter(int32_t tgid)
{
	const char *path = PROC_PATH("/proc/%d/ns/net", tgid);
	_cleanup_(closep) int to = -1;
	char own[64] = "", other[64] = "";
	int back;

	if (readlink("/proc/self/ns/net", own, sizeof(own) - 1) < 0 ||
	    readlink(path, other, sizeof(other) - 1) < 0)
		return -2;
	if (strcmp(own, other) == 0)
		return -1;
	to = open(path, O_RDONLY | O_CLOEXEC);
	back = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (to >= 0 && back >= 0 && setns(to, CLONE_NEWNET) == 0)
		return back;
	closep(&back);
	return -2;
}

static int look(const void *argument, size_t size, struct buffer *reply)
{
	static const uint8_t protocols[] = {[SOCKET_TCP] = IPPROTO_TCP, [SOCKET_UDP] = IPPROTO_UDP};
	struct reading reading = {.reply = reply, .deadline = monotonic_now() + SOCKETS_NS};
	int32_t tgid;
	int back;

	(void)size;
	memcpy(&tgid, argument, sizeof(tgid));
	back = namespace_enter(tgid);
	for (int i = SOCKET_TCP; i < SOCKET_PROTOCOL_COUNT; i++) {
		reading.protocol = (uint8_t)i;
		if (i == SOCKET_UNIX) {
			if (back > -2)
				(void)diag_read(&reading, AF_UNIX, 0);
			continue;
		}
		for (int is_v6 = 0; is_v6 < 2; is_v6++)
			if (back == -2 ||
			    diag_read(&reading, is_v6 ? AF_INET6 : AF_INET, protocols[i]) < 0)
				text_take(&reading, tgid, is_v6);
	}
	/* if it cannot go back, the namespaces are compared anew next time */
	if (back >= 0) {
		(void)setns(back, CLONE_NEWNET);
		(void)close(back);
	}
	return 0;
}

void socket_table_init(struct socket_table *table)
{
	*table = (struct socket_table){.count = 0};
	buffer_init(&table->rows, SOCKETS_MAX * sizeof(struct socket_row));
}

void socket_table_release(struct socket_table *table)
{
	buffer_release(&table->rows);
}

static struct socket_row *rows_of(const struct socket_table *table)
{
	return (struct socket_row *)(void *)table->rows.text;
}

ORDER_FUNCTION(row_compare, struct socket_row, RISING(x, y, inode), RISING(x, y, is_note))

/* A note follows its socket. */
static void notes_apply(struct socket_table *table)
{
	struct socket_row *rows = rows_of(table);
	size_t count = 0;

	for (size_t i = 0; i < table->count; i++) {
		if (!rows[i].is_note)
			rows[count++] = rows[i];
		else if (count > 0 && rows[count - 1].inode == rows[i].inode)
			rows[count - 1].peer = rows[i].peer;
	}
	table->count = count;
}

void socket_table_read(struct socket_table *table, struct peek *peek, int32_t tgid)
{
	buffer_clear(&table->rows);
	if (peek)
		(void)peek_call(peek, (uint64_t)tgid, look, &tgid, sizeof(tgid), &table->rows);
	else
		(void)look(&tgid, sizeof(tgid), &table->rows);
	table->count = table->rows.length / sizeof(struct socket_row);
	if (table->count > 0)
		qsort(rows_of(table), table->count, sizeof(struct socket_row), row_compare);
	notes_apply(table);
}

const struct socket_row *socket_table_find(const struct socket_table *table, uint64_t inode)
{
	const struct socket_row key = {.inode = inode};

	return table->count ? bsearch(&key, rows_of(table), table->count, sizeof(key), row_compare)
			    : NULL;
}

static bool endpoint_is_same(const struct endpoint *a, const struct endpoint *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* Whether the socket takes what is sent to that address: of all addresses, or of this one. */
static bool row_takes(const struct socket_row *row, const struct endpoint *to)
{
	return row->local.port == to->port &&
	       (endpoint_is_any(&row->local) || endpoint_is_same(&row->local, to));
}

const struct socket_row *socket_table_other(const struct socket_table *table,
					    const struct socket_row *row)
{
	const struct socket_row *rows = rows_of(table), *taker = NULL;

	if (row->protocol == SOCKET_UNIX)
		return row->peer ? socket_table_find(table, row->peer) : NULL;
	if (row->remote.port == 0)
		return NULL;
	for (size_t i = 0; i < table->count; i++) {
		if (rows[i].protocol != row->protocol || &rows[i] == row)
			continue;
		if (endpoint_is_same(&rows[i].local, &row->remote) &&
		    endpoint_is_same(&rows[i].remote, &row->local))
			return &rows[i];
		if ((rows[i].is_listening || row->protocol == SOCKET_UDP) &&
		    rows[i].remote.port == 0 && row_takes(&rows[i], &row->remote))
			taker = &rows[i];
	}
	/* an address of another machine is not the one that is bound here */
	return taker && (!endpoint_is_any(&taker->local) || endpoint_is_loopback(&row->remote) ||
			 memcmp(row->remote.address, row->local.address, ADDRESS_BYTES) == 0)
		       ? taker : NULL;
}

const struct socket_row *socket_table_listener(const struct socket_table *table, const char *name)
{
	const struct socket_row *rows = rows_of(table);

	for (size_t i = 0; i < table->count; i++)
		if (rows[i].protocol == SOCKET_UNIX && rows[i].is_listening &&
		    strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

bool socket_is_served(const struct socket_table *table, const struct socket_row *row)
{
	const struct socket_row *rows = rows_of(table);

	for (size_t i = 0; i < table->count; i++)
		if (rows[i].protocol == SOCKET_TCP && rows[i].is_listening &&
		    row->protocol == SOCKET_TCP && row_takes(&rows[i], &row->local))
			return true;
	return false;
}

bool socket_is_asking(const struct socket_table *table, const struct socket_row *row)
{
	if (row->protocol != SOCKET_TCP || row->is_listening || row->remote.port == 0)
		return false;
	if (row->is_connecting || row->queued > 0)
		return true;
	return (row->since_sent < row->since_received || row->is_first) &&
	       !socket_is_served(table, row);
}
