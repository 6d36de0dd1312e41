/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two machines whose clocks are known talk over a network that delays, loses and repeats packets,
 * and a third one talks to both: what packet_pairs.h finds out from times and lengths must have the
 * truth within its bound. It may find out nothing; how often it does is counted by kind of talk.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum packet_talk_kind {
	TALK_PLAIN,
	TALK_LOSS,      /* up to a fifth of the packets is lost, some of these are sent again */
	TALK_THIRD,     /* with a third machine, in packets of the same lengths */
	TALK_DRIFT,     /* for minutes, with up to 300 ppm */
	TALK_PARTIAL,   /* the recordings overlap in part */
	TALK_FAR,       /* packets take tens of milliseconds */
	TALK_BULK,      /* bursts of full packets, which senders and receivers join */
	TALK_ALL,       /* a random choice of all of these */
	TALK_PERIODIC,  /* the same packets at a regular interval */
	TALK_TWICE,     /* a talk that is repeated exactly */
	TALK_STRANGERS, /* both talk to others only */
	TALK_SHORT,     /* a few packets of different lengths over a fast network */
	TALK_STEP,      /* a clock is set forward, by 2 ms to some seconds, in the middle */
	TALK_COPY,      /* a recording, and itself with other times */
	TALK_KINDS,
};

struct packet_talk_count {
	uint64_t talks, found, ambiguous;
	uint64_t sent;         /* packets between the two, while both were recorded */
	uint64_t paired, false_pairs; /* false: the packets are not the same */
	uint64_t wrong;        /* talks with the truth not within the bound; a step may do so */
};

extern const char *const packet_talk_name[TALK_KINDS];

/* One talk, counted by its kind; NULL where all holds, else what does not. */
const char *packet_talk_check(uint64_t seed, enum packet_talk_kind kind,
                              struct packet_talk_count *count);
