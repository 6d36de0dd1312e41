/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "map_table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"

void map_table_init(struct map_table *table)
{
	*table = (struct map_table){0};
	map_init(&table->by_tgid);
	map_init(&table->is_loose);
	intern_init(&table->files);
}

void map_table_release(struct map_table *table)
{
	for (size_t i = 0; i < table->process_count; i++) {
		struct map_process *process = &table->process[i];

		for (size_t j = 0; j < process->set_count; j++)
			free(process->set[j].mapping);
		free(process->set);
		free(process->loose);
	}
	free(table->process);
	map_release(&table->by_tgid);
	map_release(&table->is_loose);
	intern_release(&table->files);
	*table = (struct map_table){0};
}

struct map_process *map_table_find(const struct map_table *table, int32_t tgid)
{
	uint32_t at = map_get(&table->by_tgid, (uint32_t)tgid);

	return at == MAP_NONE ? NULL : &table->process[at];
}

struct map_process *map_table_process(struct map_table *table, int32_t tgid)
{
	struct map_process *process = map_table_find(table, tgid);

	if (process)
		return process;
	if (table->process_count >= MAP_TABLE_PROCESSES_MAX) {
		table->left_out++;
		return NULL;
	}
	ARRAY_GROW(table->process, table->process_count, table->process_capacity);
	map_put(&table->by_tgid, (uint32_t)tgid, (uint32_t)table->process_count);
	process = &table->process[table->process_count++];
	*process = (struct map_process){.tgid = tgid};
	return process;
}

uint32_t map_table_file(struct map_table *table, const char *build_id, const char *path)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_printf(&line, "%s ", build_id ? build_id : "-");
	for (; *path; path++)
		if (*path == '\n')
			buffer_puts(&line, "\\012");
		else
			buffer_putc(&line, *path);
	return intern_add(&table->files, line.text, line.length);
}

static struct map_set *process_last_set(struct map_process *process)
{
	return process->set_count ? &process->set[process->set_count - 1] : NULL;
}

static struct map_set *process_add_set(struct map_process *process, nsec_t time)
{
	ARRAY_GROW_FROM(process->set, process->set_count, process->set_capacity, 2);
	assert(process->set);
	process->set[process->set_count] = (struct map_set){.since = time};
	return &process->set[process->set_count++];
}

/* Index of the first mapping that ends after the address. */
static size_t set_find(const struct map_set *set, uint64_t address)
{
	return set->count && address < UINT64_MAX
	               ? array_lower_bound_u64(&set->mapping->end, set->count,
	                                       sizeof(*set->mapping), address + 1)
	               : set->count;
}

const struct mapping *map_set_below(const struct map_set *set, uint64_t address)
{
	size_t at = set_find(set, address);

	/* the one that contains the address, or the last one before it */
	if (at < set->count && set->mapping[at].begin <= address)
		at++;
	while (at > 0 && set->mapping[at - 1].file == MAP_FILE_NONE)
		at--;
	return at > 0 ? &set->mapping[at - 1] : NULL;
}

static const struct mapping *set_at(const struct map_set *set, uint64_t address)
{
	size_t at = set_find(set, address);

	return at < set->count && set->mapping[at].begin <= address ? &set->mapping[at] : NULL;
}

/* Keeps the order by begin; ignores an empty mapping. False if there is no room. */
static bool set_insert(struct map_table *table, struct map_set *set, const struct mapping *mapping)
{
	size_t at = set_find(set, mapping->begin);

	if (mapping->end <= mapping->begin)
		return true;
	if (table->mapping_count >= MAP_TABLE_MAPS_MAX) {
		table->left_out++;
		return false;
	}
	ARRAY_GROW_FROM(set->mapping, set->count, set->capacity, 4);
	memmove(&set->mapping[at + 1], &set->mapping[at],
	        (set->count - at) * sizeof(set->mapping[0]));
	set->mapping[at] = *mapping;
	set->count++;
	table->mapping_count++;
	return true;
}

