/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sockets of a network namespace, as the kernel's sock_diag lists them: of TCP and UDP the
 * addresses, of unix sockets the inode of the other end; where the kernel has no such list of TCP
 * and UDP, as /proc/PID/net has them. A table is as old as the call that read it.
 *
 * Bounded: at most SOCKETS_MAX sockets and SOCKETS_NS ns; others are not known. Some 2 us a socket.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text/buffer.h"
#include "ftwait/stream.h"
#include "peek.h"
#include "words/endpoint.h"

#define SOCKETS_MAX       8192u
#define SOCKETS_NS        20000000u
#define SOCKET_NAME_BYTES 108 /* of a unix socket, with the NUL */

enum socket_protocol {
	SOCKET_TCP,
	SOCKET_UDP,
	SOCKET_UNIX,
	SOCKET_PROTOCOL_COUNT,
};

struct socket_row {
	uint64_t inode;
	/* unix: inode of the other end, or of the socket that has not accepted the connection; 0:
	   not connected */
	uint64_t peer;
	struct endpoint local, remote; /* TCP, UDP; port 0: none */
	/* TCP: bytes that were written, and that the other end's kernel has not acknowledged; of a
	   socket that listens: connections that wait to be accepted */
	uint32_t queued;
	uint32_t backlog; /* of a socket that listens: so many connections may wait */
	/* ms since the last data were sent and received, of TCP; 0 and 0: not known. Opening the
	   connection counts as both */
	uint32_t since_sent, since_received;
	bool is_first; /* something was sent, and nothing received yet */
	uint8_t protocol; /* enum socket_protocol */
	bool is_listening, is_connecting;
	bool is_note; /* while the table is read: only `inode` and `peer` count */
	char name[SOCKET_NAME_BYTES]; /* unix: its own; an abstract one begins with "@"; "": none */
};

struct socket_table {
	struct buffer rows; /* by inode */
	size_t count;
};

void socket_table_init(struct socket_table *table);
void socket_table_release(struct socket_table *table);
/* Reads the sockets of the process's network namespace. peek NULL: that is the own one, so nothing
   but the kernel is asked. */
void socket_table_read(struct socket_table *table, struct peek *peek, int32_t tgid);
/* NULL: there is none. */
const struct socket_row *socket_table_find(const struct socket_table *table, uint64_t inode);
/* The socket at the other end: that which is connected with this one, or that to which it connects;
   NULL: it is on another machine, in another namespace, or not known. */
const struct socket_row *socket_table_other(const struct socket_table *table,
					    const struct socket_row *row);
/* The unix socket of that name that listens; NULL: none. */
const struct socket_row *socket_table_listener(const struct socket_table *table, const char *name);
/* Whether the other end opened the connection, of TCP: it came to a port that is listened on. */
bool socket_is_served(const struct socket_table *table, const struct socket_row *row);
/* Whether something was sent on a connection of TCP since something was last received, and this end
   opened it: a request that has no answer yet. Or the other end has not even acknowledged it. */
bool socket_is_asking(const struct socket_table *table, const struct socket_row *row);

/*
 * The TCP ports that sockets listen on when the recording begins: /proc/PID/net/tcp and tcp6, of
 * the recorder and of the tasks of -p, which may be in another network namespace. For a connection
 * that is older than the recording, they show which of its ends is the server.
 */

/* At most STREAM_LISTEN_MAX ports; further ports are not added. */
struct listening_ports {
	uint16_t port[STREAM_LISTEN_MAX]; /* in ascending order */
	size_t count;
};

/* Adds the ports in a text of /proc/net/tcp; lines of another form are ignored. */
void listening_ports_parse(struct listening_ports *ports, const char *text);
/* Adds the ports of the task's network namespace; adds none if they cannot be read. */
void listening_ports_look(struct listening_ports *ports, pid_t pid);
/* Appends a "listen" line (ftwait/stream.h); nothing if there are no ports. */
void listening_ports_describe(const struct listening_ports *ports, struct buffer *to);
