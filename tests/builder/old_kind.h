/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints of kernels before 5.10 that have other fields, or another print format, than
 * those of event_kind.c. Offsets and sizes are computed, for 32 and 64 bit.
 *
 * Source of the facts: events/SYSTEM/EVENT/format of 3.10.108, 3.18.140, 4.4.155, 4.9.0 and 4.19.13
 * on 32-bit ARM, and of a Debian 5.10 kernel on x86-64; the releases between them by the history of
 * include/trace/events/. That x86 and machines of 64 bit declare the same fields is by those
 * headers, which have one declaration for all machines; no such kernel was seen.
 */
#pragma once

#include "event_kind.h"

/* The kind as that kernel has it: `kind` itself if it is as today. NULL: the kernel has no such
   event. Of a release that is NULL or not of two numbers, all is as today. */
const struct kernel_event *old_kind_find(const char *release, const struct kernel_event *kind);
/* The number that kernel records for a state, given by the bits of today. */
uint64_t old_kind_state(const char *release, uint64_t state);
