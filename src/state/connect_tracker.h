/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attempts to open a connection; see connect_tracker.c. */
#pragma once

#include "state/core/tracker.h"

enum attempt_end {
	ATTEMPT_FAILED,
	ATTEMPT_REFUSED, /* the peer has reset it */
	ATTEMPT_ACCEPTED,
};

/* The track's attempt to connect to that peer (a name) has ended; its own port may be 0. */
void connect_note_attempt(struct machine *machine, uint32_t track, uint32_t peer,
                          uint16_t local_port, enum attempt_end end);
/* A signal has ended the track's last wait. */
void connect_note_signal(struct machine *machine, uint32_t track);
