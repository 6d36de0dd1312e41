/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What calls of futex() ask for. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/event.h"
#include "ftwait/source.h"

/* What a task does in the futex call that it is in. */
enum futex_use {
	FUTEX_NOT,   /* it is in none */
	FUTEX_OTHER,
	FUTEX_SLEEP, /* others may move it to another futex meanwhile */
	FUTEX_WAKE,  /* wakes only sleepers of this futex */
	FUTEX_WAKE_OP, /* wakes sleepers of this futex, and maybe of another */
	FUTEX_MOVE,  /* wakes some and moves others */
	FUTEX_MOVE_PI, /* wakes one if it can have the lock, and moves others */
};

enum futex_use futex_use_of(uint64_t op);
bool futex_use_moves(uint8_t use);
/* True if it wakes sleepers at the call's first address. */
bool futex_use_wakes(uint8_t use);
/* Whether the address is in memory of the calling process alone. */
bool futex_is_private(uint64_t op);
/* The arguments if the call is futex(); false, and all 0, where they were not recorded. */
bool futex_call_read(const struct source *source, struct text arguments, struct futex_call *ret);
