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
 *
 * With several machines each one's packets have its number, so that tids and CPUs are its own. All
 * times are on the clock of the first one. Perfetto keeps a clock for each machine, and takes
 * clocks of one kind for the same if nothing else relates them: so all machines name one clock, and
 * one time of day.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "ftwait/exporter.h"
#include "graph/timeline/timeline_tasks.h"
#include "graph/walk/walk.h"
#include "perfetto_objects.h"
#include "perfetto_sched.h"
#include "perfetto_tracks.h"
#include "perfetto_waits.h"
#include "words/cause/cause_words.h"
#include "words/kernel/kernel_feature.h"
#include "words/task_words.h"
#include "words/time_scale.h"

/* The first release whose states have the bits that are written here; written for older kernels,
   and for a trace without a release. */
#define RELEASE_OF_STATES "4.14.0"
#define NAME_BYTES_MAX    1024

struct perfetto_machine {
	uint32_t number;
	const struct source *source; /* of this machine alone */
	struct perfetto_file *file;
	struct perfetto_sched sched;
	uint64_t runnable; /* as written last */
	bool has_begun;    /* something of it was recorded */
};

struct perfetto_exporter {
	struct export_trace trace;
	struct perfetto_machine *machine;
	struct perfetto_file *file; /* of the machine with that number */
	uint32_t machine_count;
	uint32_t ftrace_clock; /* FTRACE_CLOCK_*; 0: boot time */
	struct perfetto_tracks tracks;
	struct perfetto_waits waits;
	struct perfetto_objects objects;
	uint64_t path_uuid;
	bool has_window; /* the exported window is known */
};

static const struct {
	const char *name;
	uint32_t clock, ftrace_clock;
} clocks[] = {
	{"mono", PERFETTO_MONOTONIC, FTRACE_CLOCK_GLOBAL},
	{"mono_raw", PERFETTO_MONOTONIC_RAW, FTRACE_CLOCK_GLOBAL},
};

static void system_put(struct perfetto_exporter *self, struct perfetto_machine *machine)
{
	const struct source *source = machine->source;
	const char *name = hosts_name(&self->trace.timeline->hosts, machine->number);
	struct proto_writer *packet = &machine->file->packet;

	perfetto_packet_begin(machine->file, NSEC_NEVER);
	proto_begin(packet, PACKET_SYSTEM_INFO);
	proto_begin(packet, SYSTEM_UTSNAME);
	perfetto_comm_put(packet, UTSNAME_SYSNAME, "Linux");
	/* Perfetto selects the meaning of the states that are written here by the release */
	if (kernel_release_has(source->kernel, FEATURE_STATES)) {
		perfetto_comm_put(packet, UTSNAME_RELEASE, source->kernel);
	} else {
		perfetto_comm_put(packet, UTSNAME_RELEASE, RELEASE_OF_STATES);
		if (source->kernel)
			perfetto_comm_put(packet, UTSNAME_VERSION, source->kernel);
	}
	if (source->arch && !source->is_arch_assumed)
		perfetto_comm_put(packet, UTSNAME_MACHINE, source->arch);
	proto_end(packet);
	if (name)
		perfetto_comm_put(packet, SYSTEM_MACHINE_NAME, name);
	proto_end(packet);
	perfetto_packet_end(machine->file);
}

static void machine_init(struct perfetto_exporter *self, uint32_t number, FILE *out,
                         uint32_t clock)
{
	const struct source *source = self->trace.source;
	struct perfetto_machine *machine = &self->machine[number];

	machine->number = number;
	machine->source = source->part_count ? source->parts[number].source : source;
	machine->file = &self->file[number];
	perfetto_file_init(machine->file, out, clock, number);
	perfetto_sched_init(&machine->sched, machine->file);
	machine->sched.ftrace_clock = self->ftrace_clock;
	system_put(self, machine);
}

