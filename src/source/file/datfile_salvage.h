/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds parts of a file whose tables of offsets are damaged. */
#pragma once

#include "datfile.h"

/* Version 6 whose head is damaged: its tables, somewhere after `from`. */
int datfile_salvage_tables(struct datfile *datfile, uint64_t from);
/* Version 7 whose chain of options is broken. */
/* Walks the sections in the order of the file. First round: options, places of the others. */
void datfile_salvage_sections(struct datfile *datfile);
/* Second round, after the options' buffers: pages that no option refers to. */
void datfile_salvage_buffers(struct datfile *datfile);

/* Version 6 after its head: options, and a table with the place of each CPU's pages. */

int datfile_read_tables(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
