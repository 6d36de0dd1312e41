/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The connection that is being served on a CPU, found by socket_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The connection that is being served on one CPU. */
struct cpu_served {
	struct sighting sighting; /* first */
	nsec_t timed_out; /* as in struct connection; the stall is in the sighting's note */
	uint64_t ready;   /* sock for which data came in just now; 0: none */
	bool is_accepted; /* the connection has just been accepted: the next event names the
			     listener */
};

static inline struct sighting *cpu_served(const struct machine *machine, const struct cpu *cpu)
{
	return &((struct cpu_served *)tracker_cpu(machine, cpu, TRACKER_SOCKET))->sighting;
}

static inline nsec_t *cpu_timed_out(const struct machine *machine, const struct cpu *cpu)
{
	return &((struct cpu_served *)tracker_cpu(machine, cpu, TRACKER_SOCKET))->timed_out;
}

static inline uint64_t *cpu_ready_socket(const struct machine *machine, const struct cpu *cpu)
{
	return &((struct cpu_served *)tracker_cpu(machine, cpu, TRACKER_SOCKET))->ready;
}

static inline bool *cpu_has_accepted(const struct machine *machine, const struct cpu *cpu)
{
	return &((struct cpu_served *)tracker_cpu(machine, cpu, TRACKER_SOCKET))->is_accepted;
}

/* What follows on this CPU is not for a known connection. */
static inline void socket_leave(const struct machine *machine, const struct cpu *cpu)
{
	cpu_served(machine, cpu)->activation = 0;
}
