/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "found_notes.h"

#include <stdlib.h>

#include "source_notes.h"

void found_notes_init(struct found_notes *found, struct source *source, struct text_store *text)
{
	*found = (struct found_notes){.source = source, .text = text};
	map_init(&found->task_index);
}

static void found_finish_maps(struct found_notes *found)
{
	user_maps_finish(&found->user_maps, &found->source->notes);
	if (found->user_maps.bad > 0)
		source_damage(found->source, found->text,
		              "damaged: %llu lines on what is in the memory of programs make no "
		              "sense", (unsigned long long)found->user_maps.bad);
}

void found_notes_finish(struct found_notes *found)
{
	struct recording_notes *notes = &found->source->notes;

	for (size_t i = 0; i < found->task_count; i++)
		if (!found->tasks[i].comm)
			found->tasks[i].comm = "";
	notes->tasks = (struct known_task_list){found->tasks, found->task_count};
	notes->processes = (struct known_process_list){found->processes, found->process_count};
	notes->open_waits = (struct open_wait_list){found->open_waits, found->open_wait_count};
	notes->pids = (struct tid_list){found->pids, found->pid_count};
	notes->labels = (struct label_list){found->label, found->label_count};
	notes->command.word = found->command;
	notes->command.count = found->command_count;
	notes->cgroups.item = found->cgroups;
	notes->cgroups.count = found->cgroup_count;
	notes->listening.item = found->listening;
	notes->listening.count = found->listening_count;
	notes->locks.item = found->locks;
	notes->locks.count = found->lock_count;
	notes->devices.item = found->devices;
	notes->devices.count = found->device_count;
	notes->paths.item = found->paths;
	notes->paths.count = found->path_count;
	notes->programs.item = found->programs;
	notes->programs.count = found->program_count;
	found_finish_maps(found);
	map_release(&found->task_index);
}

void found_notes_release(struct found_notes *found)
{
	map_release(&found->task_index);
	free(found->tasks);
	free(found->open_waits);
	free(found->cgroups);
	free(found->processes);
	free(found->pids);
	free(found->listening);
	free(found->locks);
	free(found->devices);
	free(found->paths);
	free(found->programs);
	free(found->command);
	user_maps_release(&found->user_maps);
}
