/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several recordings as one source, on the clock of the first one.
 *
 * Order of calls: machines_open(); machines_release() once the source in it is not used any more.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "clocks/clock_fit.h"
#include "ftwait/host.h"
#include "ftwait/source.h"

/* The line from the source's clock to the common one, which was read in turns with it, bounded
   while the source was recorded, from `begin` to `end`. False: its readings do not bound it. */
bool clock_readings_fit(const struct source *source, nsec_t begin, nsec_t end,
                        struct clock_fit *ret);

struct machines {
	struct source *source; /* joined; owned */
	struct host_messages messages;
	struct packet_place *sent, *received; /* those of `messages` */
	char note[160]; /* on times, of the source */
};

/* A recording. */
struct machine_file {
	const char *path; /* of its file, which may have several */
	const char *name; /* of its machine, without ':'; NULL: its host name, up to a '.' */
};

struct machines_setup {
	const struct machine_file *files;
	size_t count; /* 2 to HOSTS_MAX */
	/* Opens the recording of that index, as source_open() does. */
	int (*open)(void *state, size_t index, struct source **ret, struct buffer *why);
	void *state;
	/* `what` is what takes time, and `done` of `all` such things are done. The text is valid
	   during the call. NULL: progress is not wanted. */
	void (*on_progress)(const char *what, size_t done, size_t all);
};

/* On failure returns a negative number, with the index of the file in *ret_at and a phrase in `why`
   that fits after its name. */
int machines_open(const struct machines_setup *setup, struct machines *ret, size_t *ret_at,
                  struct buffer *why);
void machines_release(struct machines *machines);
