/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of any event: what `trace-cmd report` prints behind the event's name, without a line
 * feed at its end. libtraceevent writes it, by the print format of the recording, the library's
 * plugins, and the names of kernel functions. Texts may have any bytes: who shows them cleans them.
 *
 * The library crashes on damaged formats, so it runs in a child process, which formats while the
 * caller reads on. If it crashes, hangs or lacks memory, that costs the text of one event, which is
 * then written as names and values (plain_text.h); the child is made again. The text of a format
 * that fails EVENT_TEXT_TRIES times is not asked for any more, and after many failures the library
 * is not asked at all.
 *
 * Order of calls: event_text_new(), then any number of event_text_submit() and
 * event_text_collect(), or of event_text_write(), which is both; event_text_free(). All from one
 * thread, which must live as long as the child. The process may be sealed (base/file/seal.h) before
 * or after any of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "raw_event.h"
#include "text_item.h"

struct event_text;

/* Whether texts are the library's; else all are plain, and there are no filters. */
bool event_text_is_built(void);

/*
 * For the events of one machine's source, which must outlive the result; its formats are those that
 * it has now. `filter`: NULL, or filters of libtraceevent with ";" between them, of which an event
 * must pass one: "sched_switch: prev_prio < 100; irq/.*". Stacks pass if the event before them on
 * their CPU does. Returns NULL and one phrase if the filter is wrong or cannot be applied.
 */
struct event_text *event_text_new(struct source *source, const char *filter, struct buffer *why);
struct event_text *event_text_free(struct event_text *text);

/* The only event that may pass the filter, beside the stacks behind it; NULL: there may be several,
   or there is no filter. Valid as long as the texts. */
const struct raw_format *event_text_only_format(struct event_text *text);

/* Begins the texts of up to EVENT_TEXT_BATCH items, in the order of time; the items must stay
   until they are collected. At most EVENT_TEXT_BATCHES may wait. */
void event_text_submit(struct event_text *text, struct event_text_item *items, size_t count);
/* Waits for the oldest batch and fills in its items. Returns how many; 0: no batch waits. */
size_t event_text_collect(struct event_text *text);
/* Submits and collects; no batch may wait. */
void event_text_write(struct event_text *text, struct event_text_item *items, size_t count);

/* Collected events whose text the library could not write: it crashed, hung, or lacked memory, or
   is not asked any more after that. */
uint64_t event_text_failed(const struct event_text *text);
