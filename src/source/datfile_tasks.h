/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names and states of tasks: the saved command lines, and option VERSION, in which ftwait stores
 * its findings in /proc.
 */
#pragma once

#include "source/file/datfile.h"

void datfile_take_cmdlines(struct datfile *datfile, const char *text, size_t length);
void datfile_take_version(struct datfile *datfile, const char *text, size_t length);
