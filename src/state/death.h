/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who died of what: line_death of the timeline's lines. sched_process_exit does not tell, so it is
 * put together: SIGKILL ends whoever gets it. Any other signal that nobody catches is delivered
 * with its default action or, where that is no core dump, has the kernel send SIGKILL to all
 * threads, which no signal_generate tells of. The OOM killer tells of its victim right after it
 * has sent that. exit_group() tells the status; of COMMAND the recorder does. What is sent to a
 * process that is over already, and waits for its parent to look, has ended nothing.
 */
#pragma once

#include "tracker.h"

/* A signal was sent, and not ignored. */
void death_note_signal(struct machine *machine, const struct cpu *cpu, const struct event *event);
/* A thread of the process has called exit_group() with that. */
void death_note_exit(struct machine *machine, uint32_t line, int64_t status);
/* EVENT_SIGNAL_DELIVER, EVENT_OOM_VICTIM */
event_handler on_death_signal, on_death_oom;
/* The trace has ended. */
void death_close(struct machine *machine);
