/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The TCP ports that sockets listen on when the recording begins: /proc/PID/net/tcp and tcp6, of
 * the recorder and of the tasks of -p, which may be in another network namespace. For a connection
 * that is older than the recording, they show which of its ends is the server.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/text/buffer.h"
#include "ftwait/stream.h"

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
