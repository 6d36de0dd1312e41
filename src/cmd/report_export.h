/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report that is the whole recording in the format of another tool.
 */
#pragma once

#include "engine/report_run.h"
#include "report_options.h"
#include "report_output.h"

/*
 * Reads the source, named `path`, and writes it, compressed if the output's name ends in ".gz";
 * returns the exit status. The output must be open; it is closed. Errors are printed here.
 */
int report_export(struct report_run *run, const struct report_options *options,
                  struct report_output *output, const char *path);
