/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much network devices sent and received, for the first sentence on a whole machine. Traffic of
 * a window is known to TRAFFIC_SLICE, about a millisecond; so that of a short window is not
 * reported.
 */
#pragma once

#include "analysis/analysis.h"

struct network_use;

struct network_use *network_use_new(const struct question *question);
void network_use_free(struct network_use *use);
void network_use_add(struct network_use *use, const struct interval *interval);
/* Call once the question is resolved. */
void network_use_resolve(struct network_use *use);
/*
 * Appends "network eth0 1.2 MiB/s out, 0.1 MiB/s in": the device that carried most bytes to or
 * from other machines; if none did, the one that carried most within this machine, such as lo.
 * Appends nothing if no packets were recorded. A direction of which none were recorded is left out.
 * Only devices of that machine count.
 */
void network_use_append(const struct network_use *use, uint32_t machine, struct buffer *to);
/* Puts the bytes of each device, for JSON, if packets were recorded. */
void network_use_put(const struct network_use *use, const struct output *to);
