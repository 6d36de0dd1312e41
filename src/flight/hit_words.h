/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hits in words: printable UTF-8 without line ends, as bytes of unknown origin are cleaned. */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/event.h"
#include "ftwait/task.h"
#include "wait_match.h"

/* "mysqld[812] waited 212.437 ms for disk vda", "mysqld[812] has waited more than 5.010 s for lock
   rwsem, behind jbd2/vda-8[211]", "x[7] waited 3.000 s (for data from a pipe)" */
void wait_hit_append(struct buffer *to, const struct seen_wait *wait);
/* "worker[44] was queued 31.204 ms", "worker[44] has been queued for 31.204 ms: held back by a CPU
   limit" */
void delay_hit_append(struct buffer *to, const struct seen_wait *delay);
/* "mark \"frame late\" by render[77]" */
void mark_hit_append(struct buffer *to, struct text mark, const struct task *task);
/* "11 TCP retransmissions in 312.042 ms" */
void retransmit_hit_append(struct buffer *to, uint64_t count, nsec_t time);
/* "svc[9] exited" */
void exit_hit_append(struct buffer *to, const struct task *task);
/* "event sched:sched_stat_runtime by x[1]"; task NULL: "event x:y in an interrupt on CPU 3" */
void event_hit_append(struct buffer *to, const char *event, const struct task *task, uint32_t cpu);
