/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is compared: whole recordings (runs), or turns, the stretches of a recording in which one
 * task did the same work again: a row of this table for each word of --per. Turns are units as runs
 * are only if they do not depend on each other; the report says so.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "ftwait/nsec.h"

/* Turns: stretches of a recording in which one task did the same work again. */

/* Limit on turns of one recording; further turns are left out, with a note in its health. */
#define TURNS_MAX (1u << 16)

/* [begin, end), not empty, of a task's path. */
struct turn {
	uint32_t track;
	nsec_t begin, end;
};

struct turn_list {
	struct turn *turn;
	size_t count, capacity;
	const char *what; /* the kind of turn, if a recording may have several kinds; static;
	                     else NULL */
	const char *role; /* of the task in them: "server", "client"; static; NULL: none */
	const char *tasks; /* set before find(): a glob, requests of other tasks do not decide on
	                      the role; NULL: all do */
};

void turn_list_release(struct turn_list *list);

enum diff_per {
	DIFF_PER_RUN,
	DIFF_PER_MARK,    /* between two marks */
	DIFF_PER_SLICE,   /* a slice that marks of the program delimit */
	DIFF_PER_REQUEST, /* of a TCP connection */
	DIFF_PER_SYSCALL, /* a system call of that name, or of those that match a glob */
	DIFF_PER_PAIR,    /* from one event to another with the same key (events/event_pairs.h) */
	DIFF_PER_COUNT,
};

struct turn_source {
	const char *word;  /* of --per; one that ends with ":" is followed by a name */
	const char *noun;  /* of a unit, in text: "turn" */
	/* Gathers what turns begin and end with while a recording is read; it shows nothing. NULL:
	   the recordings themselves are the units. */
	const struct analysis *gather;
	/* Finds the turns, in any order, from the state of `gather`: before the question is
	   resolved, those of tasks that are asked for as far as is known. If there are none,
	   returns false and appends a phrase to `why`. */
	bool (*find)(const void *gathered, const char *name, struct turn_list *ret,
	             struct buffer *why);
};

extern const struct turn_source turn_sources[DIFF_PER_COUNT];

/* The source for the value of --per, and the name in it ("": none); NULL: there is none, or it
   lacks a name. */
const struct turn_source *turn_source_find(const char *value, const char **ret_name);
