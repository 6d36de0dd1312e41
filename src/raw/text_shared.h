/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What event_text.c and its child, event_text_child.c, share. Requests are bytes on a pipe, each
 * the number of a batch; an answer is the same byte, on another pipe, or TEXT_READY once the child
 * has all that it needs. The child ends when the first pipe does; its end ends the second pipe.
 *
 * Only the parent's memory says what is to be done: the child, which may have been taken over, can
 * change all that is shared, so the parent checks what it reads there.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/source.h"
#include "text_item.h"

#define TEXT_READY 0xff
#define TEXT_PAYLOAD_MAX 65536 /* bytes of a record; what is longer is cut */

/* Exit statuses of the child. */
enum text_exit {
	TEXT_DONE = 0,
	TEXT_BAD_FILTER = 1,
	TEXT_HUNG = 2,
};

/* What the child is doing: what is to blame if it ends. */
enum text_stage {
	TEXT_IDLE,
	TEXT_LOADS_PLUGINS,
	TEXT_LOADS_STRINGS,
	TEXT_LOADS_SYMBOLS,
	TEXT_LOADS_FORMAT,   /* text_shared.format, for the filter */
	TEXT_READS_FILTER,
	TEXT_MATCHES,        /* the next item of text_shared.batch_at */
	TEXT_WRITES,         /* its text */
};

enum text_answer {
	TEXT_NONE,
	TEXT_WRITTEN,
	TEXT_LEFT_OUT,
	TEXT_REFUSED, /* the library has no such event */
	TEXT_FAILED,  /* it crashed, or is not asked */
};

/* Of a format: what the library is not asked to do with it. */
enum text_skip {
	TEXT_SKIP_LOAD = 1,  /* in the filter's handle */
	TEXT_SKIP_MATCH = 2,
	TEXT_SKIP_TEXT = 4,
};

struct text_request {
	uint64_t time;
	uint32_t format;  /* index; PLAIN_FORMAT_NONE */
	uint32_t cpu;
	uint32_t payload, length; /* bytes of text_exchange.payload */
	char comm[16];
	/* the answer */
	uint32_t text, text_length; /* bytes of text_exchange.text */
	uint32_t answer;            /* enum text_answer */
};

/* A batch. Only pages of it that are written take memory. */
struct text_exchange {
	uint32_t count;
	volatile uint32_t next; /* first item without an answer */
	uint32_t text_end;
	struct text_request request[EVENT_TEXT_BATCH];
	uint8_t payload[EVENT_TEXT_BATCH * TEXT_PAYLOAD_MAX];
	char text[EVENT_TEXT_BATCH * EVENT_TEXT_MAX];
};

struct text_shared {
	volatile uint32_t stage; /* enum text_stage */
	volatile uint32_t format, batch_at;
	char filter_error[256];
	uint32_t only_event; /* id of the only event that may pass the filter, stacks aside;
	                        UINT32_MAX: there are several, or there is no filter */
	struct text_exchange exchange[EVENT_TEXT_BATCHES];
};

/* What a child is made with; it has copies of all that the pointers refer to. */
struct text_setup {
	const struct source *source;
	const char *symbols; /* text of kallsyms; NULL: there are none */
	const char *filter;  /* NULL: none */
	uint8_t *skip;       /* enum text_skip, by format */
	unsigned skipped_stages; /* bits of enum text_stage: what is not loaded */
	struct text_shared *shared;
};

/* The child's main function: serves requests until their end. */
enum text_exit text_child_serve(const struct text_setup *setup, int requests, int answers);
