/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of tasks on their sockets that are not answered yet, and connections that they open; see
   request_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The track opens a connection on that socket. */
void request_note_opening(struct machine *machine, uint32_t track, uint64_t socket);
/* The peer has answered it. */
void request_note_opened(struct machine *machine, uint64_t socket);
/* The current task has sent; `key` is that of the connection, see socket_describe(). */
void request_note_sent(struct machine *machine, const struct cpu *cpu,
                       const struct transfer_event *transfer, uint64_t key);
/* The current task has received: that was the answer, if it had made a request. */
void request_note_taken(struct machine *machine, const struct cpu *cpu,
                        const struct transfer_event *transfer, uint64_t key);
/* Something has come in for the socket. */
void request_note_ready(struct machine *machine, const struct cpu *cpu, uint64_t socket);
/* Whether the socket is a connectionless one that received before it sent. */
bool request_socket_serves(const struct machine *machine, uint64_t socket);
/* The socket has closed: there will be no answer. */
void request_note_closed(struct machine *machine, uint64_t socket);
/* A signal has ended the track's last wait. */
void request_note_signal(struct machine *machine, uint32_t track);
/* Whether the track had an unanswered request when it went to sleep last. */
bool request_is_awaited(const struct machine *machine, uint32_t track);
