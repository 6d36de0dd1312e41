/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "user_frames.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "symbolize/demangle.h"
#include "symbolize/user_symbols.h"

struct user_frames {
	const struct recording_notes *notes;
	struct user_symbols *symbols;
};

struct user_frames *user_frames_new(const struct recording_notes *notes, const char *symfs)
{
	struct user_symbols *symbols =
		user_symbols_new(&(struct user_symbols_setup){.symfs = symfs});
	struct user_frames *frames;

	if (!symbols)
		return NULL;
	frames = xcalloc(1, sizeof(*frames));
	frames->notes = notes;
	frames->symbols = symbols;
	return frames;
}

struct user_frames *user_frames_free(struct user_frames *frames)
{
	if (!frames)
		return NULL;
	(void)user_symbols_free(frames->symbols);
	free(frames);
	return NULL;
}

/* The number of maps with a lower tgid, or with that tgid and seen by `time`. */
static size_t maps_until(const struct recording_notes *notes, int32_t tgid, nsec_t time)
{
	return ARRAY_BEFORE(it, notes->user_maps.item, notes->user_maps.count,
	                    it->tgid < tgid || (it->tgid == tgid && it->seen <= time));
}

/* address + 1 overflows only for the highest address, which no mapping and no function of a JIT
   contains. */
static const struct user_map *maps_find(const struct user_maps *maps, uint64_t address)
{
	size_t begun = array_lower_bound_u64(maps->map, maps->map_count, sizeof(*maps->map),
	                                     address + 1);

	return begun > 0 && address < maps->map[begun - 1].end ? &maps->map[begun - 1] : NULL;
}

/* Finds the function at the address; if several overlap, the one that was reported last: a JIT
   reuses the memory of functions that it has collected. */
static const struct user_jit *maps_find_jit(const struct user_maps *maps, uint64_t address)
{
	size_t at = array_lower_bound_u64(maps->jit, maps->jit_count, sizeof(*maps->jit),
	                                  address + 1);
	const struct user_jit *found = NULL;

	for (; at > 0 && maps->jit[at - 1].reach > address; at--) {
		const struct user_jit *jit = &maps->jit[at - 1];

		if (address - jit->begin < jit->size && (!found || jit->number > found->number))
			found = jit;
	}
	return found;
}

/* A name may have any bytes except the separator of functions, which is replaced. */
static void name_append(struct buffer *to, const char *name)
{
	for (; *name; name++)
		buffer_putc(to, *name == ';' ? ':' : *name);
}

static void file_append(const struct user_file *file, struct buffer *to)
{
	const char *slash = strrchr(file->path, '/');

	name_append(to, slash && slash[1] ? slash + 1 : file->path);
}

static void function_append(struct user_frames *frames, const struct user_map *map,
                            uint64_t address, struct buffer *to)
{
	const struct user_file *file = &frames->notes->user_files.item[map->file];
	uint64_t offset = address - map->begin + map->offset;
	const char *name = user_symbols_find(frames->symbols, file->path, file->build_id, offset);

	if (name) {
		name_append(to, name);
		return;
	}
	file_append(file, to);
	buffer_printf(to, "+0x%" PRIx64, offset);
}

/* What of an address is named. */
enum named {
	NAMED_FUNCTION,
	NAMED_FILE, /* a JIT's functions are in none */
};

/* Appends the name if the maps at index `at` belong to that process and have the address. */
static bool maps_append(struct user_frames *frames, int32_t tgid, size_t at, uint64_t address,
                        enum named named, struct buffer *to)
{
	const struct user_maps *maps = &frames->notes->user_maps.item[at];
	const struct user_jit *jit = maps_find_jit(maps, address);
	const struct user_map *map = jit ? NULL : maps_find(maps, address);

	bool has_file = map && map->file < frames->notes->user_files.count;

	if (maps->tgid != tgid || (jit ? named == NAMED_FILE : !has_file))
		return false;
	if (jit)
		name_append(to, jit->name);
	else if (named == NAMED_FILE)
		file_append(&frames->notes->user_files.item[map->file], to);
	else
		function_append(frames, map, address, to);
	return true;
}

static bool frames_append(struct user_frames *frames, int32_t tgid, nsec_t time, uint64_t address,
                          enum named named, struct buffer *to)
{
	const struct recording_notes *notes = frames->notes;
	size_t next = maps_until(notes, tgid, time), at = next;

