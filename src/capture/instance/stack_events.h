/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of an instance's settings makes stacks. In the main instance triggers take those of the
 * kernel where a task sleeps and where it is woken. The one of stacks has the option
 * userstacktrace, which takes the stack of the interrupted or calling program at every event: so it
 * records little else than these, and has switches only as what carries them. A profile are the
 * ticks of the CPUs that run something: each is the expiry of the one timer whose function is the
 * tick's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture_session.h"

/* The file of an instance by which it takes stacks of programs. */
#define STACK_USER_FILE "options/userstacktrace"
/* What makes it visible; its format is to stand in the file where session->has_profile. */
#define STACK_TICK_EVENT "timer:hrtimer_expire_entry"

/*
 * Sets what the options ask for, of an instance whose tracing is off. What cannot be had is a note.
 * Of CAPTURE_STACKS sets session->stacks and has_profile. Without `has_triggers` there are no
 * stacks of the kernel, and a note says so.
 */
void stack_events_set(struct capture_session *session, const struct capture_options *options,
                      bool has_triggers);

/*
 * Whether the trigger "stacktrace" writes into its own instance: before Linux 5.17, and the stable
 * releases of that spring, it wrote into the top level's buffer. Older kernels are asked, by one
 * stack of ourselves: that one is all that may be left there. To be called before any event is on.
 */
bool stack_triggers_work(const struct capture_session *session);

/*
 * Address of the function that the tick's timer calls; 0 where none is found or it would never be
 * seen: *ret_why then says why, and *ret_mend what can be done.
 */
uint64_t stack_tick_function(const char **ret_why, const char **ret_mend);
/* Whether the kernel can follow a program's stack: the option is there on all architectures. */
bool stack_user_is_supported(void);
/* Ticks a second of a CPU that runs something; 0: not known. */
uint32_t stack_tick_hz(void);
/* The CPUs whose ticks stop while one task alone runs there, as "2-3,6"; "" where none do. */
char *stack_tickless_cpus(void);
