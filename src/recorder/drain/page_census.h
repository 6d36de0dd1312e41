/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the written pages contain: the number of events, their time range and the kernel functions
 * they refer to. The kernel's own counters count what left its buffers, whichever process read it;
 * only the pages show what is in the file. Only the functions referred to need a name in the file:
 * all names of a kernel are 5 to 15 MB, those of a recording some KB.
 *
 * The formats show which fields refer to functions: timers, work items, stacks,
 * locations of packet drops. Contended locks may be named variables.
 *
 * Order of calls: page_census_init() with a head (datfile_head.h), any number of page_census_add(),
 * the results, page_census_release(). Memory: 12 to 24 bytes for each address, at most
 * CENSUS_ADDRESSES_MAX of either kind. Cost: some ns an event.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "ftwait/nsec.h"
#include "source/stream/page_reader.h"

/*
 * Finds the fields of an event that hold addresses of kernel functions, by the text of its format
 * file: arguments that its print format shows by %ps, %pS, %pf, %pF or %pB, and fields named
 * location, which older kernels show by %p. An array of addresses ends with the record, whatever
 * size the format claims (kernel_stack claims 8 and has more). The address of a contended lock,
 * shown as a number, may be that of a variable. Addresses in user_stack are not the kernel's.
 */

struct function_field {
	uint32_t id;     /* of the event */
	uint32_t offset; /* in the record, bytes */
	uint32_t size;   /* bytes; 0: from the offset to the end of the record */
	bool is_object;  /* may be the address of a named variable */
};

/* Calls `on_field` for each such field; for none if the text is malformed. */
void function_fields_find(const char *format, size_t length,
                          void (*on_field)(void *state, const struct function_field *field),
                          void *state);

#define CENSUS_ADDRESSES_MAX (256u << 10)

/* Receives the user stacks of process `tgid`, innermost frame first, its exec events, and the
   futexes that threads call for. Any may be NULL; all are if `state` is. */
struct census_listener {
	void (*on_user_stack)(void *state, int32_t tgid, const uint64_t *address, size_t count);
	void (*on_exec)(void *state, int32_t tgid, nsec_t time);
	void (*on_futex)(void *state, int32_t tid, uint64_t address);
	void *state;
};

/* Offsets of the fields that the listener needs of an event; id 0: the head has no such event. */
struct census_event {
	uint32_t id, at, more_at;
};

struct page_census {
	struct page_layout layout;
	struct record *records;       /* of one batch */
	struct function_field *field; /* sorted by id */
	size_t field_count, field_capacity;
	struct map first_field; /* id -> index of its first field */
	struct census_event user_stack, exec;
	struct census_event futex; /* the thread, and the call's first argument */
	struct census_event call;  /* of any system call: its number, and its arguments */
	uint32_t call_thread_at;
	struct census_listener listener; /* set it after page_census_init() */

	uint64_t lost;        /* number of lost events that the pages report with a count */
	bool is_lost_more;    /* some pages report losses without a count */
	uint64_t events;      /* number of events in the pages, without padding and time stamps */
	uint64_t *events_of;  /* the same by CPU, below cpu_count; owned */
	size_t cpu_count, cpu_capacity;
	nsec_t first, last;   /* times of the oldest and the newest event */
	struct map addresses; /* a set of addresses of functions */
	struct map objects;   /* a set of addresses of possible variables */
	bool is_incomplete;   /* some addresses were dropped at the limit */
};

/* Returns 0, or -EINVAL if the head is invalid or of another byte order: then nothing is
   counted. */
int page_census_init(struct page_census *census, const void *head, size_t size);
void page_census_release(struct page_census *census);
/* Takes whole pages of one CPU, of any buffer. */
void page_census_add(struct page_census *census, unsigned cpu, const void *pages, size_t size);
uint64_t page_census_events_of(const struct page_census *census, unsigned cpu);
/* All addresses in ascending order; the caller frees the array. *ret_count may be 0. */
uint64_t *page_census_addresses(const struct page_census *census, size_t *ret_count);
/* The same for addresses of possible variables. */
uint64_t *page_census_objects(const struct page_census *census, size_t *ret_count);
