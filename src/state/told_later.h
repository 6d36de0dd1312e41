/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spans and intervals on their way to the sinks. What follows may still show that a stay in a run
 * queue was a limit's doing: while that is open all that the sinks are told of waits here, in its
 * order, so that they are told once and of what is true.
 *
 * How long depends on how many spans have ended since, and on nothing that sinks ask for: whoever
 * asks for what, the answers agree.
 */
#pragma once

#include "tracker.h"

/* Spans of all tasks, after which a stay is as it was believed to be. */
#define TOLD_LATER_MAX (1u << 15)
/* and so many spans and intervals: of these some kinds are frequent */
#define TOLD_LATER_ENTRIES_MAX (16 * TOLD_LATER_MAX)

struct told_later *told_later_new(void);
struct told_later *told_later_free(struct told_later *later);
/* The span that ends next may turn out to be a limit's doing, up to then. */
void told_later_hold(struct machine *machine, nsec_t until);
/* Sinks are told of a span, of an interval, while machine->told_until is set: now or later. */
void told_later_span(struct machine *machine, const struct span *span);
void told_later_interval(struct machine *machine, const struct interval *interval);
/* Whether a span may still be corrected before whose end machine->spans_ended was that. */
bool told_later_may_correct(const struct machine *machine, uint64_t number);
/*
 * [begin, end) of the line, in which it was only runnable, was held back for that cause: on the
 * timeline and for all sinks, which were not told of it yet.
 */
void told_later_correct(struct machine *machine, uint32_t line, nsec_t begin, nsec_t end,
                        const struct cause_note *cause);
/* Nothing can be corrected any more: all that waits is told. */
void told_later_flush(struct machine *machine);
