/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/text/message.h"
#include "record_signals.h"
#include "recorder/drain/draining.h"
#include "recorder/file/datfile_head.h"
#include "recorder/instance/instance_folder.h"
#include "recorder/instance/prepared_instance.h"
#include "recorder/instance/stale_instances.h"
#include "recorder/instance/tracing_access.h"
#include "recorder/machine/clock_reading.h"
#include "recorder/machine/process_search.h"
#include "recording_looks.h"
#include "recording_parts.h"
#include "words/kernel/kernel_feature.h"
#include "words/kernel/trace_clock.h"

/*
 * Flushing lets a program read the stream while it is written. At regular times the recorder drains
 * the buffers completely, including partly filled pages, and writes a STREAM_REACHED block with the
 * time up to which the stream is complete. Without flushing, the last page of an idle CPU would be
 * written only at the end of the recording.
 */

#define FLUSH_DEFAULT_NS 1000000000u /* of pipes */

/* The time on the recording's clock; 0: it cannot be read, or is not one time for all CPUs. */
static nsec_t clock_now(const struct recording *recording)
{
	const struct capture_session *session = recording_session(recording);
	nsec_t now = 0;

	if (!trace_clock_can_be_followed(recording->clock))
		return 0;
	if (recording_clock_read(recording->clock, &now) < 0)
		(void)instance_clock_read(session->dir, &session->scale, &now);
	return now;
}

/* Decides whether to flush, and how often. Warns if --flush has no effect. Call when the recording
   has begun. */
static void recording_flush_begin(struct recording *recording)
{
	const struct record_options *options = recording->options;
	bool is_asked = options->flush != FLUSH_NOT_GIVEN && options->flush > 0;
	const char *why = recording->writer.layout ? "a file is not read while it is written"
	                  : options->is_ring       ? "--ring reads nothing before the end"
	                  : !trace_clock_can_be_followed(recording->clock)
	                          ? "it needs --clock mono, boot or global"
	                  : !clock_now(recording) ? "this kernel does not tell the clock's time"
	                                          : NULL;

	recording->flush_beat.at = NSEC_NEVER;
	if (why && is_asked)
		message_warning("--flush has no effect: %s", why);
	if (why || options->flush == 0)
		return;
	recording->flush_beat.pause = is_asked ? options->flush : FLUSH_DEFAULT_NS;
	recording->flush_beat.at = recording->begin + recording->flush_beat.pause;
}

/* Flushes if it is time for that. Returns 0, or -errno of the drain. */
static int recording_flush_tick(struct recording *recording, nsec_t time)
{
	uint64_t reached;
	int r;

	if (time < recording->flush_beat.at)
		return 0;
	recording->flush_beat.at = time + recording->flush_beat.pause;
	/* what is recorded later has later stamps */
	reached = clock_now(recording);
	r = ring_reader_flush(recording->reader, recording->queue);
	if (r < 0)
		return r;
	return page_queue_take_block(recording->queue, STREAM_REACHED, &reached, sizeof(reached));
}

#define TICK_NS       1000000000u
/* Initial interval at which limits on CPU time are looked for, and the number of tasks of -p for
   which they are. */
#define QUOTA_FIRST_NS 10000000u
#define QUOTA_NS       100000000u
#define QUOTAS_OFTEN   64u /* if more groups have limits, it takes time to read their counters */
#define QUOTA_PIDS_MAX 16
#define WHY_BYTES     4096
#define NOTES_BYTES   4096

/* If r is a failure, prints `why` as the one line. */
static int recording_conclude(int r, struct buffer *why)
{
	static const char limit[] = "raise the limit: ulimit -n";

	if (r < 0 && why->length == 0)
		buffer_puts(why, strerror(-r));
	if (r == -EMFILE && !strstr(why->text, limit))
		buffer_printf(why, "; %s", limit);
	if (r < 0)
		message_error("%s", why->text);
	return r;
}

