/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Since which release Linux has what is recorded or read, where it is known: the one table of that.
 * While recording, it says which kernel would help; whether a kernel has something is seen on the
 * kernel itself where it can be seen, as distributions add things to old releases.
 */
#pragma once

#include <stdbool.h>

/* Names for what is no event and no file of an instance. */
#define FEATURE_INSTANCES     "instances"
#define FEATURE_CLOCK         "mono"
#define FEATURE_OWN_FILTERS   "filters of an instance"
#define FEATURE_OWN_TRIGGERS  "stacks of triggers in their instance"
#define FEATURE_OWN_EXPANSION "buffers that grow when they are first used"
#define FEATURE_CALL_NUMBERS  "numbers of calls on 32-bit ARM"
#define FEATURE_STATES        "bits of prev_state as they are today"
#define FEATURE_LIMIT_BY_WORK "tasks that leave their CPU themselves when a limit is used up"

/* "4.3" of "sched:sched_waking", of "options/event-fork", or of one of the names above; NULL: not
   known. Of an event: since when it has the fields that are read. */
const char *kernel_feature_since(const char *name);

/* Whether the release ("5.10.0-21-amd64") is known to have it, or not to have it. Both are false of
   a release that is NULL or no release, and of what the table has no release of. */
bool kernel_release_has(const char *release, const char *name);
bool kernel_release_lacks(const char *release, const char *name);

/*
 * Releases of Linux, by their numbers.
 */

#define KERNEL_RELEASE_NUMBERS 3

/* Parses "4.14.40-generic"; false if it does not begin with two numbers. A missing third number is
   0. */
bool kernel_release_parse(const char *text, unsigned ret[KERNEL_RELEASE_NUMBERS]);
/* Compares as strcmp() does: an older release is less. */
int kernel_release_compare(const unsigned a[KERNEL_RELEASE_NUMBERS],
                           const unsigned b[KERNEL_RELEASE_NUMBERS]);
