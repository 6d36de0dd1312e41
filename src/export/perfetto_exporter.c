/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace for Perfetto (ui.perfetto.dev, trace_processor): the scheduler's events, from which
 * Perfetto itself derives the states of threads, and what only ftwait knows: waits and their
 * causes.
 *
 * With a window, the trace also contains the state at the window's begin: the task on each CPU, and
 * the states of the other tasks. Nothing that is written extends beyond the window's end; what is
 * open there stays open, as at the end of a trace.
 *
 * Times are as recorded. If Perfetto has a name for the recording's clock, it is written; otherwise
 * boot time is written, Perfetto's default.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "ftwait/exporter.h"
#include "graph/walk.h"
#include "perfetto_objects.h"
#include "perfetto_sched.h"
#include "perfetto_tracks.h"
#include "perfetto_waits.h"
#include "words/cause_words.h"
#include "words/kernel_release.h"
#include "words/task_words.h"
#include "words/time_scale.h"

/* The first release whose states have the bits that are written here; written for older kernels,
   and for a trace without a release. */
#define RELEASE_OF_STATES "4.14.0"
#define NAME_BYTES_MAX    1024

struct perfetto_exporter {
	struct export_trace trace;
	struct perfetto_file file;
	struct perfetto_sched sched;
	struct perfetto_tracks tracks;
	struct perfetto_waits waits;
	struct perfetto_objects objects;
	uint64_t path_uuid;
	uint64_t runnable; /* as written last */
	bool has_window; /* the exported window is known */
};

static const struct {
	const char *name;
	uint32_t clock, ftrace_clock;
} clocks[] = {
	{"mono", PERFETTO_MONOTONIC, FTRACE_CLOCK_GLOBAL},
	{"mono_raw", PERFETTO_MONOTONIC_RAW, FTRACE_CLOCK_GLOBAL},
};

/* Whether the release's states have the bits that are written here: Perfetto selects their meaning
   by the release. */
static bool release_has_states(const char *release)
{
	unsigned number[KERNEL_RELEASE_NUMBERS];

	return release && kernel_release_parse(release, number) &&
	       kernel_release_compare(number, (const unsigned[]){4, 14, 0}) >= 0;
}

static void system_put(struct perfetto_exporter *self)
{
	const struct source *source = self->trace.source;
	struct proto_writer *packet = &self->file.packet;

	perfetto_packet_begin(&self->file, NSEC_NEVER);
	proto_begin(packet, PACKET_SYSTEM_INFO);
	proto_begin(packet, SYSTEM_UTSNAME);
	perfetto_comm_put(packet, UTSNAME_SYSNAME, "Linux");
	if (release_has_states(source->kernel)) {
		perfetto_comm_put(packet, UTSNAME_RELEASE, source->kernel);
	} else {
		perfetto_comm_put(packet, UTSNAME_RELEASE, RELEASE_OF_STATES);
		if (source->kernel)
			perfetto_comm_put(packet, UTSNAME_VERSION, source->kernel);
	}
	if (source->arch)
		perfetto_comm_put(packet, UTSNAME_MACHINE, source->arch);
	proto_end(packet);
	proto_end(packet);
	perfetto_packet_end(&self->file);
}

static void *perfetto_begin(FILE *out, const struct export_trace *trace)
{
	struct perfetto_exporter *self = xcalloc(1, sizeof(*self));
	uint32_t clock = PERFETTO_BOOTTIME, ftrace_clock = 0;

	self->trace = *trace;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (trace->source->clock && strcmp(trace->source->clock, clocks[i].name) == 0) {
			clock = clocks[i].clock;
			ftrace_clock = clocks[i].ftrace_clock;
		}
	perfetto_file_init(&self->file, out, clock);
	perfetto_sched_init(&self->sched, &self->file);
	self->sched.ftrace_clock = ftrace_clock;
	perfetto_tracks_init(&self->tracks, &self->file, trace->timeline);
	self->waits.tracks = &self->tracks;
	perfetto_objects_init(&self->objects, &self->tracks);
	system_put(self);
	return self;
}

static void clock_put(struct perfetto_exporter *self, uint32_t clock, nsec_t time)
{
	struct proto_writer *packet = &self->file.packet;

	proto_begin(packet, SNAPSHOT_CLOCK);
	proto_number(packet, CLOCK_ID, clock);
	proto_number(packet, CLOCK_TIMESTAMP, time);
	proto_end(packet);
}

