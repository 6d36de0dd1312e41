/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machines of a timeline. A recording of one machine has no hosts: then nothing of this is
 * shown, and all numbers are as the kernel had them. With several machines
 *
 * - the name of a task is kept as "web:nginx", so that tasks of two machines are never taken
 *   for one by their names; struct task has both parts,
 * - CPUs are numbered through all machines, and so are block devices (graph/logs/object_names.h),
 * - ids of processes that are keys have the machine's number above the kernel's bits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "nsec.h"

#define HOSTS_MAX 64
/* Bytes of a name, with the closing NUL. */
#define HOST_BYTES 48

/* The kernel's PID_MAX_LIMIT is 1 << 22. */
#define PROCESS_ID_BITS 22

/* Whether the command that was recorded on a machine is what a report of several is about. */
enum command_lead {
	COMMAND_LEADS_NOT,    /* none was recorded there, or another machine's command leads */
	COMMAND_LEADS_ALONE,  /* no other machine's command was recorded */
	COMMAND_LEADS_ASKING, /* its machine opened connections to those of the others, or to most
	                         of them */
	COMMAND_LEADS_FIRST,  /* if it begins first: no such connections are recorded */
};

struct host {
	const char *name;   /* not empty, no two are equal, without ':' */
	const char *arch;   /* as uname -m; NULL: not known */
	uint32_t cpu_first; /* number here of its CPU 0 */
	nsec_t begin, end;  /* of its recording, on the timeline's clock; end 0: not known yet */
	uint32_t root;      /* the first of the machines with which its clock can be compared */
	uint32_t via;       /* machine that its clock was compared with; of a root: itself */
	nsec_t bound;       /* its times may be wrong by that much against those of the root, and
	                       so no less than those of `via` are */
	enum command_lead lead;
};

struct hosts {
	struct host *host; /* borrowed; NULL: there is one machine */
	uint32_t count;    /* 0: there is one machine */
};

/* A CPU as people know it. */
struct host_cpu {
	const char *host; /* name of its machine; NULL: there is one machine */
	uint32_t machine; /* number of the machine */
	uint32_t number;  /* that the machine itself gives to it */
};

/* The name of that machine; NULL: there is one machine. */
static inline const char *hosts_name(const struct hosts *hosts, uint32_t machine)
{
	return hosts->count ? hosts->host[machine].name : NULL;
}

/* Whether a command that was recorded on that machine may lead: that which began first does. */
static inline bool hosts_may_lead(const struct hosts *hosts, uint32_t machine)
{
	return hosts->count == 0 || hosts->host[machine].lead != COMMAND_LEADS_NOT;
}

/* The number of the machine that has that CPU. */
static inline uint32_t hosts_of_cpu(const struct hosts *hosts, uint32_t cpu)
{
	uint32_t host = hosts->count;

	while (host > 1 && hosts->host[host - 1].cpu_first > cpu)
		host--;
	return host ? host - 1 : 0;
}

/* Of two machines with one root: whether the next step on the way between them is from `a`, and
   not from `b`. The bound grows along a way, but for recordings of one boot, which have one bound:
   steps between these come first. */
static inline bool hosts_step_is_from(const struct hosts *hosts, uint32_t a, uint32_t b)
{
	const struct host *one = &hosts->host[a], *other = &hosts->host[b];

	if (one->bound != other->bound)
		return one->bound > other->bound;
	return a != one->root && hosts->host[one->via].bound == one->bound;
}

/* By how much the times of two machines may be wrong against each other: the bounds of the
   comparisons between them add up. NSEC_NEVER: they cannot be compared. */
static inline nsec_t hosts_bound(const struct hosts *hosts, uint32_t a, uint32_t b)
{
	nsec_t sum = 0;

	if (hosts->count == 0 || a == b)
		return 0;
	if (hosts->host[a].root != hosts->host[b].root)
		return NSEC_NEVER;
	/* At most `count` steps each. */
	for (uint32_t step = 0; a != b && step < 2 * hosts->count; step++) {
		bool is_a = hosts_step_is_from(hosts, a, b);
		uint32_t from = is_a ? a : b, to = hosts->host[from].via;

		sum += hosts->host[from].bound - hosts->host[to].bound;
		if (is_a)
			a = to;
		else
			b = to;
	}
	return sum;
}

/* The number that the machine itself gives to that CPU. */
static inline uint32_t hosts_own_cpu(const struct hosts *hosts, uint32_t cpu)
{
	return hosts->count ? cpu - hosts->host[hosts_of_cpu(hosts, cpu)].cpu_first : cpu;
}

/* The task's own name in one that begins with its machine's. */
static inline const char *hosts_own_name(const struct hosts *hosts, const char *name)
{
	const char *colon = hosts->count ? strchr(name, ':') : NULL;

	return colon ? colon + 1 : name;
}

static inline struct host_cpu hosts_cpu(const struct hosts *hosts, uint32_t cpu)
{
	uint32_t machine = hosts_of_cpu(hosts, cpu);

	return (struct host_cpu){
		.host = hosts_name(hosts, machine),
		.machine = machine,
		.number = hosts_own_cpu(hosts, cpu),
	};
}

/* How many CPUs the machine has, of `all` that are numbered through. */
static inline uint32_t hosts_cpu_count(const struct hosts *hosts, uint32_t machine, uint32_t all)
{
	uint32_t end = machine + 1 < hosts->count ? hosts->host[machine + 1].cpu_first : all;

	if (hosts->count == 0)
		return all;
	return end > hosts->host[machine].cpu_first ? end - hosts->host[machine].cpu_first : 0;
}

/* The id that such a key was made of. */
static inline int32_t hosts_own_id(const struct hosts *hosts, int32_t key)
{
	return hosts->count && key > 0 ? key & ((1 << PROCESS_ID_BITS) - 1) : key;
}

/* A process or thread as a key that no other machine's has. */
static inline int32_t hosts_process_id(uint32_t host, int32_t id)
{
	return id > 0 ? (int32_t)(host << PROCESS_ID_BITS | (uint32_t)id) : id;
}

/*
 * Packets that went from one machine of a joined source to another, found before the source is
 * read (src/machines/). A packet is named by its place: it is the n-th one that was sent, or
 * received, on its CPU, from 0; packets of all devices are counted.
 */

struct packet_place {
	uint32_t cpu;     /* as the joined source numbers it */
	uint32_t number;
	uint32_t message; /* the same for a packet's sending and its receptions; not 0 */
};

/* Both arrays are in order of CPU, then number. */
struct host_messages {
	const struct packet_place *sent, *received;
	size_t sent_count, received_count;
};
