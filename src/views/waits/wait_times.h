/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The distribution of the lengths of the waits that --waits lists (--histogram, --by). */
#pragma once

#include "analysis/analysis.h"

/* Prints a section of its own: for all waits, and for each group that is asked for. */
void wait_times_show(const struct question *question, const struct output *to);