/* Declares that events and all other packets use one clock, and its time of day. */
static void clocks_put(struct perfetto_exporter *self, nsec_t time)
{
	const struct realtime *realtime = &self->trace.source->realtime;
	struct proto_writer *packet = &self->file.packet;

	perfetto_packet_begin(&self->file, time);
	proto_begin(packet, PACKET_CLOCK_SNAPSHOT);
	clock_put(self, self->file.clock, time);
	if (self->sched.ftrace_clock)
		clock_put(self, PERFETTO_FTRACE_GLOBAL, time);
	if (realtime->count > 0)
		clock_put(self, PERFETTO_REALTIME, time_scale_real(realtime, time));
	proto_number(packet, SNAPSHOT_PRIMARY_CLOCK, self->file.clock);
	proto_end(packet);
	perfetto_packet_end(&self->file);
}

static void process_put(struct perfetto_exporter *self, int32_t tgid, const char *comm,
                        bool is_kernel)
{
	struct proto_writer *packet = &self->file.packet;

	proto_begin(packet, TREE_PROCESS);
	proto_number(packet, TREE_PROCESS_PID, (uint32_t)tgid);
	perfetto_comm_put(packet, TREE_PROCESS_CMDLINE, comm);
	if (is_kernel)
		proto_number(packet, TREE_PROCESS_IS_KERNEL, 1);
	proto_number(packet, TREE_PROCESS_CMDLINE_IS_COMM, 1);
	proto_end(packet);
}

/* `comm` NULL: the name is in the scheduler's events. */
static void thread_put(struct perfetto_exporter *self, int32_t tid, int32_t tgid, const char *comm)
{
	struct proto_writer *packet = &self->file.packet;

	proto_begin(packet, TREE_THREAD);
	proto_number(packet, TREE_THREAD_TID, (uint32_t)tid);
	if (comm)
		perfetto_comm_put(packet, TREE_THREAD_NAME, comm);
	proto_number(packet, TREE_THREAD_TGID, (uint32_t)tgid);
	proto_end(packet);
}

/* Writes the processes of the threads that existed when the trace began, except threads in
   `task_track_by_tid`. */
static void known_tasks_put(struct perfetto_exporter *self, const struct map *task_track_by_tid)
{
	const struct source *source = self->trace.source;

	for (size_t i = 0; i < source->known_task_count; i++) {
		const struct known_task *task = &source->known_tasks[i];

		if (map_get(task_track_by_tid, (uint64_t)task->tid) != MAP_NONE)
			continue;
		if (task->tgid > 0 && task->tid == task->tgid)
			process_put(self, task->tgid, task->comm, task->is_kernel);
		else if (task->tgid > 0 && task->tid > 0)
			thread_put(self, task->tid, task->tgid, NULL);
	}
}

static void task_track_put(struct perfetto_exporter *self, uint32_t index, nsec_t time)
{
	const struct track *task_track = &self->trace.timeline->track[index];
	const struct task task = timeline_task(self->trace.timeline, index, time);
	int32_t tgid = task_track->tgid > 0 ? task_track->tgid : task_track->tid;

	if (tgid == task_track->tid)
		process_put(self, tgid, task.comm, task_track->is_kernel);
	else
		thread_put(self, task_track->tid, tgid, task.comm);
}

/* Writes the tasks that were seen before the exported window and are alive. */
static void task_tracks_put_before(struct perfetto_exporter *self,
                                   const struct map *task_track_by_tid)
{
	const struct timeline *timeline = self->trace.timeline;

	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *task_track = &timeline->track[index];

		if (task_track->tgid > 0 &&
		    map_get(task_track_by_tid, (uint64_t)task_track->tid) == index &&
		    !perfetto_sched_is_over(&self->sched, task_track->tid))
			task_track_put(self, index, self->sched.begin);
	}
}

/* Writes the processes of the threads at the begin of the exported window. */
static void tasks_put(struct perfetto_exporter *self)
{
	const struct timeline *timeline = self->trace.timeline;
	bool is_begin = self->sched.begin <= timeline->begin; /* of the trace */
	struct map task_track_by_tid; /* by tid: its last task_track; empty if the window begins
	                                 with the trace */

	map_init(&task_track_by_tid);
	for (uint32_t index = 0; index < timeline->track_count && !is_begin; index++)
		if (timeline->track[index].tid > 0)
			map_put(&task_track_by_tid, (uint64_t)timeline->track[index].tid, index);
	perfetto_packet_begin(&self->file, self->sched.begin);
	proto_begin(&self->file.packet, PACKET_PROCESS_TREE);
	known_tasks_put(self, &task_track_by_tid);
	task_tracks_put_before(self, &task_track_by_tid);
	proto_end(&self->file.packet);
	perfetto_packet_end(&self->file);
	map_release(&task_track_by_tid);
}

