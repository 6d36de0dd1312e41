/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of each kind of cause: they follow the word for the kind, with a leading space if there
 * are any. cause_kind.c has which function is for which kind; _object: only what identifies it.
 */
#pragma once

#include "base/buffer.h"
#include "ftwait/cause.h"

void phrase_unknown(struct buffer *to, const struct cause *cause);
void phrase_task(struct buffer *to, const struct cause *cause);
void phrase_task_object(struct buffer *to, const struct cause *cause);
void phrase_disk(struct buffer *to, const struct cause *cause);
void phrase_disk_object(struct buffer *to, const struct cause *cause);
void phrase_net(struct buffer *to, const struct cause *cause);
void phrase_net_object(struct buffer *to, const struct cause *cause);
void phrase_timer(struct buffer *to, const struct cause *cause);
void phrase_timer_object(struct buffer *to, const struct cause *cause);
void phrase_irq(struct buffer *to, const struct cause *cause);
void phrase_irq_object(struct buffer *to, const struct cause *cause);
void phrase_softirq(struct buffer *to, const struct cause *cause);
void phrase_work(struct buffer *to, const struct cause *cause);
void phrase_signal(struct buffer *to, const struct cause *cause);
void phrase_signal_object(struct buffer *to, const struct cause *cause);
void phrase_lock(struct buffer *to, const struct cause *cause);
void phrase_memory(struct buffer *to, const struct cause *cause);
void phrase_memory_object(struct buffer *to, const struct cause *cause);
void phrase_frozen(struct buffer *to, const struct cause *cause);
void phrase_throttled(struct buffer *to, const struct cause *cause);
void phrase_throttled_object(struct buffer *to, const struct cause *cause);
void phrase_nothing(struct buffer *to, const struct cause *cause);

/* " eth0"; nothing for NULL. */
void name_append(struct buffer *to, const char *name);
/* The originator between two strings; nothing without one. */
void originator_append(struct buffer *to, const struct cause *cause, const char *before,
                       const char *after);
/* " for memory reclaim": the operation that the wait was part of, whatever ended it; " (for data
   from a pipe)": what the task slept for. */
void purpose_append(struct buffer *to, const struct cause *cause);
/* " held back by an I/O limit": the words of those members of the kind that are true. */
void member_words_append(struct buffer *to, const struct cause *cause);
