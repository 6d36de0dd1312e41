/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which control group each process is in: as the recorder's snapshots of /proc show it, as a new
 * process has it from its parent, and as cgroup_attach_task changes it. The event names the first
 * thread of a process that is moved as a whole, or the one thread that is moved alone.
 *
 * A process may also be made directly in another group (CLONE_INTO_CGROUP), which no event shows.
 * The snapshot at the end of the recording shows it for processes that live until then.
 */
#include <inttypes.h>
#include <string.h>

#include "base/assume.h"
#include "tracker.h"
#include "words/kernel/control_group_name.h"

/* Index in setup.source->processes, by tgid. */
OWN_DATA(groups_processes, struct map, GROUP)

static struct stay stay_of_known(struct machine *machine, const struct known_process *known,
                                 nsec_t since)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	const struct source_cgroup *cgroup = &notes->cgroups.item[known->cgroup];

	ASSUME(known->cgroup < notes->cgroups.count);
	return (struct stay){
		.since = since,
		.text = intern_adds(&machine->timeline->names, cgroup->path),
		.hierarchy = cgroup->hierarchy,
		.is_root = strcmp(cgroup->path, "/") == 0,
	};
}

/* Whether the recording was made for the tasks of that group. */
static bool group_is_target(const struct machine *machine, const struct stay *stay)
{
	const struct recording_notes *notes = &machine->setup.source->notes;

	for (size_t i = 0; i < notes->target_cgroups.count; i++)
		if (control_group_matches(intern_text(&machine->timeline->names, stay->text),
		                          notes->target_cgroups.item[i]))
			return true;
	return false;
}

static void groups_begin(struct machine *machine)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	struct group_log *log = &machine->timeline->groups;

	group_log_rank(log, notes->hierarchies.item, notes->hierarchies.count);
	for (size_t i = 0; i < notes->processes.count; i++) {
		const struct known_process *known = &notes->processes.item[i];
		struct stay stay;

		if (known->cgroup == SOURCE_CGROUP_NONE)
			continue;
		map_put(groups_processes(machine), (uint32_t)known->tgid, (uint32_t)i);
		if (known->read == NSEC_NEVER)
			continue;
		stay = stay_of_known(machine, known, 0);
		group_log_begin(log, machine_process_id(machine, known->tgid), &stay);
		if (group_is_target(machine, &stay))
			map_put(&machine->is_target, (uint32_t)known->tgid, 1);
	}
}

static void groups_close(struct machine *machine, nsec_t end)
{
	uint64_t left_out = machine->timeline->groups.left_out;

	(void)end;
	if (left_out)
		health_doubt(machine->health,
		             "too many processes and moves between control groups: %" PRIu64
		             " are left out", left_out);
}

void group_be_born(struct machine *machine, uint32_t index)
{
	struct group_log *log = &machine->timeline->groups;
	const struct track *track = &machine->timeline->track[index];
	uint32_t known_at = map_get(groups_processes(machine), (uint32_t)track->tid);
	const struct known_process *known =
		known_at == MAP_NONE ? NULL
				     : &machine->setup.source->notes.processes.item[known_at];
	const struct stay *parents;
	struct stay stay = {.since = machine->now};
	int32_t id = machine_process_id(machine, track->tid);

	ASSUME(track->born == machine->now);
	if (track->tgid > 0 && track->tgid != track->tid) {
		/* a former task of that tid may have been moved alone */
		if (stay_log_at(&log->stays, (uint32_t)id, machine->now))
			group_log_begin(log, id, &stay);
		return;
	}
	parents = track->parent == TRACK_NONE
	                  ? NULL
	                  : timeline_group_at(machine->timeline, track->parent, machine->now);
	/* a snapshot that was taken after its birth shows it */
	if (known && track->generation == 0 && known->read > machine->now)
		stay = stay_of_known(machine, known, machine->now);
	else if (parents)
		stay = *parents;
	else if (!stay_log_at(&log->stays, (uint32_t)id, machine->now))
		return;
	stay.since = machine->now;
	group_log_begin(log, id, &stay);
	machine->timeline->track[index].is_target |= group_is_target(machine, &stay);
}

static void on_attach(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct text *path = &event->cgroup.path;
	size_t length = strnlen(path->at, path->length);
	uint32_t index = machine_track(machine, cpu, event->cgroup.tid);
	struct stay stay = {
		.since = machine->now,
		.hierarchy = (uint32_t)event->cgroup.hierarchy,
	};
	const struct track *track;

	if (index == TRACK_NONE || event->cgroup.tid == 0 || length == 0)
		return;
	ASSUME(machine_owns(machine, index));
	stay.text = intern_add(&machine->timeline->names, path->at, length);
	stay.is_root = length == 1 && *path->at == '/';
	track = &machine->timeline->track[index];
	machine->timeline->groups.has_threads |= track->tgid > 0 && track->tgid != track->tid;
	group_log_move(&machine->timeline->groups, machine_process_id(machine, track->tid), &stay);
	machine->timeline->track[index].is_target |= group_is_target(machine, &stay);
}

const struct tracker group_tracker = {
	.handlers = HANDLERS({EVENT_CGROUP_ATTACH, on_attach}),
	.own_bytes = sizeof(struct map),
	.stores = STORES(MAP_AT(0)),
	.keeps_stores = true,
	.begin = groups_begin,
	.close = groups_close,
};
