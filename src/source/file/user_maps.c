/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "user_maps.h"

#include <stdlib.h>

#include "base/data/array.h"

#define BUILD_ID_DIGITS_MAX 64u
#define PATH_MAX_BYTES      16384u /* four bytes for each of 4096 newlines */
#define NAME_MAX_BYTES      4096u

/* Hex digits, two for each byte; "-" if there is none, which makes *ret NULL. */
static bool take_build_id(struct text_store *text, struct text_line word, const char **ret)
{
	size_t length = line_length(word);

	*ret = NULL;
	if (word_is(word, "-"))
		return true;
	if (length == 0 || length > BUILD_ID_DIGITS_MAX || length % 2 != 0)
		return false;
	for (const char *at = word.at; at < word.end; at++)
		if (!((*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'f')))
			return false;
	*ret = text_store_add(text, word.at, length);
	return true;
}

/* "N BUILDID PATH" */
void user_maps_take_file(struct user_map_reader *reader, struct text_store *text,
                         struct text_line line)
{
	int64_t number = word_number(line_word(&line), USER_FILES_MAX - 1);
	struct text_line build_id = line_word(&line);
	size_t length = line_length(line);
	struct user_file file;

	if (number < 0 || (size_t)number != reader->file_count || length == 0 ||
	    length > PATH_MAX_BYTES || memchr(line.at, '\0', length) ||
	    !text_store_has_room(text, length + BUILD_ID_DIGITS_MAX + 2) ||
	    !take_build_id(text, build_id, &file.build_id)) {
		reader->bad++;
		return;
	}
	file.path = text_store_add(text, line.at, length);
	ARRAY_GROW(reader->file, reader->file_count, reader->file_capacity);
	reader->file[reader->file_count++] = file;
}

/* "TGID NS" */
void user_maps_take_maps(struct user_map_reader *reader, struct text_line line)
{
	int64_t tgid = word_number(line_word(&line), INT32_MAX);
	int64_t seen = word_number(line_word(&line), INT64_MAX);

	reader->is_in_set = tgid > 0 && seen >= 0 && line.at == line.end &&
	                    reader->set_count < USER_SETS_MAX;
	if (!reader->is_in_set) {
		reader->bad++;
		return;
	}
	ARRAY_GROW(reader->set, reader->set_count, reader->set_capacity);
	reader->set[reader->set_count++] = (struct user_maps){
		.tgid = (int32_t)tgid,
		.seen = (nsec_t)seen,
	};
}

/* "START END OFFSET N" */
void user_maps_take_map(struct user_map_reader *reader, struct text_line line)
{
	struct user_map map;
	bool is_good = reader->is_in_set && word_hex(line_word(&line), &map.begin) &&
	               word_hex(line_word(&line), &map.end) &&
	               word_hex(line_word(&line), &map.offset);
	int64_t file = is_good ? word_number(line_word(&line), USER_FILES_MAX) : -1;

	if (file < 0 || (size_t)file >= reader->file_count || line.at != line.end ||
	    map.end <= map.begin || map.offset > UINT64_MAX - (map.end - map.begin) ||
	    reader->map_count >= USER_MAPS_MAX) {
		reader->bad++;
		return;
	}
	map.file = (uint32_t)file;
	ARRAY_GROW(reader->map, reader->map_count, reader->map_capacity);
	reader->map[reader->map_count++] = map;
	reader->set[reader->set_count - 1].map_count++;
}

/* "START SIZE NAME" */
void user_maps_take_jit(struct user_map_reader *reader, struct text_store *text,
                        struct text_line line)
{
	struct user_jit jit;
	bool is_good = reader->is_in_set && word_hex(line_word(&line), &jit.begin) &&
	               word_hex(line_word(&line), &jit.size);
	size_t length = line_length(line);

	if (!is_good || jit.size == 0 || jit.size > UINT64_MAX - jit.begin || length == 0 ||
	    length > NAME_MAX_BYTES || memchr(line.at, '\0', length) ||
	    reader->jit_count >= USER_MAPS_MAX || !text_store_has_room(text, length + 1)) {
		reader->bad++;
		return;
	}
	jit.name = text_store_add(text, line.at, length);
	jit.number = (uint32_t)reader->jit_count;
	ARRAY_GROW(reader->jit, reader->jit_count, reader->jit_capacity);
	reader->jit[reader->jit_count++] = jit;
	reader->set[reader->set_count - 1].jit_count++;
}

