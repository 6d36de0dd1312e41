/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two or three machines with known clocks have connections with each other (tcp_net.h) and are
 * recorded, from and to any time, with events lost: what their recordings say of the clocks by byte
 * positions (machines/talk_log.h, clocks/stream_fit.h) must have the truth within its bound.
 */
#pragma once

#include <stdint.h>

struct stream_talk_count {
	uint64_t pairs, known; /* of machines that have connections */
	uint64_t rich, rich_known; /* those that were seen to exchange enough */
	uint64_t settled; /* pairs of machines for which calls decided against packets */
	uint64_t bound_sum; /* ns, of the rich ones that are known */
};

/* One world of machines; NULL where all holds, else what does not. */
const char *stream_talk_check(uint64_t seed, struct stream_talk_count *count);
