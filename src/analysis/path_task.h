/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose critical path is asked for.
 */
#pragma once

#include "analysis.h"

/*
 * The line of the task that question->path_of names, by tid or by a glob of its name, or the one
 * that is likely to be meant where it names none; LINE_NONE: there is no such task. *ret_why tells
 * why one was chosen, NULL where it was named.
 */
uint32_t path_task_find(const struct question *question, const char **ret_why);