static bool mapping_equals(const struct mapping *a, const struct mapping *b)
{
	return a->begin == b->begin && a->end == b->end && a->offset == b->offset &&
	       a->file == b->file;
}

/* Whether the set has another mapping that overlaps this one. */
static bool set_contradicts(const struct map_set *set, const struct mapping *mapping,
                            bool *ret_is_there)
{
	size_t at = set_find(set, mapping->begin);

	*ret_is_there = at < set->count && mapping_equals(&set->mapping[at], mapping);
	return !*ret_is_there && at < set->count && set->mapping[at].begin < mapping->end;
}

/* Adds a set with the mappings of the last set that do not overlap `but`. */
static struct map_set *process_split(struct map_table *table, struct map_process *process,
                                     nsec_t time, const struct mapping *but)
{
	struct map_set *set = process_add_set(process, time), *before = set - 1;

	for (size_t i = 0; i < before->count; i++)
		if (before->mapping[i].end <= but->begin || before->mapping[i].begin >= but->end)
			(void)set_insert(table, set, &before->mapping[i]);
	return set;
}

static void process_add(struct map_table *table, struct map_process *process, nsec_t time,
                        const struct mapping *mapping)
{
	struct map_set *set = process_last_set(process);
	bool is_there;

	if (!set)
		set = process_add_set(process, time);
	if (set_contradicts(set, mapping, &is_there))
		set = process_split(table, process, time, mapping);
	if (!is_there)
		(void)set_insert(table, set, mapping);
}

void map_table_add(struct map_table *table, int32_t tgid, nsec_t time,
                   const struct mapping *mapping)
{
	struct map_process *process = map_table_process(table, tgid);

	if (process)
		process_add(table, process, time, mapping);
}

/* Whether `all` contains all of `few`. */
static bool mappings_contain(const struct mapping *all, size_t count, const struct map_set *few)
{
	size_t at = 0;

	for (size_t i = 0; i < few->count; i++) {
		while (at < count && all[at].begin < few->mapping[i].begin)
			at++;
		if (at == count || !mapping_equals(&all[at], &few->mapping[i]))
			return false;
	}
	return true;
}

void map_table_put(struct map_table *table, int32_t tgid, nsec_t time,
                   const struct mapping *mapping, size_t count)
{
	struct map_process *process = map_table_process(table, tgid);
	struct map_set *last = process ? process_last_set(process) : NULL;

	if (!process)
		return;
	if (last && !mappings_contain(mapping, count, last))
		(void)process_add_set(process, time);
	for (size_t i = 0; i < count; i++)
		process_add(table, process, time, &mapping[i]);
}

void map_table_fork(struct map_table *table, int32_t parent, int32_t child, nsec_t time)
{
	struct map_process *process = map_table_process(table, child);
	const struct map_process *from = map_table_find(table, parent);
	const struct map_set *last;
	struct map_set *set;

	if (!process || from == process)
		return;
	set = process_add_set(process, time);
	if (!from || from->set_count == 0)
		return;
	last = &from->set[from->set_count - 1];
	for (size_t i = 0; i < last->count; i++)
		(void)set_insert(table, set, &last->mapping[i]);
}

void map_table_exec(struct map_table *table, int32_t tgid, nsec_t time)
{
	struct map_process *process = map_table_process(table, tgid);

	if (process)
		(void)process_add_set(process, time);
}

static void process_add_loose(struct map_table *table, struct map_process *process,
                              uint64_t address)
{
	uint64_t key = hash_mix(hash_mix(0, (uint32_t)process->tgid), address);

	if (process->loose_count >= MAP_TABLE_LOOSE_MAX ||
	    map_get(&table->is_loose, key) != MAP_NONE)
		return;
	map_put(&table->is_loose, key, 0);
	ARRAY_ADD(process->loose, process->loose_count, process->loose_capacity) = address;
}

