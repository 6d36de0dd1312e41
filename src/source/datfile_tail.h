/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind all that a file speaks of.
 */
#pragma once

#include "datfile.h"

/* Version 7: those that were found, and what stands behind them in the same chain of sections. */
void datfile_cover_sections(struct datfile *datfile);
/* When all parts are known: notes what follows them, but for zeros. */
void datfile_note_tail(struct datfile *datfile);
