/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shots of a flight recorder: which hits make one, when, and the process that writes it. While
 * that process writes, as a copy of this one by fork(2), this process goes on recording.
 *
 * Order of calls: flight_shots_init(); flight_shots_hit() for hits; flight_shots_take() at any time
 * that was reached, which takes the shot if one is due; flight_shots_end(), after which no other
 * call is allowed but flight_shots_release().
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cmd/options/flight_options.h"
#include "engine/live_run.h"
#include "flight/shot_file.h"
#include "flight/stream_ring.h"
#include "flight/watch.h"

struct flight_shots {
	const struct flight_options *options;
	const struct record_options *record;
	struct stream_ring *ring;
	const char *clock; /* of the recording; borrowed; "": not known yet */
	struct shot_names names;
	struct hit hit;       /* that is to have a shot */
	bool has_hit;
	/* Of the last hit that had one, and of the one before; NSEC_NEVER: there was none. */
	nsec_t last, before_last;
	uint64_t taken, failed; /* shots */
	/* Hits that had no shot of their own, since the last shot and in all. */
	uint64_t passed_over, passed_over_all;
	pid_t writer;         /* 0: none writes */
	uint64_t number;      /* of the file it writes */
};

/* All are borrowed. */
void flight_shots_init(struct flight_shots *shots, const struct flight_options *options,
                       const struct record_options *record, struct stream_ring *ring);
void flight_shots_release(struct flight_shots *shots);
/* Whether files can be made in the folder of the shots; says why not. */
bool flight_shots_have_folder(const struct flight_shots *shots);
/* --every holds for hits of a condition only. */
void flight_shots_hit(struct flight_shots *shots, const struct hit *hit);
/* Takes the shot if its --after has passed at `reached`, or `is_end`. */
void flight_shots_take(struct flight_shots *shots, const struct live_run *run, nsec_t reached,
                       bool is_end);
/* Whether --shots were taken, and written. */
bool flight_shots_are_all(const struct flight_shots *shots);
/* Waits until the last one is written. `is_forced`: ends its writing. */
void flight_shots_end(struct flight_shots *shots, bool is_forced);
