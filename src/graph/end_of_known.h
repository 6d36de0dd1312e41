/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a bounded history can be taken, for callers that sum it up before its older half is
   forgotten. */
#pragma once

#include "graph/timeline/timeline.h"

/*
 * The instant up to which a track's history can be taken. The current segment is taken only when it
 * has ended. Sleeps of which more may become known are taken later, unless they are about to be
 * forgotten.
 */
nsec_t track_end_of_known(const struct timeline *timeline, uint32_t track);
