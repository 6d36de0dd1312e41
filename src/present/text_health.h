/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a text report: how far it can be believed. One line when all is well; otherwise
 * what to distrust, the worst first.
 */
#pragma once

#include <stdio.h>

#include "ftwait/health.h"
#include "text_style.h"

/* The first line in short: "complete, nothing lost". Ends in ":" where there is more to tell. */
const char *text_health_verdict(const struct health *health);

void text_health_put(FILE *out, const struct text_style *style, const struct health *health,
                     nsec_t trace_begin);
