/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks, and priorities of the kernel's scale (ftwait/task.h), in words. */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/task.h"

/* "RT 50", as chrt(1) counts, "nice 5", "deadline"; nothing if it is not known. */
void priority_append(struct buffer *to, int priority);
/* "mysqld[101]", "python3 manage.py[102]", with several machines "db:mysqld[101]"; bytes of unknown
   origin are cleaned. */
void task_text_append(struct buffer *to, const struct task *task);
