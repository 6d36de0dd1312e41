/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A distribution as bars, one for each power of two, in the style of bcc's tools. Only in text. */
#pragma once

#include "analysis/tables/distribution.h"
#include "ftwait/report.h"

/* Shows the histogram as a table with that title; shows nothing if it is empty. */
void histogram_show(const struct distribution_sum *sum, const char *title, const struct output *to);
/* The same for a distribution that distribution_sum() has not summed yet. */
void histogram_show_of(const struct distribution *distribution, const char *title,
                       const struct output *to);
