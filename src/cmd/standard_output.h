/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of standard output: a report that could not be written must not look like success, for
 * example on a full disk.
 */
#pragma once

/* Call when a write to standard output failed: the C library keeps the fact, but not the reason.
   `error` is a negative errno; the first one counts. */
void standard_output_failed(int error);
/* Closes standard output, and prints what failed. Returns the exit status of a command that ended
   with `status`. */
int standard_output_finish(int status);