static void *perfetto_begin(FILE *out, const struct export_trace *trace)
{
	struct perfetto_exporter *self = xcalloc(1, sizeof(*self));
	uint32_t clock = PERFETTO_BOOTTIME;

	self->trace = *trace;
	self->machine_count = trace->source->part_count ? (uint32_t)trace->source->part_count : 1;
	self->machine = xcalloc(self->machine_count, sizeof(*self->machine));
	self->file = xcalloc(self->machine_count, sizeof(*self->file));
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (trace->source->clock && strcmp(trace->source->clock, clocks[i].name) == 0) {
			clock = clocks[i].clock;
			self->ftrace_clock = clocks[i].ftrace_clock;
		}
	for (uint32_t i = 0; i < self->machine_count; i++)
		machine_init(self, i, out, clock);
	perfetto_tracks_init(&self->tracks, self->file, trace->timeline);
	self->waits.tracks = &self->tracks;
	perfetto_objects_init(&self->objects, &self->tracks);
	return self;
}

static void clock_put(struct proto_writer *packet, uint32_t clock, nsec_t time)
{
	proto_begin(packet, SNAPSHOT_CLOCK);
	proto_number(packet, CLOCK_ID, clock);
	proto_number(packet, CLOCK_TIMESTAMP, time);
	proto_end(packet);
}

/* Declares that events and all other packets use one clock, and its time of day. */
static void clocks_put(const struct perfetto_exporter *self, struct perfetto_file *file,
                       nsec_t time)
{
	const struct realtime *realtime = &self->trace.source->notes.realtime;
	struct proto_writer *packet = &file->packet;

	perfetto_packet_begin(file, time);
	proto_begin(packet, PACKET_CLOCK_SNAPSHOT);
	clock_put(packet, file->clock, time);
	if (self->ftrace_clock)
		clock_put(packet, PERFETTO_FTRACE_GLOBAL, time);
	if (realtime->count > 0)
		clock_put(packet, PERFETTO_REALTIME, time_scale_real(realtime, time));
	proto_number(packet, SNAPSHOT_PRIMARY_CLOCK, file->clock);
	proto_end(packet);
	perfetto_packet_end(file);
}

static void process_put(struct proto_writer *packet, int32_t tgid, const char *comm,
                        bool is_kernel)
{
	proto_begin(packet, TREE_PROCESS);
	proto_number(packet, TREE_PROCESS_PID, (uint32_t)tgid);
	perfetto_comm_put(packet, TREE_PROCESS_CMDLINE, comm);
	if (is_kernel)
		proto_number(packet, TREE_PROCESS_IS_KERNEL, 1);
	proto_number(packet, TREE_PROCESS_CMDLINE_IS_COMM, 1);
	proto_end(packet);
}

/* `comm` NULL: the name is in the scheduler's events. */
static void thread_put(struct proto_writer *packet, int32_t tid, int32_t tgid, const char *comm)
{
	proto_begin(packet, TREE_THREAD);
	proto_number(packet, TREE_THREAD_TID, (uint32_t)tid);
	if (comm)
		perfetto_comm_put(packet, TREE_THREAD_NAME, comm);
	proto_number(packet, TREE_THREAD_TGID, (uint32_t)tgid);
	proto_end(packet);
}

/* Writes the processes of the threads that existed when the trace began, except threads in
   `task_track_by_tid`. */
static void known_tasks_put(struct perfetto_machine *machine, const struct map *task_track_by_tid)
{
	const struct recording_notes *notes = &machine->source->notes;
	struct proto_writer *packet = &machine->file->packet;

	for (size_t i = 0; i < notes->tasks.count; i++) {
		const struct known_task *task = &notes->tasks.item[i];

		if (map_get(task_track_by_tid, (uint64_t)task->tid) != MAP_NONE)
			continue;
		if (task->tgid > 0 && task->tid == task->tgid)
			process_put(packet, task->tgid, task->comm, task->is_kernel);
		else if (task->tgid > 0 && task->tid > 0)
			thread_put(packet, task->tid, task->tgid, NULL);
	}
}

static void task_track_put(struct perfetto_exporter *self, uint32_t index, nsec_t time)
{
	const struct track *task_track = &self->trace.timeline->track[index];
	const struct task task = timeline_task(self->trace.timeline, index, time);
	struct proto_writer *packet = &self->file[task_track->host].packet;
	int32_t tgid = task_track->tgid > 0 ? task_track->tgid : task_track->tid;

	if (tgid == task_track->tid)
		process_put(packet, tgid, task.comm, task_track->is_kernel);
	else
		thread_put(packet, task_track->tid, tgid, task.comm);
}

