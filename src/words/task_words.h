/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks, with priorities of the kernel's scale (ftwait/task.h), CPUs and machines in words. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/health.h"
#include "ftwait/host.h"
#include "ftwait/task.h"

/* "RT 50", as chrt(1) counts, "nice 5", "deadline"; nothing if it is not known. */
void priority_append(struct buffer *to, int priority);
/* Whether it is that of a real-time or deadline task. */
static inline bool priority_is_real_time(int priority)
{
	return priority != PRIORITY_UNKNOWN && priority < PRIORITY_FAIR_MIN;
}

/* "mysqld[101]", "python3 manage.py[102]", with several machines "db:mysqld[101]"; bytes of unknown
   origin are cleaned. */
void task_text_append(struct buffer *to, const struct task *task);

/* The names of machines: before what a machine has - a task, a CPU, a device - and in a row. */

/* "db:"; nothing if `host` is NULL: there is one machine. Bytes of unknown origin are cleaned. */
void host_prefix_append(struct buffer *to, const char *host);
/* "7", "db:7": a task or a CPU as options have it. `host` NULL or "": it is of any machine. */
void host_number_append(struct buffer *to, const char *host, int64_t number);
/* "db", "web, db", "web, db, cache, mail and 21 more", as they are. */
void host_names_append(struct buffer *to, const char *const *names, size_t count);

/* CPUs in words. */

#define ANY_HOST UINT32_MAX

/* "3"; with several machines "db:3". */
void cpu_append(struct buffer *to, const struct host_cpu *cpu);
/* "CPUs 1, 2 and 5 were not recorded"; nothing if all of the machine's were. ANY_HOST: of all
   machines. */
void cpus_unrecorded_append(struct buffer *to, const struct health *health, uint32_t host);
