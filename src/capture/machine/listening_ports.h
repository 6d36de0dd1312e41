/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The TCP ports that sockets listen on when the recording begins: /proc/PID/net/tcp and tcp6, of
 * the recorder and of the tasks of -p, which may be in another network namespace. They show which
 * end of a connection is the server's if the connection is older than the recording.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "ftwait/stream.h"

/* Beyond STREAM_LISTEN_MAX, no more are added. */
struct listening_ports {
	uint16_t port[STREAM_LISTEN_MAX]; /* in ascending order */
	size_t count;
};

/* Adds those of a text of /proc/net/tcp; lines of another form are left out. */
void listening_ports_parse(struct listening_ports *ports, const char *text);
/* Adds those of that task's network namespace; nothing where they cannot be read. */
void listening_ports_look(struct listening_ports *ports, pid_t pid);
/* Appends a "listen" line (ftwait/stream.h); nothing if there are no ports. */
void listening_ports_describe(const struct listening_ports *ports, struct buffer *to);
