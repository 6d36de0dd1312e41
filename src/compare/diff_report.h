/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as a section of a report: what changed in a sentence, the table, its basis. */
#pragma once

#include "cost_diff.h"
#include "ftwait/report.h"

void diff_report(const struct cost_diff *diff, const struct output *to);
