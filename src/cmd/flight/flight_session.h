/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `record` as a flight recorder: keeps the newest part of what is recorded, and saves it when a
   condition is met. */
#pragma once

#include "cmd/options/flight_options.h"

/* Returns the exit status: COMMAND's, if one is given. What went wrong is printed. */
int flight_session_run(const struct record_options *record, const struct flight_options *options,
                       char **argv);
