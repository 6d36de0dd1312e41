/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window of --from HH:MM:SS and --to HH:MM:SS. Without a date, that of --from is the first such
 * time of the recording, and that of --to the first one after the window's begin; if the recording
 * has none, it is the one that is nearest to it, which may lie before its begin or after its end.
 */
#pragma once

#include "analysis.h"

/*
 * Sets `from` and `to` of the question where it asks for times of day, unless that was done before.
 * The begin of the trace must be known; before its end is known, that of the recording counts, as
 * the recorder noted it.
 */
void day_window_resolve(struct question *question);
