/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls summed up further: by call, by process, and by error. */
#pragma once

#include "syscall_calls.h"

/* Shows the three tables. `rows`: of struct call_row, those that are asked for; resolved. */
void call_tables_put(const struct relation_rows *rows, const struct question *question,
                     const struct output *to);
