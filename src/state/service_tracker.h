/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A daemon is a process that existed before the trace; a service is one that was recorded by its
 * number (-p). If clients reach a service by a pipe or a unix socket, often no event shows where it
 * sleeps, nor what it was asked for. Two kinds of wake-ups are work:
 *
 * - For a service: the waker is a client, an unrelated process that began within the trace, and
 *   that woke the service before the service woke it.
 * - For a daemon: a beat. The waker is another thread of the daemon, and its own timer woke this
 *   thread. The sleeper was asleep before this thread went to sleep, so it does not wait for a lock
 *   that this thread held while it slept. The daemon serves clients, or it woke no task of another
 *   process during the sleep: then nobody waits for what the sleeper does.
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
/* Whether the waker ends the track's sleep by a beat. */
bool service_is_woken_by_beat(const struct machine *machine, uint32_t track, uint32_t waker);
