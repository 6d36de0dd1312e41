/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison of two runs with three others, whose names are hostile, shown by any presenter that
   shows comparisons. */
#pragma once

/* What the presenter writes; the caller frees it. */
char *comparison_render(const char *presenter);