void recording_init(struct recording *recording, const struct record_options *options)
{
	*recording = (struct recording){.options = options, .output.fd = -1, .signal_fd = -1};
	peek_init(&recording->peek, PEEK_PATIENCE_NS);
	task_snapshot_init(&recording->tasks, &recording->peek);
	cpu_quotas_init(&recording->quotas);
	cpu_weight_init(&recording->weight);
	map_init(&recording->devices);
	open_files_init(&recording->files, &recording->peek);
	open_waits_init(&recording->waits, &recording->peek);
	long_waits_init(&recording->long_looks.waits, &recording->peek);
	recording->family.count = processes_find_family(options->pids.number, options->pids.count,
	                                                &recording->family.number);
	recording->tasks.asked = recording->family.number;
	recording->tasks.asked_count = recording->family.count;
	buffer_init(&recording->formats, DATFILE_HEAD_BYTES_MAX);
	buffer_init(&recording->losses.by_cpu, 1024);
	buffer_init(&recording->notes, NOTES_BYTES);
}

static void on_stale(void *state, const char *name, int error)
{
	(void)state;
	if (error == 0)
		message_note("removed the instance %s, left behind by a killed ftwait", name);
	else if (error != -EBUSY)
		message_warning("cannot remove the instance %s, left behind by a killed ftwait: %s",
		                name, strerror(-error));
}

static int recording_select(struct recording *recording, struct buffer *why)
{
	const struct string_list *events = &recording->options->events;
	const struct record_options *options = recording->options;
	struct event_selection *selection = &recording->selection;
	int r = 0;

	event_selection_init(selection, &recording->catalog);
	if (events->count == 0)
		event_selection_add_default(selection);
	else
		r = event_selection_add(selection, "sched", why);
	for (size_t i = 0; r == 0 && i < events->count; i++)
		r = event_selection_ask(selection, events->text[i], why);
	for (size_t i = 0; r == 0 && i < options->wish_count; i++) {
		const struct event_wish *wish = &options->wishes[i];

		r = wish->filter ? event_selection_add_filtered(selection, wish->event,
		                                                wish->filter, why)
		                 : event_selection_add(selection, wish->event, why);
	}
	return r;
}

/* Names the events that the user asked for and this kernel lacks; with -v, those of the default
   groups, too. It always says that wakers are not exact, as all answers depend on that. */
static void recording_print_missing(const struct recording *recording)
{
	const struct record_options *options = recording->options;
	_cleanup_(buffer_release) struct buffer missing = buffer_of(1024);

	if ((options->events.count > 0 || options->is_verbose) &&
	    event_selection_describe_missing(&recording->selection, &missing))
		message_note("this kernel has no %s; recording without", missing.text);
	if (event_selection_lacks_waking(&recording->selection))
		message_note("this kernel has no sched:sched_waking, so that wakers on other CPUs "
		             "are often not known; " EVENT_SELECTION_WAKING_MEND);
	if (event_selection_lacks_strings(&recording->selection))
		message_note("this kernel records no paths in system calls (it has no "
		             CATALOG_STRINGS_FILE "); recording without");
}

/* For root, mounts a tracefs if there is none, as trace-cmd does. */
static int recording_find_tracefs(struct recording *recording, struct buffer *why)
{
	int r = tracing_mount_find(&recording->tracefs, why);
	const struct tracing_place *place;

	if (r != -ENOENT || recording->options->no_mount || geteuid() != 0)
		return r;
	buffer_clear(why);
	r = tracing_mount_make(&place, why);
	if (r < 0)
		return r;
	message_note("mounted %s at %s, where it stays", place->type, place->path);
	return tracing_mount_find(&recording->tracefs, why);
}

static int recording_load_catalog(struct recording *recording, struct buffer *why)
{
	const char *file = recording->options->instance ? "events" : "available_events";
	int r;

	if (recording->options->instance) {
		r = event_catalog_load_instance(recording->tracefs, &recording->catalog);
	} else {
		(void)stale_instances_remove(recording->tracefs, on_stale, NULL);
		r = event_catalog_load(recording->tracefs, &recording->catalog);
	}
	return r < 0 ? tracing_denial_explain_file(recording->tracefs, file, -r, why) : r;
}

