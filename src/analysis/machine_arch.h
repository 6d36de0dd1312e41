/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The architecture of a task's machine: numbers of system calls and errors mean what they mean
   there. */
#pragma once

#include "analysis.h"

/* As uname -m; NULL: not known. */
static inline const char *track_arch(const struct question *question, uint32_t track)
{
	const struct timeline *timeline = question->timeline;

	return timeline->hosts.count ? timeline->hosts.host[timeline->track[track].host].arch
	                             : question->recording.arch;
}
