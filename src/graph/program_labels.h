/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short words that tell tasks apart that have one name but execute programs with different command
 * lines: of "python3 manage.py" and "python3 worker.py" the scripts, of several "cc1" the files
 * that they compile.
 */
#pragma once

#include "graph/timeline/timeline.h"

/* A name with such words has at most about so many columns. */
#define PROGRAM_LABEL_COLUMNS 28

/*
 * The trace has ended: sets program_log_label() for each name with several command lines, or with
 * recorded processes whose command line is not known. The words are those of the first argument
 * that is no option, nor the output of -o, and that not all of these command lines have; for
 * interpreters also the script, if there is room for both. Of a path they are the last part. Cost:
 * O(bytes of all command lines).
 */
void timeline_label_programs(struct timeline *timeline);
