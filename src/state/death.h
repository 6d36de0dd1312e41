/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why each process ended: track_death of the timeline's tracks. sched_process_exit carries no
 * reason, so it is derived: SIGKILL ends its target. Any other signal that is not caught is
 * delivered with its default action or, if that dumps no core, makes the kernel send SIGKILL to all
 * threads without a signal_generate. The OOM killer marks its victim right after it has sent
 * SIGKILL. The exit status comes from exit_group(), that of COMMAND from the recorder. A signal to
 * a zombie ends nothing.
 *
 * And which waits that ended. exit_group(), execve() and a core dump make the kernel send SIGKILL
 * to the other threads, too. When a thread has taken it, and has run nothing since its last wait
 * but its way there, and its waker was the task that ended the process or executes a program, then
 * that ended the wait, and the waker had nothing that the thread waited for.
 */
#pragma once

#include "state/core/tracker.h"

/* A signal was sent, and not ignored. */
void death_note_signal(struct machine *machine, const struct cpu *cpu, const struct event *event);
/* A thread of the process has called exit_group() with that status. */
void death_note_exit(struct machine *machine, uint32_t track, int64_t status);
/* The task ends. Where signals were not recorded, its system calls may show that its process
   does. */
void death_note_gone(struct machine *machine, uint32_t track);
/* EVENT_SIGNAL_DELIVER, EVENT_OOM_VICTIM */
event_handler on_death_signal, on_death_oom;
/* The trace has ended. */
void death_close(struct machine *machine);
