/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What evidence is asked for: a stretch of a task, or a request to a disk. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"

/* A request to a disk: what its events have in common, and when they came. */
struct evidence_request {
	uint32_t dev; /* as in struct block_event; 0: there is no request */
	uint64_t sector;
	nsec_t queued, issued, completed; /* NSEC_NEVER: not seen */
};

/* The stretch of a track that contains the instant, or begins then; or a request. */
struct evidence_claim {
	uint32_t track; /* TRACK_NONE: there is nothing to prove, or it is a request */
	nsec_t at;
	bool is_inferred; /* what the view says of it is */
	struct evidence_request request;
};

static inline struct evidence_claim evidence_claim_of(uint32_t track, nsec_t at, bool is_inferred)
{
	return (struct evidence_claim){.track = track, .at = at, .is_inferred = is_inferred};
}
