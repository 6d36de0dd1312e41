/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings of an instance that record stacks. In the main instance triggers take kernel stacks
 * where a task goes to sleep and where it is woken. The stacks instance has the option
 * userstacktrace, which takes the user stack at every event. So it records only few events, and its
 * switches only serve to get stacks. A profile consists of the ticks of busy CPUs: each tick is an
 * expiry of the timer of the tick function.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture_session.h"

/* The file of an instance that enables user stacks. */
#define STACK_USER_FILE "options/userstacktrace"
/* The event of a tick; the file must contain its format if session->has_profile. */
#define STACK_TICK_EVENT "timer:hrtimer_expire_entry"

/*
 * Sets up the requested stacks of an instance whose tracing is off. Notes what is unavailable. For
 * CAPTURE_STACKS, sets session->stacks and has_profile. Without `has_triggers` there are no kernel
 * stacks, and a note says so.
 */
void stack_events_set(struct capture_session *session, const struct capture_options *options,
                      bool has_triggers);

/*
 * Whether the trigger "stacktrace" writes into its own instance: before Linux 5.17, and the stable
 * releases of that spring, it wrote into the top level's buffer. Where the release does not say, as
 * distributions call all theirs 5.10.0, a test takes one stack of our own, which is all that may be
 * left there. Call before any event is enabled.
 */
bool stack_triggers_work(const struct capture_session *session);

/* Whether events have triggers, since Linux 3.14. Of kernels without, filters are those of the top
   level, whichever instance they are written in (before 3.13). */
bool instance_has_triggers(const char *dir);

/*
 * Address of the function that the tick's timer calls; 0 if none is found or its expiry is never
 * traced; then *ret_why is the reason and *ret_mend the remedy.
 */
uint64_t stack_tick_function(const char **ret_why, const char **ret_mend);
/* Whether the kernel can unwind user stacks; the option exists on all architectures. */
bool stack_user_is_supported(void);
/* Ticks per second of a busy CPU; 0: unknown. */
uint32_t stack_tick_hz(void);
/* The CPUs whose ticks stop while a single task runs there, as "2-3,6"; "" if none do. */
char *stack_tickless_cpus(void);
