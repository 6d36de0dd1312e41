/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines in words, which text shows and the other forms do not. */
#pragma once

#include "ftwait/report.h"

static inline void prose_put(const struct presenter *presenter, void *to, const char *text)
{
	presenter->field(to, NULL, NULL, &(struct cell){.type = CELL_TEXT, .text = text});
}