static void perfetto_on_window(void *state, nsec_t begin, nsec_t end)
{
	struct perfetto_exporter *self = state;

	self->has_window = true;
	self->sched.begin = self->tracks.begin = begin;
	self->sched.end = self->tracks.end = end;
	clocks_put(self, begin);
}

static void runnable_put(struct perfetto_exporter *self, nsec_t time)
{
	self->runnable = self->sched.runnable;
	perfetto_counter_put(&self->file, time,
	                     perfetto_counter(&self->tracks, TRACK_RUNNABLE, 0, "runnable tasks"),
	                     self->runnable);
}

/* Call when time has reached the begin of the exported window. */
static void exporter_open(struct perfetto_exporter *self, uint32_t cpu)
{
	tasks_put(self);
	perfetto_sched_open(&self->sched, cpu);
	if (self->sched.runnable)
		runnable_put(self, self->sched.begin);
}

static void perfetto_on_event(void *state, const struct event *event)
{
	struct perfetto_exporter *self = state;
	struct event in_time = *event;

	if (!self->sched.is_open && event->time >= self->sched.begin)
		exporter_open(self, event->cpu);
	if (self->sched.is_open) /* within a CPU's buffer time may go back */
		in_time.time = nsec_max(event->time, self->sched.begin);
	perfetto_sched_event(&self->sched, &in_time);
	if (self->sched.is_open && self->sched.runnable != self->runnable)
		runnable_put(self, in_time.time);
}

static void perfetto_on_gap(void *state, const struct health_gap *gap)
{
	struct perfetto_exporter *self = state;

	perfetto_sched_gap(&self->sched, gap);
}

static void perfetto_on_span(void *state, const struct span *span)
{
	struct perfetto_exporter *self = state;
	const struct track *task_track = &self->trace.timeline->track[span->track];

	if (!self->sched.is_open && span->end >= self->sched.end)
		exporter_open(self, span->cpu);
	if (!task_track->is_idle)
		perfetto_sched_span(&self->sched, task_track->tid, span);
}

static void perfetto_on_wait(void *state, const struct span *span)
{
	struct perfetto_exporter *self = state;

	perfetto_waits_add(&self->waits, span);
}

static void perfetto_on_interval(void *state, const struct interval *interval)
{
	struct perfetto_exporter *self = state;

	perfetto_objects_add(&self->objects, interval);
}

/* Writes the critical path as slices that tile its window, on a track of its own. */
static void perfetto_on_path(void *state, uint32_t task_track)
{
	struct perfetto_exporter *self = state;
	struct task task = timeline_task(self->trace.timeline, task_track, NSEC_NEVER);
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_init(&name, NAME_BYTES_MAX);
	task.program = NULL; /* users search for the track by this name */
	buffer_puts(&name, "critical path of ");
	task_text_append(&name, &task);
	self->path_uuid = perfetto_track(&self->tracks, TRACK_PATH, task_track, name.text);
}

/* "cc1[123] running", "cc1[123] waiting: disk 254,0 (read 4.0 KiB)". */
static void part_name_put(struct perfetto_file *file, const struct part *part,
                          const struct task *task, const struct cause *cause)
{
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_init(&name, NAME_BYTES_MAX);
	task_text_append(&name, task);
	buffer_printf(&name, " %s", part_state_name(part->state));
	if (part->cause) {
		buffer_puts(&name, ": ");
		cause_text_append(&name, cause);
	}
	perfetto_slice_name(file, "critical_path", name.text);
}

