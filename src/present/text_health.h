/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a text report: how far it can be trusted. One line when all is well; otherwise what
 * to distrust, the worst first; all of it if that is asked for.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "ftwait/health.h"
#include "text_style.h"

void text_health_put(FILE *out, const struct text_style *style, const struct health *health,
                     nsec_t trace_begin, bool is_verbose);
