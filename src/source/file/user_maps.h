/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines "file", "maps", "map", "jit" and "variable" of ftwait/stream.h: where programs are in
 * the memory of their processes, and what is there. A malformed line is left out and counted; after
 * a malformed "maps" line so is everything up to the next one. So is a mapping that overlaps
 * another one of its set, and so are several variables of one address.
 *
 * Order of calls: any number of user_maps_take() in the order of the lines, user_maps_finish(),
 * user_maps_release(). Strings are borrowed from the text store.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/recording_notes.h"
#include "source/source_notes.h"
#include "source/text/text_line.h"

#define USER_FILES_MAX (1u << 18)
#define USER_SETS_MAX  (1u << 20)
#define USER_MAPS_MAX  (1u << 22) /* mappings, and as many generated functions,
                                      and variables */

struct user_map_reader {
	struct source_list file, map, jit, variable; /* of struct user_file, user_map, ... */
	/* of struct user_maps: until user_maps_finish() their pointers are NULL, and the lists in
	   the order of the lines */
	struct source_list set;
	struct text_store *text;
	bool is_in_set;
	uint64_t bad; /* malformed lines */
};

/* Takes what follows one of these words; false: it is another word. */
bool user_maps_take(struct user_map_reader *reader, struct text_store *text,
                    struct text_line word, struct text_line line);
/* Another text begins: its "map" lines belong to no set of the previous one. */
void user_maps_part(struct user_map_reader *reader);
/* Sorts, and sets the lists of *notes. */
void user_maps_finish(struct user_map_reader *reader, struct recording_notes *notes);
void user_maps_release(struct user_map_reader *reader);
