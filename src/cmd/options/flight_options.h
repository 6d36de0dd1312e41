/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of `record` as a flight recorder: --ring=TIME|SIZE, --trigger and what goes with them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/option_values.h"
#include "flight/condition.h"
#include "ftwait/nsec.h"
#include "recorder/run/recording_state.h"

#define FLIGHT_NOT_GIVEN UINT64_MAX

/* FLIGHT_NOT_GIVEN becomes the default in flight_options_parse(). */
struct flight_options {
	struct optional_string ring; /* without value and trigger it is that of record_options */
	struct string_list triggers;
	const char *ring_file;
	nsec_t after, every;
	uint64_t shots;    /* 0: no end */
	uint64_t size_max; /* of all shots together */

	/* Of flight_options_parse(): */
	nsec_t time;       /* of the ring; NSEC_NEVER: as `bytes` says */
	uint64_t bytes;    /* 0: as `time` says */
	struct condition *condition; /* of `triggers`; owned */
	struct event_wish *wish;     /* what these need; owned */
	size_t wish_count;
};

#define FLIGHT_OPTIONS_NONE \
	{ \
		.after = FLIGHT_NOT_GIVEN, .every = FLIGHT_NOT_GIVEN, \
		.shots = FLIGHT_NOT_GIVEN, .size_max = FLIGHT_NOT_GIVEN, .time = NSEC_NEVER, \
	}

/* Whether `record` is to be a flight recorder. */
bool flight_is_asked(const struct flight_options *options);
/* Prints what is wrong with the options, also of a recorder that is none; false then. */
bool flight_options_parse(struct flight_options *options, const struct record_options *record);
void flight_options_release(struct flight_options *options);
/* `record` as a flight recorder: keeps the newest part of what is recorded, and saves it when a
   condition is met. Returns the exit status: COMMAND's, if one is given. What went wrong is
   printed. */
int flight_session_run(const struct record_options *record, const struct flight_options *options,
                       char **argv);