/* The clock that is asked for, or the best that the kernel has. */
static void recording_find_clock(struct recording *recording)
{
	recording->clock = recording->options->clock;
	if (!recording->clock)
		recording->clock = clock_default(recording->tracefs);
	if (!recording->options->clock && !recording_clock_is_monotonic(recording))
		message_note("this kernel has no clock \"" CLOCK_BEST "\" (Linux %s or newer has): "
		             "recording with \"%s\"", kernel_feature_since(FEATURE_CLOCK),
		             recording->clock);
	recording->waits.is_timed = recording_clock_is_monotonic(recording);
	recording->long_looks.waits.clock = recording->clock;
}

int recording_prepare(struct recording *recording)
{
	const char *instance = recording->options->instance;
	_cleanup_(buffer_release) struct buffer why = buffer_of(WHY_BYTES);
	int r;

	if (instance && !prepared_instance_name_is_valid(instance)) {
		buffer_printf(&why, "--instance=%s: a prepared instance has a name without \"/\" "
		                    "that does not begin with \".\" or \"" INSTANCE_PREFIX "\"",
		              instance);
		return recording_conclude(-EINVAL, &why);
	}
	r = instance ? prepared_instance_find(instance, &recording->tracefs, &why)
	             : recording_find_tracefs(recording, &why);
	if (r == 0)
		r = recording_load_catalog(recording, &why);
	if (r < 0)
		return recording_conclude(r == -EINVAL ? -EIO : r, &why);
	recording_find_clock(recording);
	r = recording_select(recording, &why);
	if (r == 0)
		recording_print_missing(recording);
	if (r == 0 && instance)
		r = recording_parts_take(recording, &why);
	return recording_conclude(r, &why);
}

static const char *output_name(const struct recording *recording)
{
	return recording->output.path ? recording->output.path : "standard output";
}

/* Raises the limit on open files: each CPU needs a file, and some machines have thousands of CPUs.
   Call after the fork, so that COMMAND keeps its own limit. */
static void recording_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static int recording_start_child(struct recording *recording, char **argv, struct buffer *why)
{
	bool has_stdout = record_output_is_stdout(recording->options->output);
	int r;

	if (!argv)
		return 0;
	recording->command = argv[0];
	recording->argv = argv;
	r = child_start(&recording->child, argv, has_stdout ? STDERR_FILENO : -1);
	if (r == 0 && has_stdout)
		message_note("standard output is the recording: that of %s goes to standard error",
		             argv[0]);
	if (r < 0)
		buffer_printf(why, "cannot start %s: %s", argv[0], strerror(-r));
	return r;
}

static void recording_lower_priority(struct recording *recording)
{
	if (recording->is_raised)
		drain_priority_end(&recording->priority);
	recording->is_raised = false;
}

int recording_open(struct recording *recording, char **argv)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(WHY_BYTES);
	int r = record_signals_begin();

	if (r < 0) {
		buffer_printf(&why, "cannot receive signals: %s", strerror(-r));
	} else {
		recording->signal_fd = r;
		r = recording_start_child(recording, argv, &why);
	}
	/* COMMAND's process exists already, so it does not inherit that */
	if (r == 0) {
		drain_priority_begin(&recording->priority);
		recording->is_raised = true;
	}
	if (r == 0)
		r = recording_parts_open(recording, &why);
	if (r == 0)
		r = record_output_open(recording->options->output, &recording->output, &why);
	if (r == 0)
		r = recording_preface_write(recording, &why);
	if (r < 0 && why.length == 0)
		buffer_printf(&why, "cannot write to %s: %s", output_name(recording), strerror(-r));
	recording_raise_limit();
	if (r == 0)
		r = recording_parts_read(recording, &why);
	if (r == 0)
		recording_parts_print_notes(recording);
	return recording_conclude(r, &why);
}

/* Whether all tasks of -p have ended. */
static bool tasks_are_gone(const struct number_list *pids)
{
	bool are_gone = pids->count > 0;

	for (size_t i = 0; are_gone && i < pids->count; i++)
		are_gone = task_is_gone(pids->number[i]);
	return are_gone;
}

