/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tracefs would have of a schedule's kernel, as far as a recorder reads it: the formats of the
 * events, the header of pages, and per_cpu/cpuN/trace_pipe_raw with the pages of each CPU.
 */
#pragma once

#include "schedule.h"

/* Writes the files into the folder, which is made; files that are there are replaced. A negative
   errno. */
int tracing_folder_write(const struct schedule *schedule, const char *folder);
