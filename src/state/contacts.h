/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of two processes woke the other first. A client wakes its server before the server answers.
 * Later the two wake each other by turns, and the wake-ups no longer show which of them asks. The
 * order is known only if one of the two processes began within the trace. service_tracker.c keeps
 * the pairs that contain a service.
 */
#pragma once

#include "state/core/tracker.h"

/* The most pairs of processes that are remembered; more are not known. */
#define CONTACTS_MAX (1u << 16)

struct contacts {
	struct map first; /* line of the process that woke first, by the lines of both */
	uint32_t count;
	nsec_t since; /* events before were lost: processes that began before may have met */
};

void contacts_init(struct contacts *contacts);
void contacts_release(struct contacts *contacts);
/* Events were lost. */
void contacts_forget(struct contacts *contacts, nsec_t now);
/* The waker has ended a sleep of the line. O(1). */
void contacts_note(struct contacts *contacts, const struct machine *machine, uint32_t line,
                   uint32_t waker);
/* Whether the process of `caller` is known to have woken that of `line` first. */
bool contacts_is_caller(const struct contacts *contacts, const struct machine *machine,
                        uint32_t caller, uint32_t line);
