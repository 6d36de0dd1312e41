/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the slow units and the others went to, for a page: two icicles on one scale, and the table
 * of the same figures.
 */
#pragma once

#include "ftwait/report.h"
#include "tail.h"

/* Whether that shows pictures beside tables. */
bool tail_has_picture(const struct output *to);
/* Paths of the mean unit of each side, its keys, and their leaves; nothing if no unit is far. */
void tail_picture_put(const struct tail *tail, const struct output *to);
/* The leaves in a table. */
void tail_leaves_put(const struct tail *tail, const struct output *to);
