/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recordings of several machines, as report gets them. Errors are printed here. */
#pragma once

#include <stddef.h>

#include "machines/machines.h"
#include "cmd/options/report_options.h"

/* Whether these files and --name can be taken together; -EINVAL: not. */
int report_machines_check(const struct report_options *options, const char *const *paths,
                          size_t count);
/* Opens all of them as one source; negative on failure. Release *ret if there is none. */
int report_machines_open(const struct report_options *options, const char *const *paths,
                         size_t count, struct machines *ret);
