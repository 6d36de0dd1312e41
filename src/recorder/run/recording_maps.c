/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_maps.h"

#include <string.h>

#include "base/text/format.h"
#include "base/text/message.h"
#include "recorder/instance/stack_events.h"
#include "recording_parts.h"

static void on_user_stack(void *state, int32_t tgid, const uint64_t *address, size_t count)
{
	map_recorder_see(state, tgid, address, count);
}

static void on_exec(void *state, int32_t tgid, nsec_t time)
{
	map_recorder_exec(state, tgid, time);
}

static void on_futex(void *state, int32_t tid, uint64_t address)
{
	map_recorder_futex(state, tid, address);
}

/* Whether to note, without stacks, where the programs of the asked tasks are: futexes are to be
   named. */
static bool recording_names_futexes(const struct recording *recording)
{
	return recording_has_tasks(recording) && !recording->options->no_snapshot &&
	       event_selection_has(&recording->selection, "*syscalls:*");
}

void recording_maps_begin(struct recording *recording)
{
	const struct number_list *pids = &recording->family;
	bool has_stacks = recording->part[STREAM_BUFFER_STACKS].session != NULL;
	int r;

	if (!has_stacks && !recording_names_futexes(recording))
		return;
	r = map_recorder_begin(&recording->maps, has_stacks);
	if (r < 0) {
		recording_note(recording, "addresses of programs will have no names: no thread "
		                          "can be made (%s)", strerror(-r));
		return;
	}
	if (map_recorder_error(recording->maps) < 0 && has_stacks)
		message_note("programs that live for some milliseconds may have no names in "
		             "stacks (perf_event_open: %s)",
		             strerror(-map_recorder_error(recording->maps)));
	for (size_t i = 0; i < pids->count; i++)
		map_recorder_ask(recording->maps, pids->number[i]);
	if (recording->child.pid > 0)
		map_recorder_ask_child(recording->maps, recording->child.pid);
	recording->census.listener = (struct census_listener){
		.on_futex = on_futex,
		.state = recording->maps,
	};
	recording->waits.on_futex = on_futex;
	recording->waits.state = recording->maps;
	if (!has_stacks)
		return;
	/* forked tasks begin with the mappings of their parents */
	if (!recording_has_tasks(recording))
		map_recorder_ask_all(recording->maps);
	recording->census.listener.on_user_stack = on_user_stack;
	recording->census.listener.on_exec = on_exec;
}

/* Prints what is missing. That a kernel or architecture has no such stacks shows only if there are
   none. */
static void maps_print(struct recording *recording, const struct map_counts *counts)
{
	const struct capture_session *session = recording->part[STREAM_BUFFER_STACKS].session;

	if (recording->options->is_verbose && session)
		message_note("%s of %s stacks of programs lie in files that are known",
		             COUNT_TEXT(counts->named),
		             COUNT_TEXT(counts->stacks));
	if (counts->left_out > 0)
		recording_note(recording, "too many programs: %s mappings of theirs are not in the "
		                          "file", COUNT_TEXT(counts->left_out));
	if (counts->stacks == 0 && session && session->stacks & CAPTURE_STACKS_USER &&
	    recording->end - recording->begin > 1000000000)
		recording_note(recording, "no stack of a program was recorded: none has slept, or "
		                          "this kernel takes none on this machine");
}

void recording_maps_describe(struct recording *recording, struct buffer *to)
{
	const struct capture_session *session = recording->part[STREAM_BUFFER_STACKS].session;
	struct map_counts counts;

	if (session && session->has_profile)
		buffer_printf(to, "tick %u\n", stack_tick_hz());
	if (!recording->maps)
		return;
	counts = map_recorder_count(recording->maps);
	maps_print(recording, &counts);
	map_recorder_describe(recording->maps, recording_clock_is_monotonic(recording), to);
}