static void status_begin(struct recording *recording)
{
	recording->progress = (struct record_progress){
		.command = recording->command,
		.duration = recording->options->duration,
		.is_ring = recording->options->is_ring,
		.shown_bytes = page_queue_progress(recording->queue).written,
	};
	status_line_begin(!recording->options->is_quiet);
}

static void status_show(struct recording *recording, nsec_t time)
{
	struct page_queue_progress queue;
	_cleanup_(buffer_release) struct buffer line = buffer_of(500);

	if (!status_line_is_on())
		return;
	queue = page_queue_progress(recording->queue);
	record_progress_append(&line, &recording->progress, time - recording->begin, &queue);
	status_line_show(line.text);
}

/* Waits until a buffer is half full, a signal comes, or the time is `until`. */
static void recording_wait(struct recording *recording, nsec_t until)
{
	struct pollfd control = {.fd = recording->signal_fd, .events = POLLIN};
	nsec_t time = monotonic_now();
	int timeout = until > time ? (int)((until - time + 999999) / 1000000) : 0;

	if (recording->options->is_ring)
		(void)poll(&control, 1, timeout);
	else
		ring_reader_wait(recording->reader, recording->signal_fd, timeout);
	record_signals_clear();
}

/* Passes a signal that was sent only to this process on to COMMAND; Ctrl-C reaches COMMAND from the
   terminal. */
static void recording_pass_signal(struct recording *recording)
{
	bool was_sent;
	int number = record_signals_first(&was_sent);

	if (recording->child.pid > 0 && !recording->child.is_ended && was_sent)
		(void)kill(recording->child.pid, number);
	recording->signal_is_passed = true;
}

static int recording_drain(struct recording *recording)
{
	int r = 0;

	if (recording->writing_thread == 0)
		recording->writing_thread = page_queue_progress(recording->queue).thread;
	if (!recording->options->is_ring)
		r = ring_reader_drain(recording->reader, recording->queue);
	return r < 0 ? r : page_queue_check(recording->queue);
}

static void on_watch_finding(void *state, const char *text)
{
	struct recording *recording = state;

	recording_note(recording,
	               "somebody else changed the instance, seen %.1f s after the begin: %s",
	               (double)(monotonic_now() - recording->begin) / 1e9, text);
}

/* "; waiting for make[77] to end", in `to`, if COMMAND outlives the recording. */
static const char *recording_describe_child(struct recording *recording, struct buffer *to)
{
	if (recording->child.pid > 0 && !child_poll(&recording->child))
		buffer_printf(to, "; waiting for %s[%d] to end", recording->command,
		              (int)recording->child.pid);
	return to->length ? to->text : "";
}

static void recording_print_failure(struct recording *recording, int r)
{
	const char *output = output_name(recording), *child;
	_cleanup_(freep) char *place = NULL;
	_cleanup_(buffer_release) struct buffer text = buffer_of(WHY_BYTES);

	/* the reader knows what it got, and names no output of its own */
	if ((r == -EPIPE || r == -EINTR) && recording->options->ends_with_reader)
		return;
	child = recording_describe_child(recording, &text);
	if (recording->output.is_file)
		place = record_output_locate(&recording->output);
	if (r == -EINTR)
		message_error("interrupted twice; %s holds what was written before", output);
	else if (place)
		message_error("cannot write to %s: %s; recording ended, what was written is kept "
		              "in %s and can be read with \"ftwait report\"%s",
		              output, strerror(-r), place, child);
	else
		message_error("cannot write to %s: %s; recording ended%s%s", output, strerror(-r),
		              recording->output.is_file ? ", and the file was removed" : "", child);
}

static void recording_look_at_groups(struct recording *recording, pid_t pid)
{
	cpu_quotas_look(&recording->quotas, pid);
	cpu_weight_look(&recording->weight, pid, recording->quotas.mounts.text);
}

/* Looks for limits often at first, when COMMAND may enter a group, and then less often: but a group
   that is made, given a limit and removed between two looks is missed. */
