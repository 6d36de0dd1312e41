/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two machines whose clocks are known send each other messages: what clock_fit.h finds out from
 * these must have the truth within its bound, and the bound must be what the messages leave open.
 */
#pragma once

#include <stdint.h>

/* One talk; NULL where all holds, else what does not. */
const char *clock_talk_check(uint64_t seed);