/* Takes the parts in order of time. */
static void perfetto_on_part(void *state, const struct part *part)
{
	struct perfetto_exporter *self = state;
	const struct timeline *timeline = self->trace.timeline;
	struct perfetto_file *file = &self->file;
	struct task task = timeline_task(timeline, part->track, part->begin);
	struct cause cause = {.kind = CAUSE_UNKNOWN};

	if (part->cause)
		cause = timeline_cause(timeline, part->cause, part->end);
	(void)perfetto_slice_begin(file, part->begin, self->path_uuid, TYPE_BEGIN);
	part_name_put(file, part, &task, &cause);
	perfetto_slice_number(file, "tid", task.tid);
	perfetto_slice_number(file, "depth", part->depth);
	perfetto_slice_string(file, "state", part_state_name(part->state));
	perfetto_slice_string(file, "confidence", confidence_name(part->confidence));
	if (part->cause) {
		perfetto_slice_group(file, "cause");
		perfetto_slice_string(file, "kind", cause_kind_name(cause.kind));
		perfetto_slice_group_end(file);
	}
	perfetto_slice_end(file);
	perfetto_slice_close(file, part->end, self->path_uuid);
}

/* Writes the last names of living tasks. Dead tasks are left out: Perfetto would treat them as
   alive again. */
static void task_tracks_put(struct perfetto_exporter *self, nsec_t end)
{
	const struct timeline *timeline = self->trace.timeline;

	perfetto_packet_begin(&self->file, end);
	proto_begin(&self->file.packet, PACKET_PROCESS_TREE);
	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *task_track = &timeline->track[index];

		if (!task_track->is_idle && task_track->tid > 0 && task_track->begin <= end &&
		    (task_track->is_open || task_track->end > end))
			task_track_put(self, index, end);
	}
	proto_end(&self->file.packet);
	perfetto_packet_end(&self->file);
}

/* Writes a slice over the whole recording: without it the trace would end at the last switch. */
static void recording_put(struct perfetto_exporter *self, nsec_t end)
{
	uint64_t uuid = perfetto_track(&self->tracks, TRACK_RECORDING, 0, "recording");

	(void)perfetto_slice_begin(&self->file, self->sched.begin, uuid, TYPE_BEGIN);
	perfetto_slice_name(&self->file, "recording", "recording");
	perfetto_slice_end(&self->file);
	perfetto_slice_close(&self->file, end, uuid);
}

/* Writes when and why the recording was saved, if that is within the exported window. */
static void trigger_put(struct perfetto_exporter *self, nsec_t end)
{
	const struct trigger_note *trigger = &self->trace.source->trigger;
	_cleanup_(buffer_release) struct buffer why = {0};
	const char *text = trigger->text ? trigger->text : trigger->condition;
	uint64_t uuid;

	if (!trigger->condition || trigger->at < self->tracks.begin || trigger->at > end)
		return;
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	buffer_puts_clean(&why, text, strlen(text));
	uuid = perfetto_track(&self->tracks, TRACK_TRIGGER, 0, "trigger");
	(void)perfetto_slice_begin(&self->file, trigger->at, uuid, TYPE_INSTANT);
	perfetto_slice_name(&self->file, "trigger", why.text);
	buffer_clear(&why);
	buffer_puts_clean(&why, trigger->condition, strlen(trigger->condition));
	perfetto_slice_string(&self->file, "condition", why.text);
	if (trigger->tid > 0)
		perfetto_slice_number(&self->file, "tid", trigger->tid);
	perfetto_slice_end(&self->file);
}

static void perfetto_end(void *state, nsec_t time)
{
	struct perfetto_exporter *self = state;

	if (self->has_window && !self->sched.is_open && time >= self->sched.begin)
		exporter_open(self, 0);
	perfetto_sched_end(&self->sched);
	if (self->has_window) {
		time = nsec_max(nsec_min(time, self->tracks.end), self->tracks.begin);
		perfetto_objects_end(&self->objects);
		recording_put(self, time);
		trigger_put(self, time);
		task_tracks_put(self, time);
	}
	perfetto_sched_release(&self->sched);
	perfetto_objects_release(&self->objects);
	perfetto_tracks_release(&self->tracks);
	perfetto_file_release(&self->file);
	free(self);
}

const struct exporter perfetto_exporter = {
	.name = "perfetto",
	.begin = perfetto_begin,
	.on_window = perfetto_on_window,
	.on_event = perfetto_on_event,
	.on_gap = perfetto_on_gap,
	.on_span = perfetto_on_span,
	.on_wait = perfetto_on_wait,
	.on_interval = perfetto_on_interval,
	.interval_kinds = PERFETTO_INTERVALS,
	.on_path = perfetto_on_path,
	.on_part = perfetto_on_part,
	.end = perfetto_end,
};