static void recording_look_for_quotas(struct recording *recording, nsec_t time)
{
	const struct number_list *pids = &recording->options->pids;
	struct beat *beat = &recording->quotas_beat;

	cpu_quotas_search(&recording->quotas);
	if (recording->child.pid > 0)
		recording_look_at_groups(recording, recording->child.pid);
	for (size_t i = 0; i < pids->count && i < QUOTA_PIDS_MAX; i++)
		recording_look_at_groups(recording, pids->number[i]);
	cpu_quotas_count(&recording->quotas);
	/* not too seldom: if a group is removed, its counters are lost */
	beat->pause = nsec_min(beat->pause * 2,
	                       recording->quotas.count > QUOTAS_OFTEN ? TICK_NS : QUOTA_NS);
	beat->at = time + beat->pause;
}

/* When something is due that is done in intervals of its own. */
static nsec_t recording_next_time(const struct recording *recording)
{
	nsec_t looks = nsec_min(recording->files_beat.at, recording->long_looks.at);

	return nsec_min(nsec_min(recording->flush_beat.at, recording->quotas_beat.at), looks);
}

static enum recording_end recording_loop(struct recording *recording)
{
	nsec_t duration = recording->options->duration;
	nsec_t deadline = duration < NSEC_NEVER - recording->begin ? recording->begin + duration
	                                                           : NSEC_NEVER;
	nsec_t tick = recording->begin + TICK_NS;

	for (;;) {
		nsec_t time;
		int r;

		recording_wait(recording, nsec_min(nsec_min(tick, deadline),
		                                   recording_next_time(recording)));
		r = recording_drain(recording);
		if (r == 0)
			r = recording_flush_tick(recording, monotonic_now());
		if (r < 0) {
			recording_print_failure(recording, r);
			return RECORDING_FAILED;
		}
		if (*record_signals_count() >= SIGNALS_CLEAN_END)
			return RECORDING_SIGNAL;
		if (child_poll(&recording->child))
			return RECORDING_CHILD;
		time = monotonic_now();
		if (time >= deadline)
			return RECORDING_DURATION;
		if (time >= recording->quotas_beat.at)
			recording_look_for_quotas(recording, time);
		recording_files_tick(recording, time);
		recording_long_waits_tick(recording, time);
		if (time < tick)
			continue;
		tick = time + TICK_NS;
		status_show(recording, time);
		recording_parts_poll(recording, on_watch_finding);
		recording_waits_tick(recording);
		if (recording->options->cgroups.count == 0 &&
		    tasks_are_gone(&recording->options->pids))
			return RECORDING_TASKS;
	}
}

/* Switches tracing on, starts COMMAND and the queue's thread. Returns 0, or -errno of an error
   that it has printed. */
static int recording_begin(struct recording *recording)
{
	const struct page_queue_options queue = {
		.page_bytes = recording_session(recording)->page_bytes,
		.bytes_max = page_queue_bytes_default(),
		.census = &recording->census,
	};
	int r;

	recording_maps_begin(recording);
	r = page_queue_begin(&recording->writer, &queue, &recording->queue);
	if (r < 0)
		return message_fail(r, "cannot make a thread: %s; raise the limit: ulimit -u, "
		                    "ulimit -v", strerror(-r));
	recording_programs_begin(recording);
	steal_counters_read(&recording->steal_at_begin);
	recording->quotas_beat.pause = QUOTA_FIRST_NS;
	recording_look_for_quotas(recording, monotonic_now());
	r = recording_parts_begin(recording);
	recording->begin = monotonic_now();
	recording->end = recording->begin;
	if (r < 0)
		return r;
	program_recorder_trace(recording->programs);
	if (recording->child.pid > 0)
		r = child_release(&recording->child);
	if (r < 0)
		message_error("cannot execute %s: %s", recording->command, strerror(-r));
	return r;
}

/* Switches tracing off. A failure of the drain is ignored: it repeats in recording_finish(). */
static void recording_switch_off(struct recording *recording)
{
	if (recording->queue && !recording->options->is_ring)
		(void)drain_while(recording->reader, recording->queue, recording_parts_end,
		                  recording);
	else
		(void)recording_parts_end(recording);
}

