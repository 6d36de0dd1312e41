/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for the results of calls. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/report.h"
#include "words/kernel/errno_names.h"

/* "ENOENT" for -2; "error 999" where the number has no name. */
void call_error_append(struct buffer *to, const struct errno_names *names, int64_t result);
/* "ENOENT: 7, EAGAIN: 2"; "-" for none. */
void call_errors_append(struct buffer *to, const struct errno_names *names,
                        const struct tally *error, size_t count);
