/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a request to a disk does, and the task that it is for. */
#pragma once

#include "analysis/analysis.h"
#include "base/buffer.h"
#include "graph/interval.h"
#include "graph/timeline.h"

enum disk_direction {
	DISK_READ,
	DISK_WRITE,
	DISK_OTHER, /* flushes, discards, commands */
	DISK_DIRECTIONS,
};

/* "FWS", "RA", "FF": the operation, after an F that asks for a flush before it. */
enum disk_direction disk_request_direction(const struct timeline *timeline,
                                           const struct interval *interval);
/*
 * The line of the task that the request is for: if a worker submitted it, the task that queued the
 * work item. LINE_NONE if a worker issued it and the submission was not seen: workers issue
 * requests that other tasks wait for.
 */
uint32_t disk_request_task(const struct timeline *timeline, const struct interval *interval);
/* Whether the task is asked for. Devices serve all tasks, so the recorded command is not
   implied. */
bool disk_is_asked(const struct question *question, uint32_t task);
/* "sh[17]"; "unknown" for LINE_NONE. */
void disk_task_append(struct buffer *to, const struct timeline *timeline, uint32_t line);