/* "ADDRESS WITHIN NAME", "ADDRESS -" */
void user_maps_take_variable(struct user_map_reader *reader, struct text_store *text,
                             struct text_line line)
{
	struct noted_variable variable = {0};
	bool is_good = reader->is_in_set && word_hex(line_word(&line), &variable.address);
	bool is_none = is_good && word_is(line, "-");
	char name[NAME_MAX_BYTES];
	size_t length = 0;

	if (is_good && !is_none) {
		is_good = word_hex(line_word(&line), &variable.within);
		length = line_unescape(line, name, sizeof(name));
		is_good &= length > 0 && length < sizeof(name) && !memchr(name, '\0', length);
	}
	if (!is_good || reader->variable_count >= USER_MAPS_MAX ||
	    !text_store_has_room(text, length + 1)) {
		reader->bad++;
		return;
	}
	if (!is_none)
		variable.name = text_store_add(text, name, length);
	ARRAY_GROW(reader->variable, reader->variable_count, reader->variable_capacity);
	reader->variable[reader->variable_count++] = variable;
	reader->set[reader->set_count - 1].variable_count++;
}

void user_maps_part(struct user_map_reader *reader)
{
	reader->is_in_set = false;
}

static int map_compare(const void *a, const void *b)
{
	const struct user_map *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

static int jit_compare(const void *a, const void *b)
{
	const struct user_jit *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Sets of one time keep the order of their lines, which is that of their mappings. */
static int set_compare(const void *a, const void *b)
{
	const struct user_maps *x = a, *y = b;

	if (x->tgid != y->tgid)
		return x->tgid < y->tgid ? -1 : 1;
	if (x->seen != y->seen)
		return x->seen < y->seen ? -1 : 1;
	return (x->map > y->map) - (x->map < y->map);
}

/* Removes mappings that overlap the one before; returns how many are left. */
static size_t maps_part_overlaps(struct user_map *map, size_t count)
{
	size_t kept = 0;

	if (!map)
		return 0;
	array_sort(map, count, sizeof(*map), map_compare);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || map[i].begin >= map[kept - 1].end)
			map[kept++] = map[i];
	return kept;
}

static void jits_sort(struct user_jit *jit, size_t count)
{
	uint64_t reach = 0;

	if (!jit)
		return;
	array_sort(jit, count, sizeof(*jit), jit_compare);
	for (size_t i = 0; i < count; i++) {
		if (jit[i].begin + jit[i].size > reach)
			reach = jit[i].begin + jit[i].size;
		jit[i].reach = reach;
	}
}

static int variable_compare(const void *a, const void *b)
{
	const struct noted_variable *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* Drops addresses that have several lines, as these contradict each other; returns how many are
   left. */
static size_t variables_part(struct noted_variable *variable, size_t count)
{
	size_t kept = 0;

	if (!variable)
		return 0;
	array_sort(variable, count, sizeof(*variable), variable_compare);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && variable[next].address == variable[i].address;)
			next++;
		if (next == i + 1)
			variable[kept++] = variable[i];
	}
	return kept;
}

void user_maps_finish(struct user_map_reader *reader, struct recording_notes *notes)
{
	struct user_map *map = reader->map;
	struct user_jit *jit = reader->jit;
	struct noted_variable *variable = reader->variable;

	for (size_t i = 0; i < reader->set_count; i++) {
		struct user_maps *set = &reader->set[i];
		size_t count = set->map_count;

		set->map = map;
		set->jit = jit;
		set->map_count = maps_part_overlaps(map, count);
		reader->bad += count - set->map_count;
		jits_sort(jit, set->jit_count);
		map = map ? map + count : NULL;
		jit = jit ? jit + set->jit_count : NULL;
		count = set->variable_count;
		set->variable = variable;
		set->variable_count = variables_part(variable, count);
		reader->bad += count - set->variable_count;
		variable = variable ? variable + count : NULL;
	}
	array_sort(reader->set, reader->set_count, sizeof(*reader->set), set_compare);
	notes->user_files.item = reader->file;
	notes->user_files.count = reader->file_count;
	notes->user_maps.item = reader->set;
	notes->user_maps.count = reader->set_count;
}

void user_maps_release(struct user_map_reader *reader)
{
	free(reader->file);
	free(reader->set);
	free(reader->map);
	free(reader->jit);
	free(reader->variable);
	*reader = (struct user_map_reader){0};
}
