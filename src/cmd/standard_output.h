/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of standard output: what could not be written to it was not reported, and a full disk
 * must not look like success.
 */
#pragma once

/* A write to it failed; the C library keeps that, but not why. Negative; the first one counts. */
void standard_output_failed(int error);
/* Closes it, and says what failed. Returns the exit status of a command that had this one. */
int standard_output_finish(int status);
