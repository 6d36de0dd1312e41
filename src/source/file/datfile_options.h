/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options, in both versions, and the names of clocks.
 */
#pragma once

#include "datfile.h"

struct option_text {
	uint16_t id;
	const uint8_t *bytes; /* borrowed */
	uint32_t size;
};
/* Stores an option that it knows; skips unknown options and those of an odd size. */
void datfile_take_option(struct datfile *datfile, const struct option_text *option);
/* Version 6: a list that ends with id 0, or with the cursor. */
int datfile_read_options(struct datfile *datfile, struct cursor *cursor, bool ends_with_zero);
/* "local [mono]" gives "mono"; NULL if there is none. */
const char *datfile_clock(struct datfile *datfile, const char *text, size_t length);

void datfile_spread_figures(struct datfile *datfile);
