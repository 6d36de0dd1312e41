/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ftwait browse` over the screen of `ftwait top`, as a process of its own: top goes on recording
 * meanwhile. It ends with top, and has what signals of the terminal's group there are.
 *
 * Order of calls: top_browser_begin(), with the terminal given back; top_browser_poll() until it
 * returns true, or top_browser_end().
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "live/top_screen.h"
#include "piped_child.h"

/* Shows the recording, of what the row is about; NULL: of all. Its pipe is readable when it has
   ended. Returns 0, or -errno. */
int top_browser_begin(struct piped_child *browser, const char *file,
                      const struct top_selected *selected);
/* True once: it has ended. `said` has a line if that was not by its user. */
bool top_browser_poll(struct piped_child *browser, struct buffer *said);
/* If one runs, waits for its end, when the terminal is as it was. `at_once`: ends it. */
void top_browser_end(struct piped_child *browser, bool at_once);
