/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of a text report: how far the report can be trusted. If it is sound it is one line;
   otherwise it says what not to trust, the worst first; everything only if that is asked for, and
   only the first line if there is nothing to trust. */
#pragma once

#include <stdio.h>

#include "ftwait/health.h"
#include "ftwait/report.h"
#include "text_page.h"

void text_health_put(FILE *out, const struct text_style *style, const struct health *health,
                     const struct instant_form *instants,
                     const struct presenter_options *options);
