/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of trackers: bits by enum tracker_id (tracker.h). */
#pragma once

#include <stdint.h>

typedef uint64_t tracker_set;