/* Writes the tasks that were seen before the exported window and are alive. */
static void task_tracks_put_before(struct perfetto_exporter *self,
                                   const struct perfetto_machine *machine,
                                   const struct map *task_track_by_tid)
{
	const struct timeline *timeline = self->trace.timeline;

	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *task_track = &timeline->track[index];

		if (task_track->tgid > 0 && task_track->host == machine->number &&
		    map_get(task_track_by_tid, (uint64_t)task_track->tid) == index &&
		    !perfetto_sched_is_over(&machine->sched, task_track->tid))
			task_track_put(self, index, machine->sched.begin);
	}
}

/* Writes the processes of the threads at the begin of the exported window. */
static void tasks_put(struct perfetto_exporter *self, struct perfetto_machine *machine)
{
	const struct timeline *timeline = self->trace.timeline;
	struct proto_writer *packet = &machine->file->packet;
	bool is_begin = machine->sched.begin <= timeline_machine_begin(timeline, machine->number);
	struct map task_track_by_tid; /* by tid: its last task_track; empty if the window begins
	                                 with the trace */

	map_init(&task_track_by_tid);
	for (uint32_t index = 0; index < timeline->track_count && !is_begin; index++)
		if (timeline->track[index].tid > 0 &&
		    timeline->track[index].host == machine->number)
			map_put(&task_track_by_tid, (uint64_t)timeline->track[index].tid, index);
	perfetto_packet_begin(machine->file, machine->sched.begin);
	proto_begin(packet, PACKET_PROCESS_TREE);
	known_tasks_put(machine, &task_track_by_tid);
	task_tracks_put_before(self, machine, &task_track_by_tid);
	proto_end(packet);
	perfetto_packet_end(machine->file);
	map_release(&task_track_by_tid);
}

static void perfetto_on_window(void *state, nsec_t begin, nsec_t end)
{
	struct perfetto_exporter *self = state;

	self->has_window = true;
	self->tracks.begin = begin;
	self->tracks.end = end;
	for (uint32_t i = 0; i < self->machine_count; i++) {
		self->machine[i].sched.begin = begin;
		self->machine[i].sched.end = end;
		self->machine[i].has_begun = self->machine_count == 1;
		clocks_put(self, &self->file[i], begin);
	}
}

static void runnable_put(struct perfetto_exporter *self, struct perfetto_machine *machine,
                         nsec_t time)
{
	struct perfetto_tracks *tracks = &self->tracks;
	_cleanup_(buffer_release) struct buffer name = buffer_of(NAME_BYTES_MAX);

	buffer_printf(&name, "runnable tasks%s", PERFETTO_OF(tracks, machine->number));
	machine->runnable = machine->sched.runnable;
	perfetto_counter_put(machine->file, time,
	                     perfetto_counter(tracks, machine->file, TRACK_RUNNABLE,
	                                      machine->number, name.text),
	                     machine->runnable);
}

/* Call when time has reached the begin of what is exported of the machine. `cpu`: as it numbers
   it. */
static void machine_open(struct perfetto_exporter *self, struct perfetto_machine *machine,
                         uint32_t cpu)
{
	tasks_put(self, machine);
	perfetto_sched_open(&machine->sched, cpu);
	if (machine->sched.runnable)
		runnable_put(self, machine, machine->sched.begin);
}

/* Call for each event and gap of the machine: the first one may come after the begin of the window,
   when the recordings of other machines have begun. */
static void machine_see(struct perfetto_exporter *self, struct perfetto_machine *machine)
{
	if (machine->has_begun)
		return;
	machine->has_begun = true;
	machine->sched.begin =
		nsec_max(machine->sched.begin,
		         timeline_machine_begin(self->trace.timeline, machine->number));
}

/* The event as the machine itself numbers CPUs. */
static struct event event_of_machine(const struct perfetto_exporter *self, uint32_t machine,
                                     const struct event *event)
{
	const struct hosts *hosts = &self->trace.timeline->hosts;
	const uint32_t first = hosts->count ? hosts->host[machine].cpu_first : 0;
	struct event own = *event;

	own.cpu -= first;
	if ((event->kind == EVENT_SCHED_WAKING || event->kind == EVENT_SCHED_WAKEUP ||
	     event->kind == EVENT_SCHED_WAKEUP_NEW) &&
	    own.wake.cpu >= 0)
		own.wake.cpu -= first;
	return own;
}

