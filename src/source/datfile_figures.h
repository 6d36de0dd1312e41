/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each CPU's buffer reported when recording ended (option CPUSTAT): collected as the options
 * come, and assigned to the streams once these are known.
 */
#pragma once

#include "source/file/datfile.h"

void datfile_take_figures(struct datfile *datfile, const char *text, size_t length);
void datfile_spread_figures(struct datfile *datfile);
