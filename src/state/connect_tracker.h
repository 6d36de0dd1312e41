/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attempts to open a connection; see connect_tracker.c. */
#pragma once

#include "state/core/tracker.h"

enum attempt_end {
	ATTEMPT_FAILED,
	ATTEMPT_REFUSED, /* the peer has reset it */
	ATTEMPT_ACCEPTED,
};

struct attempt {
	uint32_t peer;       /* id in names */
	uint16_t local_port; /* 0: not known */
	enum attempt_end end;
};

/* The track's attempt has ended. */
void connect_note_attempt(struct machine *machine, uint32_t track, const struct attempt *attempt);
/* A signal has ended the track's last wait. */
void connect_note_signal(struct machine *machine, uint32_t track);
