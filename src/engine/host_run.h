/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pipeline has of each machine: the decoder, the names of functions, the machine, and what
 * is found of its recording.
 *
 * Order of calls: host_run_open(); the pipeline reads; the notes; host_run_close().
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "decode/event_decoder.h"
#include "decode/symbols.h"
#include "ftwait/event.h"
#include "ftwait/health.h"
#include "ftwait/host.h"
#include "ftwait/source.h"
#include "graph/logs/object_names.h"
#include "state/core/machine.h"
#include "user_frames.h"

struct host_run {
	struct source *source;  /* of this machine alone; borrowed */
	uint32_t number;        /* in the timeline's hosts */
	uint32_t cpu_first;     /* number on the timeline of its CPU 0 */
	struct user_frames *users; /* borrowed; NULL: functions of programs are not named */
	const struct symbol_text *kernel; /* borrowed; NULL: the symbols are the source's */
	struct decoder *decoder;
	struct symbols *symbols;
	struct machine *machine;
	struct health *health;  /* that of the run if there is one machine, else `own` */
	struct health own;
	struct event_kinds seen;
	bool has_any;
	nsec_t first, last; /* times of its first and last record, whether decoded or not */
	/* `record --ring` overwrote old events. overwritten: how many; 0: not known. From
	   whole_from on, the recording has the events of all CPUs. */
	bool has_overwritten;
	uint64_t overwritten;
	nsec_t whole_from;
	/* Pauses the second thread, which may use the source, and lets it go on; with `thread`. */
	void (*pause)(void *thread);
	void (*resume)(void *thread);
	void *thread;
};

/* `setup`: the sinks, the timeline, and for debugging on_step are taken; source, health and
   pause are set in *host before. */
void host_run_open(struct host_run *host, const struct machine_setup *setup);
void host_run_close(struct host_run *host);
/* Its first record has that time. */
void host_run_begin(struct host_run *host, nsec_t time);
/* Notes that `record --ring` overwrote events of a CPU, all of them before `end`. `events`: how
   many; LOST_UNCOUNTED: not known. */
void host_run_note_overwritten(struct host_run *host, uint64_t events, nsec_t end);
/* Adds notes to the host's health: on parts of the recording that could not be read, and on
   information that its events do not contain. */
void host_run_note(struct host_run *host);

/*
 * Makes the health of several machines one: adds that of each. Notes which clocks cannot be
 * compared with that of the first machine, and of which trace-cmd's measurement is wrong. A note
 * of several machines is one line with their names. `hosts`: one for each part of the source.
 */
void host_notes_join(const struct source *source, const struct host_run *hosts,
                     struct health *ret);

/*
 * Makes an event of one machine of several one of the common timeline: it gets the timeline's
 * numbers of CPUs and devices, and the number of the message that it is.
 *
 * Order of calls: host_events_new(); host_event_fit() for each event, in the order of the source;
 * host_events_free().
 */

struct host_events;

/* `messages` is borrowed; NULL: none are known. */
struct host_events *host_events_new(const struct host_messages *messages, uint32_t cpu_count);
struct host_events *host_events_free(struct host_events *events);
/* `cpu_first`: number on the timeline of the machine's CPU 0. */
void host_event_fit(struct host_events *events, struct device_names *devices, uint32_t host,
                    uint32_t cpu_first, struct event *event);
