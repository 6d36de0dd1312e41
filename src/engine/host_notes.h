/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The health of several machines as one. */
#pragma once

#include "ftwait/health.h"
#include "ftwait/source.h"
#include "host_run.h"

/*
 * Adds the health of each machine. Notes which clocks cannot be compared with that of the first
 * machine, and of which trace-cmd's measurement is wrong. A note of several machines is one line
 * with their names. `hosts`: one for each part of the source.
 */
void host_notes_join(const struct source *source, const struct host_run *hosts,
                     struct health *ret);
