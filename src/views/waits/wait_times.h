/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the lengths of the waits that --waits lists are distributed (--histogram, --by). */
#pragma once

#include "analysis/analysis.h"

/* A section of its own: of all waits, and of each group that question->by asks for. */
void wait_times_show(const struct question *question, const struct presenter *presenter, void *to);
