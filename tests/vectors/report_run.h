/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs `ftwait report ... --json` as a user would and reads its answer back. The program is named
 * by the environment variable FTWAIT; a run is killed after REPORT_SECONDS_MAX.
 */
#pragma once

#include "base/text/buffer.h"
#include "json/json_reader.h"

#define REPORT_SECONDS_MAX 60
#define REPORT_ARGUMENTS_MAX 32

/*
 * `fd`: the trace; `options`: NULL-ended. On success the JSON object; otherwise -errno with what
 * happened in `why`. Accepts the exit statuses 0, 3 and 4.
 */
int report_run(int fd, const char *const *options, struct json **ret, struct buffer *why);
/* The same with another command, such as "check". */
int command_run(const char *command, int fd, const char *const *options, struct json **ret,
                struct buffer *why);
