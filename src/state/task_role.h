/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which side of a request a task is on: what it serves and owes. Read by answer_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* A task that has received a request. */
struct task_role {
	bool serves;
	bool owes;        /* it has received and not answered yet */
	bool has_request; /* data has come in since it last slept */
	/* the packet that ended its last sleep came from a descendant of its process */
	bool is_asked_by_own;
};

/* answer_note_request(): the task has received a request; answer_note_answer(): it has answered
   one. */
void answer_note_request(struct machine *machine, uint32_t track);
void answer_note_answer(struct machine *machine, uint32_t track);
/* The socket of which the task has just received its first request showed no role before: the wait
   for it was one for work, too. */
void answer_note_first(struct machine *machine, uint32_t track);
/* The task may bring work to others: the wake-ups that it makes are examined. */
void answer_note_bringer(struct machine *machine, uint32_t track);
/* The task accepts connections that others open. */
void answer_note_accept(struct machine *machine, uint32_t track);
