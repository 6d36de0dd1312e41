/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The health of several machines as one. */
#pragma once

#include "ftwait/health.h"
#include "ftwait/source.h"
#include "host_run.h"

/*
 * Adds the health of each machine, and what is known of its clock. A note of several machines is
 * one line with their names. `hosts`: one for each part of the source.
 */
void host_notes_join(const struct source *source, const struct host_run *hosts,
                     struct health *ret);
