/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data of a page's picture, as struct flow_hooks receives them, in blocks for
 * the page's scripts. This is the contract with src/html/data.js.
 *
 * All times are ns since `origin`, the trace's begin. A column has a value for each segment, or for
 * each segment in certain states. The tasks are in one order in all columns:
 *
 *	lengths   of each task: how many segments; where there are any, when the first begins;
 *	          their lengths. They tile the time from there on.
 *	states    a byte a segment: enum flow_state, | HTML_DOUBTFUL, | HTML_OPEN
 *	causes    unless running, absent or mixed: 0, or 1 + index in meta.causes
 *	cpus      running, runnable: CPU
 *	stacks    waits, from FLOW_WAIT on: 0, or 1 + index in meta.stacks; no block where there
 *	          is none at all
 *	mixes     mixed: how many segments it was, how many entries follow, entries of state and ns
 *	path      a part each: length and state; index of its task, cause as above; mixed: how
 *	          many parts it was, how many entries follow, entries of task, state and ns
 *	objects   row by row as meta.objects lists them, by begin: ns since the begin of the one
 *	          before, in its first since the origin; ns in the queue; ns of service; 0 or 1 +
 *	          index of a task; bytes; index in meta.object_names
 *	meta      JSON, see html_flow.c
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

#include "base/data/intern.h"
#include "base/text/buffer.h"
#include "ftwait/flow.h"
#include "ftwait/health.h"
#include "ftwait/report.h"
#include "present/data/json_writer.h"

/*
 * A block of data in a page. The bytes are compressed as they come (zlib's format), and put into
 * the page as base64, in an element that browsers do not run. Memory: the compressed data. Format
 * of numbers: unsigned LEB128, groups of 7 bits, least first.
 */

#define HTML_BLOCK_GATHER 4096

struct html_block {
	z_stream stream;
	struct buffer packed;
	unsigned char gathered[HTML_BLOCK_GATHER]; /* not compressed yet */
	size_t gathered_count;
};

void html_block_init(struct html_block *block);
void html_block_release(struct html_block *block);
void html_block_byte(struct html_block *block, uint8_t byte);
void html_block_number(struct html_block *block, uint64_t number);
/* Ends the block and writes it as element "data-NAME", even if it is empty. */
void html_block_put(struct html_block *block, const char *name, FILE *out);

/* An array of JSON that is written beside others, and becomes a member of an object in a block. */

struct html_list {
	struct json_writer json; /* writes the elements */
	FILE *file;
	char *text;
	size_t length;
};

void html_list_init(struct html_list *list, enum json_layout layout);
void html_list_release(struct html_list *list);
/* Ends the list and appends it, as `"name":[...]`. */
void html_list_put(struct html_list *list, const char *name, struct html_block *block);

#define HTML_DOUBTFUL 0x40
#define HTML_OPEN     0x80

enum html_list_name {
	HTML_TASKS,
	HTML_NAMES,
	HTML_CAUSES,
	HTML_STACKS,
	HTML_OBJECTS,
	HTML_LISTS,
};

enum html_column {
	HTML_LENGTHS,
	HTML_STATES,
	HTML_CAUSE_COLUMN,
	HTML_CPUS,
	HTML_STACK_COLUMN,
	HTML_MIXES,
	HTML_PATH,
	HTML_OBJECT_COLUMN,
	HTML_COLUMNS,
};

struct html_flow {
	struct flow_window window;
	struct html_block column[HTML_COLUMNS];
	struct html_list list[HTML_LISTS];
	struct intern object_names;
	bool has_begun, is_first; /* is_first: the next segment is the first of its task */
	bool has_stacks;
	nsec_t path_end;
	size_t *row_left; /* by row: number of objects that are still to come */
	size_t row_count, row_capacity, row;
	nsec_t object_begin; /* begin of the last object in the row */
};

/* The state that these hooks get is a struct html_flow. */
extern const struct flow_hooks html_flow_hooks;

void html_flow_init(struct html_flow *flow);
void html_flow_release(struct html_flow *flow);
/* Writes all blocks. */
void html_flow_put(struct html_flow *flow, const struct trace_summary *trace,
                   const struct health *health, FILE *out);
