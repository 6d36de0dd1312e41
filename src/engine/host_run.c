/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_run.h"

#include <string.h>

#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "ftwait/stream.h"
#include "recording_notes.h"
#include "words/kernel/trace_clock.h"

/* The symbols, which the source provides only once. The second thread may be using the source, so
   it is paused. */
static struct symbols *host_run_symbols(struct host_run *host)
{
	if (symbols_are_read(host->symbols))
		return host->symbols;
	host->pause(host->thread);
	symbols_read(host->symbols);
	host->resume(host->thread);
	return host->symbols;
}

static const char *find_symbol(void *state, uint64_t address)
{
	return symbols_find(host_run_symbols(state), address);
}

static const char *find_symbol_within(void *state, uint64_t address)
{
	return symbols_find_within(host_run_symbols(state), address);
}

static const char *find_object(void *state, uint64_t address)
{
	return symbols_find_object(host_run_symbols(state), address);
}

static bool host_run_names_locks(const struct host_run *host, const struct machine_setup *setup)
{
	bool is_asked = false;

	for (size_t i = 0; i < setup->interval_sink_count; i++)
		is_asked |= setup->interval_sinks[i].kinds & INTERVAL_MASK(INTERVAL_LOCK);
	return is_asked && host->decoder->described.has[EVENT_LOCK_BEGIN];
}

void host_run_open(struct host_run *host, const struct machine_setup *setup)
{
	struct machine_setup own = *setup;

	host->decoder = decoder_new(host->source);
	host->symbols = host->kernel ? symbols_new_of_text(host->kernel)
	                             : symbols_new(host->source);
	own.host = host->number;
	own.source = host->source;
	own.symbol = find_symbol;
	own.symbol_within = find_symbol_within;
	own.object = find_object;
	own.symbols = host;
	own.user_function = host->users ? user_frames_name : NULL;
	own.user_file = user_frames_name_file;
	own.user_variable = host->users ? user_frames_name_variable : NULL;
	own.user_period = user_frames_period;
	own.users = host->users;
	own.health = host->health;
	machine_setup_expect(&own, &host->decoder->described);
	if (host_run_names_locks(host, setup))
		symbols_keep_objects(host->symbols);
	host->machine = machine_new(&own);
}

void host_run_close(struct host_run *host)
{
	machine_free(host->machine);
	symbols_free(host->symbols);
	decoder_free(host->decoder);
	health_release(&host->own);
}

void host_run_begin(struct host_run *host, nsec_t time)
{
	host->has_any = true;
	host->first = time;
	host->last = time;
	host->whole_from = time;
	machine_begin(host->machine, time);
}

static void host_run_note_input(struct host_run *host)
{
	const struct source *source = host->source;

	host->health->input_damaged |= source->damaged;
	for (size_t i = 0; i < source->note_count; i++)
		if (!host->kernel || !strstr(source->notes[i], STREAM_NOTE_UNNAMED))
			health_note(host->health, "%s", source->notes[i]);
}

void host_run_note_overwritten(struct host_run *host, uint64_t events, nsec_t end)
{
	if (events != LOST_UNCOUNTED)
		host->overwritten += events;
	host->has_overwritten = true;
	host->whole_from = nsec_max(host->whole_from, end);
}

static void host_run_note_events(struct host_run *host)
{
	const struct source *source = host->source;
	struct health *health = host->health;
	struct event_kinds seen = host->seen;
	const struct recording_notes notes = {
		.source = source,
		.seen = &seen,
		.has_wakeup_timers = decoder_hide_parts(host->decoder, &seen),
		.described = &host->decoder->recorded,
		.state_form = decoder_state_form(host->decoder),
		.has_any = host->has_any,
	};

	if (host->users)
		user_frames_note(host->users, health);
	if (source->clock && !source->is_scaled && !trace_clock_find(source->clock))
		health_doubt(health, "its clock \"%s\" is not known: its time stamps are taken as "
		                     "nanoseconds", source->clock);
	recording_notes_lacks(&notes, health);
	if (host->has_any && recording_notes_lack(&notes, EVENT_SCHED_SWITCH)) {
		/* even if wake-ups alone show something */
		health->explained_ns = 0;
		health->unseen_ns = 0;
	}
	if (host->has_overwritten)
		health_note(health, "%s older events were overwritten, as --ring keeps the newest: "
		            "the events of all CPUs are there from %s after its begin on",
		            host->overwritten ? COUNT_TEXT(host->overwritten) : "some",
		            DURATION_TEXT(host->whole_from - host->first));
	if (host->decoder->formats_bad)
		health_doubt(health, "%zu event format%s could not be read: such events are left "
		             "out",
		             host->decoder->formats_bad,
		             format_plural(host->decoder->formats_bad));
	recording_notes_states(&notes, health);
	recording_notes_guest(&notes, health);
	recording_notes_suspend(&notes, health);
	recording_notes_realtime(&notes, health);
}

/* Reports show only the first notes. Damage comes first, then notes on missing events, since these
   explain most unknown causes; the other notes of the recording come last. */
void host_run_note(struct host_run *host)
{
	if (host->source->damaged)
		host_run_note_input(host);
	host_run_note_events(host);
	if (!host->source->damaged)
		host_run_note_input(host);
}
