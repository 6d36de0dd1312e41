/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The notes of a recording as they are found: the lists of the source's notes grow until all of the
 * file's descriptions have been read. Nothing of the file but this is seen here: the saved command
 * lines, and option VERSION, in which ftwait stores what it found in /proc (ftwait/stream.h).
 * Malformed lines, and those beyond the limits of ftwait/source.h, are ignored.
 *
 * Order of calls: found_notes_init(), any number of found_notes_take_*(), found_notes_finish(),
 * found_notes_release(). The source and the text are borrowed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/data/map.h"
#include "ftwait/source.h"
#include "source/file/user_maps.h"
#include "source_notes.h"

struct found_notes {
	struct source *source;
	struct recording_notes *notes; /* of the source */
	struct text_store *text; /* has all strings */
	bool is_of_ftwait;       /* ftwait has written the file */
	nsec_t tasks_read;       /* applies to the `task` lines that follow */
	const char **path;       /* of the lines `descriptor`, by number; NULL: there is none */
	size_t path_count, path_capacity;
	struct map task_index;   /* tid -> index in notes->tasks; until found_notes_finish() */
	struct user_map_reader user_maps;
	struct label label[LABELS_MAX];
	const struct version_line *kind; /* of the line that is read */
};

void found_notes_init(struct found_notes *found, struct source *source, struct text_store *text);
void found_notes_take_cmdlines(struct found_notes *found, const char *text, size_t length);
void found_notes_take_version(struct found_notes *found, struct text_line text);
void found_notes_finish(struct found_notes *found);
void found_notes_release(struct found_notes *found);