static void perfetto_on_event(void *state, const struct event *event)
{
	struct perfetto_exporter *self = state;
	const uint32_t number = hosts_of_cpu(&self->trace.timeline->hosts, event->cpu);
	struct perfetto_machine *machine = &self->machine[number];
	struct event own = event_of_machine(self, number, event);

	machine_see(self, machine);
	if (!machine->sched.is_open && own.time >= machine->sched.begin)
		machine_open(self, machine, own.cpu);
	if (machine->sched.is_open) /* within a CPU's buffer time may go back */
		own.time = nsec_max(own.time, machine->sched.begin);
	perfetto_sched_event(&machine->sched, &own);
	if (machine->sched.is_open && machine->sched.runnable != machine->runnable)
		runnable_put(self, machine, own.time);
}

static void perfetto_on_gap(void *state, const struct health_gap *gap)
{
	struct perfetto_exporter *self = state;
	const struct hosts *hosts = &self->trace.timeline->hosts;
	struct perfetto_machine *machine = &self->machine[hosts_of_cpu(hosts, gap->cpu)];
	struct health_gap own = *gap;

	machine_see(self, machine);
	own.cpu = hosts_own_cpu(hosts, gap->cpu);
	perfetto_sched_gap(&machine->sched, &own);
}

static void perfetto_on_span(void *state, const struct span *span)
{
	struct perfetto_exporter *self = state;
	const struct track *task_track = &self->trace.timeline->track[span->track];
	struct perfetto_machine *machine = &self->machine[task_track->host];
	struct span own = *span;

	own.cpu = (uint16_t)hosts_own_cpu(&self->trace.timeline->hosts, span->cpu);
	if (!machine->sched.is_open && span->end >= machine->sched.end)
		machine_open(self, machine, own.cpu);
	if (!task_track->is_idle)
		perfetto_sched_span(&machine->sched, task_track->tid, &own);
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

/* Writes the critical path as slices that tile its window, on a track of its own. It may lead
   through several machines: the track is among those of the first one. */
static void perfetto_on_path(void *state, uint32_t task_track)
{
	struct perfetto_exporter *self = state;
	struct task task = timeline_task(self->trace.timeline, task_track, NSEC_NEVER);
	_cleanup_(buffer_release) struct buffer name = buffer_of(NAME_BYTES_MAX);

	task.program = NULL; /* users search for the track by this name */
	buffer_puts(&name, "critical path of ");
	task_text_append(&name, &task);
	self->path_uuid = perfetto_track(&self->tracks, &self->file[0], TRACK_PATH, task_track,
	                                 name.text);
}

/* "cc1[123] running", "cc1[123] waiting: disk 254,0 (read 4.0 KiB)". */
static void part_name_put(struct perfetto_file *file, const struct part *part,
                          const struct task *task, const struct cause *cause)
{
	_cleanup_(buffer_release) struct buffer name = buffer_of(NAME_BYTES_MAX);

	task_text_append(&name, task);
	part_state_append(&name, part->state);
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
	struct perfetto_file *file = &self->file[0];
	struct task task = timeline_task(timeline, part->track, part->begin);
	struct cause cause = part_cause(timeline, part);

	(void)perfetto_slice_begin(file, part->begin, self->path_uuid, TYPE_BEGIN);
	part_name_put(file, part, &task, &cause);
	perfetto_slice_number(file, "tid", task.tid);
	perfetto_slice_machine(file, &task);
	perfetto_slice_number(file, "depth", part->depth);
	perfetto_slice_string(file, "state", part_state_name(part->state));
	perfetto_slice_string(file, "confidence", confidence_name(part->confidence));
	if (part->cause) {
		perfetto_slice_group(file, "cause");
		perfetto_slice_string(file, "kind", cause_kind_name(cause.kind));
		perfetto_slice_group_end(file);
	}
	perfetto_slice_aim(file, timeline, part->track,
	                   part->state == PART_WAITING ? part->cause : NULL);
	perfetto_slice_end(file);
	perfetto_slice_close(file, part->end, self->path_uuid);
}

/* Writes the last names of living tasks. Dead tasks are left out: Perfetto would treat them as
   alive again. */
static void task_tracks_put(struct perfetto_exporter *self, struct perfetto_machine *machine,
                            nsec_t end)
{
	const struct timeline *timeline = self->trace.timeline;
	struct proto_writer *packet = &machine->file->packet;

	perfetto_packet_begin(machine->file, end);
	proto_begin(packet, PACKET_PROCESS_TREE);
	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *task_track = &timeline->track[index];

		if (!task_track->is_idle && task_track->tid > 0 &&
		    task_track->host == machine->number && task_track->begin <= end &&
		    (task_track->is_open || task_track->end > end))
			task_track_put(self, index, end);
	}
	proto_end(packet);
	perfetto_packet_end(machine->file);
}

