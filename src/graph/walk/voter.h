/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The task that at least half of something belongs to: the candidate of a majority vote (Boyer and
 * Moore), by time if there is any. Its share is counted only while it leads, so a task with little
 * more than half may not be found.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "graph/timeline/timeline.h"

struct voter {
	uint32_t track;
	uint64_t lead, own, all; /* its lead; its share; the sum of all votes */
};

/* The task with at least half of the votes; TRACK_NONE: there is none. */
static inline uint32_t voter_task(const struct voter *voter)
{
	return voter->own && voter->own >= voter->all - voter->own ? voter->track : TRACK_NONE;
}

/* Whether that candidate leads: then its next votes may be cast as one. */
static inline bool voter_is_led_by(const struct voter *voter, uint32_t candidate)
{
	return voter->track == candidate && voter->own;
}

/* Adds the votes of `more`. Of votes for others than its candidate only the sum is known. */
static inline void voter_add(struct voter *voter, const struct voter *more)
{
	voter->all += more->all;
	if (voter_is_led_by(voter, more->track)) {
		voter->lead += more->lead;
		voter->own += more->own;
	} else if (voter->lead >= more->lead && voter->own) {
		voter->lead -= more->lead;
	} else {
		voter->track = more->track;
		voter->lead = more->lead - voter->lead;
		voter->own = more->own;
	}
}

/* Adds so much for that candidate: a track, or any other number. */
static inline void voter_vote(struct voter *voter, uint32_t candidate, uint64_t weight)
{
	voter_add(voter, &(struct voter){candidate, weight, weight, weight});
}

/* The same as voter_add(), with the votes of `more` scaled to that weight. */
static inline void voter_add_weighed(struct voter *voter, const struct voter *more,
                                     uint64_t weight)
{
	double scale = more->all ? (double)weight / (double)more->all : 0;

	voter_add(voter, &(struct voter){
				 .track = more->track,
				 .lead = (uint64_t)((double)more->lead * scale),
				 .own = more->own == more->all
	                                        ? weight
	                                        : (uint64_t)((double)more->own * scale),
				 .all = weight,
			 });
}
