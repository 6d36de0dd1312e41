/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One small report with every kind of section and cell, shown by any presenter.
 */
#pragma once

#include "ftwait/report.h"

/* What the presenter writes; the caller frees it. The health is spotless. */
char *sample_render(const char *presenter, const struct presenter_options *options);
/* No events, no sections, health as given. */
char *empty_render(const char *presenter, const struct health *health);
