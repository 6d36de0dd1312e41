/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands in the pages that are written: how many events, from when to when, and which kernel
 * functions they refer to. The kernel's own counters tell what left its buffers, whoever took it;
 * only the pages tell what is in the file. And only the functions that they refer to need a name
 * in it: all names of a kernel are 5 to 15 MB, those of a recording some KB.
 *
 * Which fields refer to functions the formats tell (function_fields.h): timers, work items, stacks,
 * places of dropped packets. Contended locks may be variables that have a name.
 *
 * Order of calls: page_census_init() with a head as datfile_head.h describes it, any number of
 * page_census_add(), the results, page_census_release(). Memory: 12 to 24 bytes for each address,
 * of which at most CENSUS_ADDRESSES_MAX of either kind are kept. Cost: some ns an event.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "capture/file/function_fields.h"
#include "ftwait/nsec.h"
#include "source/page_reader.h"

#define CENSUS_ADDRESSES_MAX (256u << 10)

/* Who is told of stacks of programs, of the process `tgid`, innermost first, and of programs that
   are executed. NULL: nobody. */
struct census_listener {
	void (*on_user_stack)(void *state, int32_t tgid, const uint64_t *address, size_t count);
	void (*on_exec)(void *state, int32_t tgid, nsec_t time);
	void *state;
};

/* Where the fields of an event are that is told of; id 0: it is not in the head. */
struct census_event {
	uint32_t id, at, stack_at;
};

struct page_census {
	struct page_layout layout;
	struct record *records;       /* of one batch */
	struct function_field *field; /* sorted by id */
	size_t field_count, field_capacity;
	struct map first_field; /* id -> index of its first field */
	struct census_event user_stack, exec;
	struct census_listener listener; /* to be set after page_census_init() */

	uint64_t lost;        /* events that the pages say were lost before them, so far as told */
	bool is_lost_more;    /* some say only that there were some */
	uint64_t events;      /* in the pages seen; padding and time marks are none */
	nsec_t first, last;   /* times of the oldest and the youngest event */
	struct map addresses; /* of functions: address -> unused: a set */
	struct map objects;   /* the same of what may be variables */
	bool is_incomplete;   /* there were more addresses than are kept */
};

/* Returns 0, or -EINVAL where this is no head of this machine's byte order: nothing counts then. */
int page_census_init(struct page_census *census, const void *head, size_t size);
void page_census_release(struct page_census *census);
/* Whole pages of one CPU. */
void page_census_add(struct page_census *census, const void *pages, size_t size);
/* All addresses in ascending order, to be freed; *ret_count may be 0. */
uint64_t *page_census_addresses(const struct page_census *census, size_t *ret_count);
/* The same of what may be variables. */
uint64_t *page_census_objects(const struct page_census *census, size_t *ret_count);
