/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a report can be trusted, in sentences for people, the most important one first. They say
   what a problem means for the reader, not how it came about. */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"
#include "ftwait/health.h"
#include "ftwait/realtime.h"

struct health_lines {
	char **line; /* owned; printable, without a line feed */
	size_t count, capacity;
};

/* "99.8 % of these tasks' time is explained; no events lost (154,330 read)" */
void health_verdict_append(struct buffer *to, const struct health *health);
/* Makes further lines. Unless all are asked for, of a sound report (health_is_sound()) only
   doubts. */
void health_lines_make(const struct health *health, const struct instant_form *instants,
                       bool is_verbose, struct health_lines *ret);
void health_lines_release(struct health_lines *lines);
