/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Version 6 after its head: options, and a table with the place of each CPU's pages. */
#pragma once

#include "source/file/datfile.h"

int datfile_read_tables(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
