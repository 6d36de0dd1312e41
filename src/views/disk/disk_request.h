/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a request to a disk is, and for whom. */
#pragma once

#include "graph/interval.h"
#include "graph/timeline.h"

enum disk_direction {
	DISK_READ,
	DISK_WRITE,
	DISK_OTHER, /* flushes, discards, commands */
	DISK_DIRECTIONS,
};

/* "FWS", "RA", "FF": what was asked for, behind an F that asks for a flush before it. */
enum disk_direction disk_request_direction(const struct timeline *timeline,
                                           const struct interval *interval);
/*
 * Whom the request is for: who queued the work item in which a worker submitted it. Of one that a
 * worker issued, whose submission was not seen, that is not known: they issue what others wait for.
 */
uint32_t disk_request_task(const struct timeline *timeline, const struct interval *interval);
