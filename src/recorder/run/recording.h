/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of `ftwait record`, from the search for the tracefs to the finished file. The steps are
 * called in the order below; each prints its own one line if it fails, and returns -errno.
 * recording_release() comes at the end of every path: it removes the instance.
 */
#pragma once

#include "recording_state.h"

/* Why the loop ended. */
enum recording_end {
	RECORDING_FAILED, /* writing or reading failed, which is printed already */
	RECORDING_CHILD,
	RECORDING_TASKS,  /* all tasks of -p have ended */
	RECORDING_DURATION,
	RECORDING_SIGNAL,
};

void recording_init(struct recording *recording, const struct record_options *options);
/* Finds the tracefs, removes instances that killed recorders left, and matches events. -EINVAL: a
   name is wrong. */
int recording_prepare(struct recording *recording);
/* Makes the instance, the output and the held child (argv NULL: none), and writes the preface. */
int recording_open(struct recording *recording, char **argv);
/* Records until something ends the recording. */
enum recording_end recording_run(struct recording *recording);
/* Writes the pages that are still in the buffers, and the descriptions that are known only now. */
int recording_finish(struct recording *recording);
/*
 * Turns the stream into a trace.dat, even if the file was moved or removed. *ret_place is the path
 * of the result; the caller frees it. Returns 1 if that was impossible: this is printed, and the
 * stream stays. Returns -errno if the recording is lost.
 */
int recording_convert(struct recording *recording, char **ret_place);
/* The same for the part of the stream that was written before a write failed. */
void recording_salvage(const struct recording *recording);
/* After a signal or a failure: waits for COMMAND, passes on the first signal, ends at the
   second. */
void recording_await_child(struct recording *recording);
void recording_release(struct recording *recording);