enum recording_end recording_run(struct recording *recording)
{
	enum recording_end reason;

	recording_parts_watch(recording);
	if (recording_begin(recording) < 0)
		return RECORDING_FAILED;
	recording->has_begun = true;
	recording_tasks_begin(recording);
	recording_waits_begin(recording);
	recording_flush_begin(recording);
	recording_long_waits_begin(recording);
	status_begin(recording);
	reason = recording_loop(recording);
	recording_tasks_end(recording);
	recording_long_waits_end(recording);
	recording_waits_end(recording);
	recording_programs_end(recording);
	if (reason == RECORDING_FAILED)
		(void)page_queue_end(TAKE_PTR(recording->queue));
	recording_parts_poll(recording, on_watch_finding);
	recording_switch_off(recording);
	steal_counters_read(&recording->steal_at_end);
	cpu_quotas_count(&recording->quotas);
	recording->end = monotonic_now();
	recording_lower_priority(recording);
	child_reap(&recording->child);
	status_line_clear();
	if (reason == RECORDING_SIGNAL)
		recording_pass_signal(recording);
	return reason;
}

int recording_finish(struct recording *recording)
{
	int r = ring_reader_finish(recording->reader, recording->queue);
	int written = page_queue_end(TAKE_PTR(recording->queue));

	if (recording->maps)
		map_recorder_end(recording->maps);
	if (written < 0)
		r = written;
	if (r == 0)
		r = recording_closing_write(recording);
	if (r < 0)
		recording_print_failure(recording, r);
	return r;
}

/* After a signal or a failure: waits for COMMAND. A second signal ends the waiting. */
void recording_await_child(struct recording *recording)
{
	struct pollfd control = {.fd = recording->signal_fd, .events = POLLIN};
	/* after a failure the message has named COMMAND already */
	bool is_announced = !recording->signal_is_passed;

	while (recording->child.pid > 0 && !child_poll(&recording->child) &&
	       *record_signals_count() < SIGNALS_FORCED_END) {
		/* it may have come since the failure */
		if (!recording->signal_is_passed && *record_signals_count() > 0)
			recording_pass_signal(recording);
		if (poll(&control, 1, 1000) == 0 && !is_announced) {
			message_note("recorded; waiting for %s[%d] to end, or for a second signal",
			             recording->command, (int)recording->child.pid);
			is_announced = true;
		}
		record_signals_clear();
	}
	child_reap(&recording->child);
}

void recording_release(struct recording *recording)
{
	recording_lower_priority(recording);
	/* a child that is still held back has files of the instance open, so the instance could not
	   be removed */
	if (!recording->has_begun && recording->child.pid > 0 && !recording->child.is_ended)
		child_cancel(&recording->child);
	recording_programs_end(recording);
	if (recording->queue)
		(void)page_queue_end(TAKE_PTR(recording->queue));
	recording->maps = map_recorder_free(recording->maps);
	recording->reader = ring_reader_close(recording->reader);
	recording_parts_close(recording);
	if (!recording->has_begun)
		record_output_discard(&recording->output);
	record_output_close(&recording->output);
	page_census_release(&recording->census);
	stream_layout_release(&recording->layout);
	page_packer_free(recording->packer);
	for (size_t i = 0; i < STREAM_BUFFERS; i++)
		capture_watch_release(&recording->part[i].watch);
	task_snapshot_release(&recording->tasks);
	event_selection_release(&recording->selection);
	event_catalog_release(&recording->catalog);
	cpu_quotas_release(&recording->quotas);
	cpu_weight_release(&recording->weight);
	map_release(&recording->devices);
	open_files_release(&recording->files);
	peek_release(&recording->peek);
	free(recording->family.number);
	open_waits_release(&recording->waits);
	long_waits_release(&recording->long_looks.waits);
	steal_counters_release(&recording->steal_at_begin);
	steal_counters_release(&recording->steal_at_end);
	buffer_release(&recording->formats);
	buffer_release(&recording->losses.by_cpu);
	buffer_release(&recording->notes);
	free(recording->tracefs);
	recording->tracefs = NULL;
}