/* Writes a slice over the machine's whole recording: without it the trace would end at the last
   switch, and it would not be seen which of several recordings ends earlier. */
static void recording_put(struct perfetto_exporter *self, struct perfetto_machine *machine,
                          nsec_t end)
{
	_cleanup_(buffer_release) struct buffer name = buffer_of(NAME_BYTES_MAX);
	uint64_t uuid;

	buffer_printf(&name, "recording%s", PERFETTO_OF(&self->tracks, machine->number));
	uuid = perfetto_track(&self->tracks, machine->file, TRACK_RECORDING, machine->number,
	                      name.text);
	(void)perfetto_slice_begin(machine->file, machine->sched.begin, uuid, TYPE_BEGIN);
	perfetto_slice_name(machine->file, "recording", name.text);
	perfetto_slice_end(machine->file);
	perfetto_slice_close(machine->file, end, uuid);
}

/* Writes when and why the recording was saved, if that is within the exported window. */
static void trigger_put(struct perfetto_exporter *self, struct perfetto_machine *machine,
                        nsec_t end)
{
	const struct trigger_note *trigger = &machine->source->notes.trigger;
	struct perfetto_file *file = machine->file;
	_cleanup_(buffer_release) struct buffer why = buffer_of(BUFFER_LIMIT_DEFAULT);
	const char *text = trigger->text ? trigger->text : trigger->condition;
	uint64_t uuid;

	if (!trigger->condition || trigger->at < self->tracks.begin || trigger->at > end)
		return;
	buffer_puts_clean(&why, text, strlen(text));
	uuid = perfetto_track(&self->tracks, file, TRACK_TRIGGER, machine->number, "trigger");
	(void)perfetto_slice_begin(file, trigger->at, uuid, TYPE_INSTANT);
	perfetto_slice_name(file, "trigger", why.text);
	buffer_clear(&why);
	buffer_puts_clean(&why, trigger->condition, strlen(trigger->condition));
	perfetto_slice_string(file, "condition", why.text);
	if (trigger->tid > 0)
		perfetto_slice_number(file, "tid", trigger->tid);
	perfetto_slice_end(file);
}

/* The end of what is exported of a machine; `time`: of the trace. */
static nsec_t machine_end_of(const struct perfetto_exporter *self,
                             const struct perfetto_machine *machine, nsec_t time)
{
	const struct hosts *hosts = &self->trace.timeline->hosts;

	if (hosts->count)
		time = nsec_min(time, hosts->host[machine->number].end);
	return nsec_max(nsec_min(time, self->tracks.end), machine->sched.begin);
}

static void machine_release(struct perfetto_machine *machine)
{
	perfetto_sched_release(&machine->sched);
	perfetto_file_release(machine->file);
}

static void perfetto_end(void *state, nsec_t time)
{
	struct perfetto_exporter *self = state;

	for (uint32_t i = 0; i < self->machine_count; i++) {
		struct perfetto_machine *machine = &self->machine[i];

		if (machine->has_begun && !machine->sched.is_open && time >= machine->sched.begin)
			machine_open(self, machine, 0);
		perfetto_sched_end(&machine->sched);
	}
	if (self->has_window)
		perfetto_objects_end(&self->objects);
	for (uint32_t i = 0; i < self->machine_count; i++) {
		struct perfetto_machine *machine = &self->machine[i];
		const nsec_t end = machine_end_of(self, machine, time);

		if (!machine->has_begun)
			continue;
		recording_put(self, machine, end);
		trigger_put(self, machine, end);
		task_tracks_put(self, machine, end);
	}
	for (uint32_t i = 0; i < self->machine_count; i++)
		machine_release(&self->machine[i]);
	perfetto_objects_release(&self->objects);
	perfetto_tracks_release(&self->tracks);
	free(self->machine);
	free(self->file);
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
