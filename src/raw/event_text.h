/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of any event: what `trace-cmd report` prints behind the event's name, without a line feed
 * at its end. libtraceevent writes it, by the print format of the recording, the library's plugins,
 * and the names of kernel functions. Texts may have any bytes: who shows them cleans them.
 *
 * The library crashes on damaged formats, so it runs in a child process, which formats while the
 * caller reads on. If it crashes, hangs or lacks memory, that costs the text of one event, which is
 * then written as names and values (plain_text.h); the child is made again. The text of a format that
 * fails EVENT_TEXT_TRIES times is not asked for any more, and after many failures the library is not
 * asked at all.
 *
 * Order of calls: event_text_new(), then any number of event_text_submit() and event_text_collect(),
 * or of event_text_write(), which is both; event_text_free(). All from one thread, which must live
 * as long as the child. The process may be sealed (base/file/seal.h) before or after any of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/record.h"
#include "ftwait/source.h"

#define EVENT_TEXT_BATCH   256 /* most items that are submitted at once */
#define EVENT_TEXT_BATCHES 2   /* most batches that are submitted and not collected */
#define EVENT_TEXT_MAX     65536 /* bytes of a text; what is longer is cut */
#define EVENT_TEXT_TRIES   3

struct event_text;

struct event_text_item {
	const struct record *record; /* until it is submitted */
	uint32_t cpu;
	const char *comm; /* of the running task, for filters; until it is submitted; NULL: not
	                     known */
	/* The rest is the answer, which is valid until the second submission after this one. */
	const char *text;
	size_t length;
	bool is_left_out; /* the filter says no: there is no text */
	bool is_plain;    /* the library does not write it */
};

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

/* Begins the texts of up to EVENT_TEXT_BATCH items, in the order of time; the items must stay until
   they are collected. At most EVENT_TEXT_BATCHES may wait. */
void event_text_submit(struct event_text *text, struct event_text_item *items, size_t count);
/* Waits for the oldest batch and fills in its items. Returns how many these are; 0: there is none. */
size_t event_text_collect(struct event_text *text);
/* Submits and collects; no batch may wait. */
void event_text_write(struct event_text *text, struct event_text_item *items, size_t count);

/* Collected events whose text the library could not write: it crashed, hung, or lacked memory, or is
   not asked any more after that. */
uint64_t event_text_failed(const struct event_text *text);