/* Memory without a file, or a memfd, which may be a program or generated code. */
static bool may_be_generated(const struct map_table *table, uint32_t file)
{
	const char *path;

	if (file == MAP_FILE_NONE)
		return true;
	path = strchr(intern_text(&table->files, file), ' ');
	return path && strncmp(path, " /memfd:", 8) == 0;
}

void map_table_keep(struct map_table *table, int32_t tgid)
{
	struct map_process *process = map_table_process(table, tgid);

	if (process)
		process->is_seen = true;
}

bool map_table_see(struct map_table *table, int32_t tgid, uint64_t address)
{
	struct map_process *process = map_table_process(table, tgid);
	const struct mapping *mapping = NULL;

	if (!process)
		return true; /* counts as found, so that it is not looked up */
	process->is_seen = true;
	if (process->set_count > 0)
		mapping = set_at(process_last_set(process), address);
	if (!mapping || may_be_generated(table, mapping->file))
		process_add_loose(table, process, address);
	return mapping != NULL;
}

bool map_table_holds(const struct map_table *table, int32_t tgid, uint64_t address)
{
	struct map_process *process = map_table_find(table, tgid);

	return process && process->set_count > 0 && set_at(process_last_set(process), address);
}

bool map_table_names(const struct map_table *table, int32_t tgid, uint64_t address)
{
	struct map_process *process = map_table_find(table, tgid);

	for (size_t i = 0; process && i < process->set_count; i++) {
		const struct mapping *mapping = set_at(&process->set[i], address);

		if (mapping && mapping->file != MAP_FILE_NONE)
			return true;
	}
	return false;
}

/* Numbers the files in the order of their lines; MAP_NONE: no line yet. */
static void describe_files(const struct map_table *table, uint32_t *number, struct buffer *to)
{
	uint32_t count = 0;

	for (size_t i = 0; i < table->process_count; i++) {
		const struct map_process *process = &table->process[i];

		for (size_t s = 0; process->is_seen && s < process->set_count; s++)
			for (size_t m = 0; m < process->set[s].count; m++) {
				uint32_t file = process->set[s].mapping[m].file;

				if (file == MAP_FILE_NONE || number[file] != MAP_NONE)
					continue;
				number[file] = count++;
				buffer_printf(to, "file %u %s\n", number[file],
				              intern_text(&table->files, file));
			}
	}
}

static void describe_set(const struct map_process *process, const struct map_set *set,
                         bool is_timed, const uint32_t *number, struct buffer *to)
{
	buffer_printf(to, "maps %d %llu\n", (int)process->tgid,
	              is_timed ? (unsigned long long)set->since : 0);
	for (size_t i = 0; i < set->count; i++)
		if (set->mapping[i].file != MAP_FILE_NONE)
			buffer_printf(to, "map %" PRIx64 " %" PRIx64 " %" PRIx64 " %u\n",
			              set->mapping[i].begin, set->mapping[i].end,
			              set->mapping[i].offset, number[set->mapping[i].file]);
}

void map_table_describe(struct map_table *table, bool is_timed, struct buffer *to,
                        void (*on_set)(void *state, const struct map_process *process,
                                       size_t set, struct buffer *to),
                        void *state)
{
	size_t file_count = table->files.count;
	_cleanup_(freep) uint32_t *number = xreallocarray(NULL, file_count + 1, sizeof(*number));

	for (size_t i = 0; i < file_count; i++)
		number[i] = MAP_NONE;
	describe_files(table, number, to);
	for (size_t i = 0; i < table->process_count; i++) {
		struct map_process *process = &table->process[i];

		if (!process->is_seen)
			continue;
		if (process->set_count == 0 && process->loose_count > 0)
			(void)process_add_set(process, 0);
		for (size_t s = 0; s < process->set_count; s++)
			if (process->set[s].count > 0 || s + 1 == process->set_count) {
				describe_set(process, &process->set[s], is_timed, number, to);
				on_set(state, process, s, to);
			}
	}
}
