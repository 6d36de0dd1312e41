/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random event streams as schedules (tests/builder/schedule.h), from a seed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"

/* Events that decode but need not make sense: any task anywhere, times that jump, losses. All times
   are within `spread`, a power of two that is at most PAGE_TIME_MAX. */
void stream_absurd(uint64_t seed, uint64_t spread, struct buffer *to);

/* What the model knows of a wait that it made. */
struct model_wait {
	int32_t tid;
	uint64_t begin, end; /* ns */
	int kind;            /* enum cause_kind */
	int32_t waker;       /* task: tid; else 0 */
};

#define MODEL_WAITS_MAX 512

struct model_truth {
	struct model_wait wait[MODEL_WAITS_MAX]; /* in order of their ends; only those that ended */
	size_t count;
	size_t open; /* that had not ended */
};

/* A possible run of a scheduler with CPUs, tasks, a disk and timers; *ret gets its waits. */
void stream_valid(uint64_t seed, struct buffer *to, struct model_truth *ret);

/* `length` tasks on one CPU, each waiting for the next; the last one wakes them in turn. */
void stream_chain(unsigned length, struct buffer *to);
