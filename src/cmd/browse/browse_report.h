/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report as the browser asks for it, in a process that makes it. */
#pragma once

#include <stddef.h>

#include "cmd/options/report_options.h"

#define BROWSE_TOP 100 /* rows of a table, until all are asked for */

struct browse_report {
	const char *before;  /* files and options, as text */
	const char *options; /* further ones */
};

/* What differs from `ftwait report`; `columns` 0: it is for no screen. */
struct report_options browse_report_defaults(size_t columns);
/* Runs the command; returns its exit status. */
int browse_report_run(const struct browse_report *report, const struct report_options *defaults);
