/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One report, from the opening of the recording to the exit status. */
#pragma once

#include "cmd/options/report_options.h"

/* `label`: what the report calls the recording; NULL: its path. Errors are printed here. */
int report_file(const struct report_options *options, const char *path, const char *label);
