/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names and states of tasks: the saved command lines, and option VERSION, in which ftwait stores
 * its findings in /proc.
 */
#pragma once

#include "source/found_notes.h"

void notes_take_cmdlines(struct found_notes *found, const char *text, size_t length);
void notes_take_version(struct found_notes *found, const char *text, size_t length);
