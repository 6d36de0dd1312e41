/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Services: processes that were there before the trace and were recorded by their numbers. Often no
 * event shows where they sleep, nor what they were asked for: by a pipe or a unix socket. Two kinds
 * of wake-ups bring a service work all the same:
 *
 *	by an unrelated process that began within the         it calls the service: a client wakes
 *	trace, if it woke the service before the service      its server before that answers
 *	ever woke it (contacts.h)
 *	by a thread of the service that its own timer woke,   work due by the clock; a lock that
 *	once the service has served, if the sleeper slept     this thread held in its sleep would be
 *	before that thread did                                waited for only since then
 *
 * Asked by answer_tracker.c.
 */
#pragma once

#include "state/core/tracker.h"

bool line_is_of_service(const struct machine *machine, uint32_t line);
/* A thread of the service has received a request. */
void service_note_serves(struct machine *machine, uint32_t line);
/* Whether the waker is a client of the line's service. */
bool service_is_called(const struct machine *machine, uint32_t line, uint32_t waker);
/* Whether the line's sleep ends by another thread of its service, which runs by the clock. */
bool service_is_woken_by_beat(const struct machine *machine, uint32_t line, uint32_t waker);
