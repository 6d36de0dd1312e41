/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ftwait report --follow`: reads a stream while it is written, and reports on each period as soon
 * as the stream has reached its end: a block of text, or a line of JSON. It ends with the stream or
 * a signal, and then reports on what there is of the last period.
 */
#pragma once

#include "cmd/options/report_options.h"

/* `path`: of the stream; "-": standard input. Returns the exit status; errors are printed here. */
int report_follow(const struct report_options *options, const char *path);
