/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the clocks of two machines relate by the connections between them: the same byte is never
 * received before it is sent, and an end never learns before it happens that its peer is open, that
 * it closes, or that it has noticed the close. That holds also where packets are lost and sent
 * again, cut, joined, or all alike. Which connection is which is known by its addresses and ports.
 *
 * If no connection has both its ends on the two machines by these, addresses may have been
 * translated between them (NAT). Then the ports, which are mostly kept, and the number of bytes
 * each way must agree, and there must be several calls.
 *
 * The bound is exact where packets identify a call (struct stream_sent). Elsewhere it is as large
 * as the delay with which programs read. A connection is not used if its ports were translated, if
 * it was open before the recordings began, or if both its ends are on one machine.
 */
#pragma once

#include <stdint.h>

#include "clock_fit.h"
#include "host_packets.h"

/* Returns how many calls and changes of state the result is from; 0: nothing is known. O(n log n)
   time for n connections and for n calls. */
uint64_t stream_fit_find(const struct host_packets *first, const struct host_packets *second,
                         struct clock_fit *ret);
