/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A distribution as bars, one a power of two, as users know them from bcc's tools. In text only. */
#pragma once

#include "distribution.h"
#include "ftwait/report.h"

/* As a table of that title; an empty one shows nothing. */
void histogram_show(const struct distribution_sum *sum, const char *title,
                    const struct presenter *presenter, void *to);
/* The same of one that is not summed yet. */
void histogram_show_of(const struct distribution *distribution, const char *title,
                       const struct presenter *presenter, void *to);
