/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connections that tasks are opening, and nobody has answered yet. Read by connect_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* Of a task: what it opens. */
struct task_openings {
	uint64_t sockets; /* all of them, XOR: of one its address */
	uint32_t count;
};

/* The task opens a connection, of that socket; it is open, or given up. */
void connect_note_opening(struct machine *machine, uint32_t line, uint64_t socket);
void connect_note_opened(struct machine *machine, uint32_t line, uint64_t socket);
