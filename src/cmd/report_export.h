/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report that is the whole recording in the form of another tool.
 */
#pragma once

#include "engine/report_run.h"
#include "report_options.h"
#include "report_output.h"

/*
 * Reads the source, of which `path` is the name, and writes it, packed where the output's name
 * ends in ".gz"; the exit status. The output is opened, and is closed. Errors are printed here.
 */
int report_export(struct report_run *run, const struct report_options *options,
                  struct report_output *output, const char *path);