	/* the maps of that time, else later maps, else earlier maps, the youngest first */
	if (at > 0 && maps_append(frames, tgid, at - 1, address, named, to))
		return true;
	for (; at < notes->user_maps.count && notes->user_maps.item[at].tgid == tgid; at++)
		if (maps_append(frames, tgid, at, address, named, to))
			return true;
	for (at = next; at > 1 && notes->user_maps.item[at - 2].tgid == tgid; at--)
		if (maps_append(frames, tgid, at - 2, address, named, to))
			return true;
	return false;
}

/* A call may be the last instruction of its function, so its return address is past the end. */
bool user_frames_name(void *state, int32_t tgid, nsec_t time, uint64_t address, bool is_return,
                      struct buffer *to)
{
	return frames_append(state, tgid, time, address - is_return, NAMED_FUNCTION, to);
}

bool user_frames_name_file(void *state, int32_t tgid, nsec_t time, uint64_t address,
                           bool is_return, struct buffer *to)
{
	return frames_append(state, tgid, time, address - is_return, NAMED_FILE, to);
}

/* What the recorder has found at the address; NULL: nothing is noted. */
static const struct noted_variable *maps_find_variable(const struct user_maps *maps,
                                                       uint64_t address)
{
	size_t at = array_lower_bound_u64(maps->variable, maps->variable_count,
	                                  sizeof(*maps->variable), address);

	return at < maps->variable_count && maps->variable[at].address == address
	               ? &maps->variable[at]
	               : NULL;
}

static bool variable_append(const char *name, uint64_t within, struct buffer *to)
{
	if (!name)
		return false;
	name_append(to, name);
	if (within)
		buffer_printf(to, "+0x%" PRIx64, within);
	return true;
}

static bool noted_variable_append(const struct noted_variable *noted, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer name = buffer_of(SYMBOL_NAME_MAX);

	if (!noted->name)
		return false;
	symbol_name_append(noted->name, &name);
	return variable_append(name.text, noted->within, to);
}

/*
 * A program's variables are behind its code, with none of another file's code in between. A process
 * has no other program than that of the time; only if its maps were not known then, the next ones
 * count. What was noted when recording is true; the files may have changed since.
 */
bool user_frames_name_variable(void *state, int32_t tgid, nsec_t time, uint64_t address,
                               struct buffer *to)
{
	struct user_frames *frames = state;
	const struct recording_notes *notes = frames->notes;
	size_t at = maps_until(notes, tgid, time), begun;
	const struct user_maps *maps;
	const struct user_file *file;
	const struct noted_variable *noted;
	const struct user_map *map;
	const char *name;
	uint64_t within = 0;

	if (at > 0 && notes->user_maps.item[at - 1].tgid == tgid)
		at--;
	if (at == notes->user_maps.count || notes->user_maps.item[at].tgid != tgid)
		return false;
	maps = &notes->user_maps.item[at];
	noted = maps_find_variable(maps, address);
	if (noted)
		return noted_variable_append(noted, to);
	begun = array_lower_bound_u64(maps->map, maps->map_count, sizeof(*maps->map), address);
	if (begun == 0 || maps->map[begun - 1].file >= notes->user_files.count)
		return false;
	map = &maps->map[begun - 1];
	file = &notes->user_files.item[map->file];
	name = user_symbols_find_variable(
		frames->symbols, file->path, file->build_id,
		&(struct user_place){map->begin, map->offset, address}, &within);
	return variable_append(name, within, to);
}

uint64_t user_frames_period(void *state, int32_t tgid, nsec_t time)
{
	const struct user_frames *frames = state;

	return maps_until(frames->notes, tgid, time);
}

static void on_line(void *health, const char *line)
{
	health_note(health, "functions of programs: %s", line);
}

void user_frames_note(struct user_frames *frames, struct health *health)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (user_symbols_report_variables(frames->symbols, &line))
		health_doubt(health, "names of locks: %s", line.text);
	if (frames->notes->user_maps.count && !user_symbols_is_able())
		health_note(health, "functions of programs are shown by file and offset: this "
		                    "program is built without libelf, which their names need");
	else
		user_symbols_report(frames->symbols, on_line, health);
}
