/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_processes.h"

#include "base/data/array.h"
#include "words/command_line.h"

#define PATH_MAX_BYTES 4096

/* "ID [ID...]": all of them are numbers, or none is taken. */
void datfile_take_hierarchies(struct datfile *datfile, struct text_line line)
{
	struct source *source = &datfile->source;
	uint32_t hierarchy[SOURCE_HIERARCHIES_MAX];
	size_t count = 0;

	while (line.at < line.end) {
		int64_t id = word_number(line_word(&line), INT32_MAX);

		if (id < 0 || count == SOURCE_HIERARCHIES_MAX)
			return;
		hierarchy[count++] = (uint32_t)id;
	}
	memcpy(source->hierarchies, hierarchy, count * sizeof(*hierarchy));
	source->hierarchy_count = count;
}

/* "N ID PATH": groups are numbered as they come. */
void datfile_take_cgroup(struct datfile *datfile, struct text_line line)
{
	int64_t number = word_number(line_word(&line), SOURCE_CGROUPS_MAX - 1);
	int64_t hierarchy = word_number(line_word(&line), INT32_MAX);
	size_t length = line_length(line);

	if (number < 0 || (size_t)number != datfile->cgroup_count || hierarchy < 0 || length == 0 ||
	    length > PATH_MAX_BYTES || *line.at != '/' ||
	    !text_store_has_room(&datfile->text, length + 1))
		return;
	ARRAY_GROW(datfile->cgroups, datfile->cgroup_count, datfile->cgroup_capacity);
	datfile->cgroups[datfile->cgroup_count++] = (struct source_cgroup){
		.hierarchy = (uint32_t)hierarchy,
		.path = text_store_add(&datfile->text, line.at, length),
	};
}

/* "TGID PARENT N" */
static void take_process(struct datfile *datfile, struct text_line line, bool is_late)
{
	int64_t tgid = word_number(line_word(&line), INT32_MAX);
	int64_t parent = word_number(line_word(&line), INT32_MAX);
	struct text_line word = line_word(&line);
	int64_t cgroup = word_number(word, SOURCE_CGROUPS_MAX - 1);

	if (tgid <= 0 || parent < 0 || (cgroup < 0 && !word_is(word, "-")) ||
	    cgroup >= (int64_t)datfile->cgroup_count ||
	    datfile->process_count == SOURCE_PROCESSES_MAX)
		return;
	ARRAY_GROW(datfile->processes, datfile->process_count, datfile->process_capacity);
	datfile->processes[datfile->process_count++] = (struct known_process){
		.tgid = (int32_t)tgid,
		.parent = (int32_t)parent,
		.cgroup = cgroup < 0 ? SOURCE_CGROUP_NONE : (uint32_t)cgroup,
		.read = is_late ? NSEC_NEVER : datfile->opening->tasks_read,
	};
}

void datfile_take_process(struct datfile *datfile, struct text_line line)
{
	take_process(datfile, line, /* is_late= */ false);
}

void datfile_take_end_process(struct datfile *datfile, struct text_line line)
{
	take_process(datfile, line, /* is_late= */ true);
}

/* "TGID BEGIN READ TEXT" */
void datfile_take_program(struct datfile *datfile, struct text_line line)
{
	int64_t tgid = word_number(line_word(&line), INT32_MAX);
	int64_t begin = word_number(line_word(&line), INT64_MAX);
	int64_t read = word_number(line_word(&line), INT64_MAX);
	size_t length = line_length(line);

	if (tgid <= 0 || begin < 0 || read < begin || !command_line_is_valid(line.at, length) ||
	    datfile->program_count == SOURCE_PROGRAMS_MAX ||
	    !text_store_has_room(&datfile->text, length + 1))
		return;
	ARRAY_GROW(datfile->programs, datfile->program_count, datfile->program_capacity);
	datfile->programs[datfile->program_count++] = (struct source_program){
		.tgid = (int32_t)tgid,
		.begin = (nsec_t)begin,
		.read = (nsec_t)read,
		.text = text_store_add(&datfile->text, line.at, length),
	};
}

/* "GLOB" */
void datfile_take_target_cgroup(struct datfile *datfile, struct text_line line)
{
	struct source *source = &datfile->source;
	size_t length = line_length(line);

	if (length == 0 || length > PATH_MAX_BYTES ||
	    source->target_cgroup_count == SOURCE_TARGET_CGROUPS_MAX ||
	    !text_store_has_room(&datfile->text, length + 1))
		return;
	source->target_cgroups[source->target_cgroup_count++] =
		text_store_add(&datfile->text, line.at, length);
}
