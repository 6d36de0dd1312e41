/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connections that tasks open and no peer has answered yet. Read by connect_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* Connections that a task opens. */
struct task_openings {
	uint64_t sockets; /* addresses of all of them, XORed: if there is one, its address */
	uint32_t count;
};

/* connect_note_opening(): the task opens a connection on that socket; connect_note_opened(): the
   connection is open, or was given up. */
void connect_note_opening(struct machine *machine, uint32_t track, uint64_t socket);
void connect_note_opened(struct machine *machine, uint32_t track, uint64_t socket);
