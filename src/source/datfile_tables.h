/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version 6 behind its head: options, and a table of where each CPU's pages are.
 */
#pragma once

#include "datfile.h"

int datfile_read_tables(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
