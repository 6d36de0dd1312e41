/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The notes of a recording as they are found: lists that grow until all of the file's descriptions
 * have been read, and then are those of the source. The reader of texts (datfile_tasks) sees
 * nothing of the file but this.
 *
 * Order of calls: found_notes_init(), the readers, found_notes_finish(), found_notes_release(). The
 * source and the text are borrowed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "ftwait/source.h"
#include "source/file/user_maps.h"
#include "source_notes.h"

struct found_notes {
	struct source *source;   /* its notes get what needs no list */
	struct text_store *text; /* has all strings */
	bool is_of_ftwait;       /* ftwait has written the file */
	nsec_t tasks_read;       /* applies to the `task` lines that follow */
	struct map task_index;   /* tid -> index in tasks; until found_notes_finish() */

	struct known_task *tasks;
	size_t task_count, task_capacity;
	struct open_wait *open_waits;
	size_t open_wait_count, open_wait_capacity;
	struct source_cgroup *cgroups;
	size_t cgroup_count, cgroup_capacity;
	struct known_process *processes;
	size_t process_count, process_capacity;
	struct user_map_reader user_maps;
	struct source_device *devices;
	size_t device_count, device_capacity;
	struct source_path *paths;
	size_t path_count, path_capacity;
	struct source_program *programs;
	size_t program_count, program_capacity;
	struct source_lock *locks;
	size_t lock_count, lock_capacity;
	uint16_t *listening;
	size_t listening_count, listening_capacity;
	int32_t *pids;
	size_t pid_count, pid_capacity;
	const char **command;
	size_t command_count, command_capacity;
	struct label label[LABELS_MAX];
	size_t label_count;
};

void found_notes_init(struct found_notes *found, struct source *source, struct text_store *text);
/* Hands the lists over to the source's notes. */
void found_notes_finish(struct found_notes *found);
void found_notes_release(struct found_notes *found);
