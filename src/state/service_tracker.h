/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A service is a process that existed before the trace and was recorded by its number (-p). If
 * clients reach it by a pipe or a unix socket, often no event shows where it sleeps, nor what it
 * was asked for. Two kinds of wake-ups are work for it:
 *
 * - The waker is a client: an unrelated process that began within the trace, and that woke the
 *   service before the service woke it.
 * - The waker is another thread of a service that has served. Its own timer woke this thread, and
 *   the sleeper was asleep before this thread went to sleep. So the sleeper does not wait for a
 *   lock that this thread held while it slept.
 *
 * Asked by answer_tracker.c.
 */
#pragma once

#include "state/core/tracker.h"

bool track_is_of_service(const struct machine *machine, uint32_t track);
/* A thread of the service has received a request. */
void service_note_serves(struct machine *machine, uint32_t track);
/* Whether the waker is a client of the track's service. */
bool service_is_called(const struct machine *machine, uint32_t track, uint32_t waker);
/* Whether another thread of the track's service, which its own timer woke, ends the track's
   sleep. */
bool service_is_woken_by_beat(const struct machine *machine, uint32_t track, uint32_t waker);
