/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queue of spans and intervals before they go to the sinks. A later event may show that a stay
 * in a run queue was caused by a limit on CPU time. While that is undecided, spans and intervals
 * wait here in their order, so that each sink gets each of them once, with the right cause.
 *
 * A span waits until at most 2 * SINK_QUEUE_SPANS_MAX spans have ended after it. That does not
 * depend on what the sinks ask for, so all views agree. Only where intervals of frequent kinds fill
 * the queue (SINK_QUEUE_ENTRIES_MAX) it is emptied earlier, to bound its memory, and a limit that
 * is proved after that does not explain earlier stays.
 */
#pragma once

#include "tracker.h"

/* A stay can be corrected until so many spans of any tasks have ended after it. */
#define SINK_QUEUE_SPANS_MAX (1u << 15)
/* The most entries that wait, spans and intervals together. */
#define SINK_QUEUE_ENTRIES_MAX (16 * SINK_QUEUE_SPANS_MAX)

struct sink_queue *sink_queue_new(void);
struct sink_queue *sink_queue_free(struct sink_queue *later);
/* Spans that end until then may turn out to be caused by a limit: holds spans and intervals
   back. */
void sink_queue_hold(struct machine *machine, nsec_t until);
/* Pass a span or an interval to the sinks, at once or later. Only for use while
   machine->queued_until is set. */
void sink_queue_put_span(struct machine *machine, const struct span *span);
void sink_queue_put_interval(struct machine *machine, const struct interval *interval);
/* Whether a span may still be corrected; number: machine->spans_ended before its end. */
bool sink_queue_may_correct(const struct machine *machine, uint64_t number);
/*
 * The task was runnable for all of [begin, end), in a span that was queued here when
 * machine->spans_ended was `number` or soon after, and that cause held it back. Corrects the
 * timeline and the spans that wait here.
 */
void sink_queue_correct(struct machine *machine, uint32_t track, uint64_t number, nsec_t begin,
                        nsec_t end, const struct cause_note *cause);
/* Nothing can be corrected any more: delivers all that waits. */
void sink_queue_flush(struct machine *machine);
