/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intervals as `ftwait top` would show them, made up. */
#pragma once

#include "live/top_shot.h"

#define SAMPLE_ROWS 50

/* Escape sequences, quotes, a byte that is no UTF-8, and a change of the direction of writing. */
#define SAMPLE_HOSTILE "\033]0;x\a\"\\\xff\xe2\x80\xae"

/* A machine with two rows, mysqld that waits for a lock and a kernel thread, and a task that still
   waits for a disk. */
struct top_shot sample_shot(void);
/* Nothing happened, and nothing is known of the machine. */
struct top_shot sample_shot_empty(void);
/* SAMPLE_ROWS rows of one task each, "worker-0" first, without causes. */
struct top_shot sample_shot_crowd(enum top_by by);
/* All names are SAMPLE_HOSTILE, of causes, too. */
struct top_shot sample_shot_hostile(enum top_by by);
