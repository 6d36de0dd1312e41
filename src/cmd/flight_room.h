/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The room of a flight recorder's ring, in memory or in a file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cmd/options/flight_options.h"

struct flight_room {
	int fd;         /* file for the ring; -1: memory */
	uint64_t limit; /* bytes that the ring may take up */
};

/* Opens the file, and prints what prevents that, or that there is too little room for --ring=SIZE;
   false then. */
bool flight_room_find(struct flight_room *room, const struct flight_options *options,
                      bool is_forced);
/* Prints how much room the ring needs, which keeps the time `kept`, at that many bytes and events
   in a second; false: there is too little, which is printed, too. */
bool flight_room_judge(const struct flight_room *room, const struct flight_options *options,
                       nsec_t kept, bool is_forced, double bytes_a_second,
                       double events_a_second);
