/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of option VERSION about processes: their parents, their control groups, the hierarchies
 * of these, and their command lines (ftwait/stream.h). Malformed lines, and those beyond the limits
 * of ftwait/source.h, are ignored.
 */
#pragma once

#include "source/file/datfile.h"
#include "source/text/text_line.h"

void datfile_take_hierarchies(struct datfile *datfile, struct text_line line);
void datfile_take_cgroup(struct datfile *datfile, struct text_line line);
void datfile_take_process(struct datfile *datfile, struct text_line line);
void datfile_take_end_process(struct datfile *datfile, struct text_line line);
void datfile_take_program(struct datfile *datfile, struct text_line line);
void datfile_take_target_cgroup(struct datfile *datfile, struct text_line line);
