/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "user_maps.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/order.h"

#define BUILD_ID_DIGITS_MAX 64u
#define PATH_MAX_BYTES      16384u /* four bytes for each of 4096 newlines */
#define NAME_MAX_BYTES      4096u

/* Hex digits, two for each byte; "-" if there is none, which makes *ret NULL. */
static bool take_build_id(struct text_store *text, struct text_line word, const char **ret)
{
	bool is_none = word_is(word, "-");

	*ret = !is_none && line_is_hex(word) && line_length(word) % 2 == 0
	               ? text_store_line(text, word, BUILD_ID_DIGITS_MAX) : NULL;
	return is_none || *ret;
}

/* "N BUILDID PATH" */
static bool take_file(struct user_map_reader *reader, struct text_line line)
{
	int64_t number = word_number(line_word(&line), USER_FILES_MAX - 1);
	struct text_line build_id = line_word(&line);
	struct user_file file;

	if (number < 0 || (size_t)number != reader->file.count ||
	    !take_build_id(reader->text, build_id, &file.build_id))
		return false;
	file.path = text_store_line(reader->text, line, PATH_MAX_BYTES);
	if (file.path)
		LIST_ADD(reader->file, struct user_file) = file;
	return file.path;
}

/* "TGID NS" */
static bool take_maps(struct user_map_reader *reader, struct text_line line)
{
	int64_t tgid = word_number(line_word(&line), INT32_MAX);
	int64_t seen = word_number(line_word(&line), INT64_MAX);

	reader->is_in_set = tgid > 0 && seen >= 0 && line.at == line.end &&
	                    reader->set.count < USER_SETS_MAX;
	if (reader->is_in_set)
		LIST_ADD(reader->set, struct user_maps) =
			(struct user_maps){.tgid = (int32_t)tgid, .seen = (nsec_t)seen};
	return reader->is_in_set;
}

/* The set that the last line "maps" began. */
static struct user_maps *last_set(const struct user_map_reader *reader)
{
	return LIST_AT(reader->set, struct user_maps, reader->set.count - 1);
}

/* "START END OFFSET N" */
static bool take_map(struct user_map_reader *reader, struct text_line line)
{
	struct user_map map;
	bool is_good = reader->is_in_set && word_hex(line_word(&line), &map.begin) &&
	               word_hex(line_word(&line), &map.end) &&
	               word_hex(line_word(&line), &map.offset);
	int64_t file = is_good ? word_number(line_word(&line), USER_FILES_MAX) : -1;

	if (file < 0 || (size_t)file >= reader->file.count || line.at != line.end ||
	    map.end <= map.begin || map.offset > UINT64_MAX - (map.end - map.begin) ||
	    reader->map.count >= USER_MAPS_MAX)
		return false;
	map.file = (uint32_t)file;
	LIST_ADD(reader->map, struct user_map) = map;
	last_set(reader)->map_count++;
	return true;
}

/* "START SIZE NAME" */
static bool take_jit(struct user_map_reader *reader, struct text_line line)
{
	struct user_jit jit;

	if (!reader->is_in_set || !word_hex(line_word(&line), &jit.begin) ||
	    !word_hex(line_word(&line), &jit.size) || jit.size == 0 ||
	    jit.size > UINT64_MAX - jit.begin || reader->jit.count >= USER_MAPS_MAX)
		return false;
	jit.name = text_store_line(reader->text, line, NAME_MAX_BYTES);
	if (!jit.name)
		return false;
	jit.number = (uint32_t)reader->jit.count;
	LIST_ADD(reader->jit, struct user_jit) = jit;
	last_set(reader)->jit_count++;
	return true;
}

/* "ADDRESS WITHIN NAME", "ADDRESS -" */
static bool take_variable(struct user_map_reader *reader, struct text_line line)
{
	struct noted_variable variable = {0};
	char name[NAME_MAX_BYTES];
	size_t length;

	if (!reader->is_in_set || !word_hex(line_word(&line), &variable.address) ||
	    reader->variable.count >= USER_MAPS_MAX)
		return false;
	if (!word_is(line, "-")) {
		if (!word_hex(line_word(&line), &variable.within))
			return false;
		length = line_unescape(line, name, sizeof(name));
		variable.name = text_store_line(reader->text,
		                                (struct text_line){name, name + length},
		                                sizeof(name) - 1);
		if (!variable.name)
			return false;
	}
	LIST_ADD(reader->variable, struct noted_variable) = variable;
	last_set(reader)->variable_count++;
	return true;
}

bool user_maps_take(struct user_map_reader *reader, struct text_store *text,
                    struct text_line word, struct text_line line)
{
	static const struct {
		const char *word;
		bool (*take)(struct user_map_reader *reader, struct text_line line);
	} lines[] = {
		{"file", take_file}, {"maps", take_maps}, {"map", take_map}, {"jit", take_jit},
		{"variable", take_variable},
	};
	size_t i = 0;

	while (i < ARRAY_SIZE(lines) && !word_is(word, lines[i].word))
		i++;
	reader->text = text;
	reader->bad += i < ARRAY_SIZE(lines) && !lines[i].take(reader, line);
	return i < ARRAY_SIZE(lines);
}

void user_maps_part(struct user_map_reader *reader)
{
	reader->is_in_set = false;
}

ORDER_FUNCTION(map_compare, struct user_map, RISING(x, y, begin), RISING(x, y, end))

ORDER_FUNCTION(jit_compare, struct user_jit, RISING(x, y, begin), RISING(x, y, number))

/* Sets of one time keep the order of their lines, which is that of their mappings. */
ORDER_FUNCTION(set_compare, struct user_maps, RISING(x, y, tgid), RISING(x, y, seen),
               RISING(x, y, map))

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

ORDER_FUNCTION(variable_compare, struct noted_variable, RISING(x, y, address))

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
	struct user_map *map = reader->map.item;
	struct user_jit *jit = reader->jit.item;
	struct noted_variable *variable = reader->variable.item;

	for (size_t i = 0; i < reader->set.count; i++) {
		struct user_maps *set = LIST_AT(reader->set, struct user_maps, i);
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
	array_sort(reader->set.item, reader->set.count, sizeof(struct user_maps), set_compare);
	notes->user_files.item = reader->file.item;
	notes->user_files.count = reader->file.count;
	notes->user_maps.item = reader->set.item;
	notes->user_maps.count = reader->set.count;
}

void user_maps_release(struct user_map_reader *reader)
{
	free(reader->file.item);
	free(reader->set.item);
	free(reader->map.item);
	free(reader->jit.item);
	free(reader->variable.item);
	*reader = (struct user_map_reader){0};
}
