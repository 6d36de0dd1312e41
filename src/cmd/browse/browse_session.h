/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The browser: a stack of reports on one recording, each reached from a line of the one before it.
 * Each is made by a child (report_child.h) when it is first asked for, and kept.
 */
#pragma once

#include <stddef.h>

struct browse_setup {
	const char *const *files;
	size_t file_count;
	const char *lasting; /* options of report for all questions, as text; "" */
	const char *first;   /* those of the first screen */
};

/* Returns the exit status. */
int browse_session_run(const struct browse_setup *setup);
