/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/file/datfile_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/nsec_scale.h"
#include "base/xalloc.h"
#include "source/file/datfile.h"
#include "datfile_figures.h"
#include "source/file/datfile_header.h"
#include "source/file/datfile_salvage.h"
#include "datfile_sections.h"
#include "source/file/datfile_streams.h"
#include "datfile_tables.h"
#include "datfile_tail.h"
#include "ftwait/stream.h"
#include "source_notes.h"

/* Unpacks all of kallsyms on the first read; packed text cannot be read in pieces. */
static int datfile_unpack_symbols(struct datfile *datfile)
{
	struct symbol_place *place = &datfile->symbols;
	_cleanup_(freep) uint8_t *packed = NULL;
	_cleanup_(freep) uint8_t *text = NULL;
	size_t bytes = (size_t)place->bytes; /* DATFILE_SECTION_MAX at most, as they are packed */
	int r;

	if (place->text)
		return 0;
	packed = xmalloc(place->packed_bytes);
	r = input_file_read(&datfile->file, place->offset, packed, place->packed_bytes);
	if (r < 0)
		return r;
	text = xmalloc(bytes);
	r = unpack(datfile->packing, packed, place->packed_bytes, text, bytes);
	if (r < 0)
		return r;
	place->text = TAKE_PTR(text);
	return 0;
}

/* A packed section begins with the length of its text, which `bytes` includes. */
static int64_t datfile_read_packed_symbols(struct datfile *datfile, uint64_t offset, char *to,
                                           size_t size)
{
	const struct symbol_place *place = &datfile->symbols;
	int r = datfile_unpack_symbols(datfile);

	if (r < 0) {
		source_damage(&datfile->source, &datfile->text,
		              "damaged: the kernel's symbols before byte %llu cannot be unpacked",
		              (unsigned long long)(place->offset + place->packed_bytes));
		return r;
	}
	if (place->bytes < 4 || offset >= place->bytes - 4)
		return 0;
	if (size > place->bytes - 4 - offset)
		size = (size_t)(place->bytes - 4 - offset);
	memcpy(to, place->text + 4 + offset, size);
	return (int64_t)size;
}

static int64_t datfile_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	struct datfile *datfile = (struct datfile *)source;
	const struct symbol_place *place = &datfile->symbols;

	if (place->is_packed)
		return datfile_read_packed_symbols(datfile, offset, to, size);
	if (offset >= place->bytes)
		return 0;
	if (size > place->bytes - offset)
		size = (size_t)(place->bytes - offset);
	return input_file_read_some(&datfile->file, place->offset + offset, to, size);
}

static void datfile_close(struct source *source)
{
	datfile_free((struct datfile *)source);
}

static const struct source_ops datfile_ops = {
	.name = "native",
	.next_batch = datfile_next_batch,
	.read_symbols = datfile_read_symbols,
	.close = datfile_close,
};

struct datfile *datfile_new(const struct input_file *file)
{
	struct datfile *datfile = xcalloc(1, sizeof(*datfile));

	datfile->source.ops = &datfile_ops;
	datfile->source.stacks_buffer = UINT32_MAX;
	datfile->file = *file;
	datfile->source.failure = file->failure;
	datfile->opening = xcalloc(1, sizeof(*datfile->opening));
	map_init(&datfile->opening->task_index);
	map_init(&datfile->opening->stream_index);
	(void)datfile_add_buffer(datfile, "", 0);
	if (file->damage[0])
		source_damage(&datfile->source, &datfile->text, "%s", file->damage);
	return datfile;
}

/* Frees what was needed only for opening: small machines need the memory. */
static void datfile_end_opening(struct datfile *datfile)
{
	struct datfile_opening *opening = TAKE_PTR(datfile->opening);

	if (!opening)
		return;
	map_release(&opening->task_index);
	map_release(&opening->stream_index);
	free(opening->figures);
	free(opening->buffer_options);
	free(opening->options_seen);
	free(opening);
}

void datfile_free(struct datfile *datfile)
{
	if (!datfile)
		return;
	for (size_t i = 0; i < datfile->stream_count; i++) {
		page_stream_release(&datfile->feeds[i].pages);
		free(datfile->feeds[i].extents);
		free(datfile->feeds[i].block);
	}
	input_file_release(&datfile->file);
	text_store_release(&datfile->text);
	datfile_end_opening(datfile);
	free(datfile->formats);
	free(datfile->tasks);
	free(datfile->open_waits);
	free(datfile->cgroups);
	free(datfile->processes);
	free(datfile->pids);
	free(datfile->listening);
	free(datfile->devices);
	free(datfile->paths);
	free(datfile->programs);
	free(datfile->command);
	user_maps_release(&datfile->user_maps);
	time_shift_release(&datfile->host_clock);
	free(datfile->buffers);
	free(datfile->streams);
	free(datfile->feeds);
	free(datfile->symbols.text);
	free(datfile->packed);
	free(datfile);
}

void datfile_freep(struct datfile **datfile)
{
	datfile_free(*datfile);
}

/* Other tools may use this name for a buffer of their own. */
static void datfile_finish_stacks(struct datfile *datfile)
{
	size_t buffer = datfile_find_buffer(datfile, STREAM_STACKS_NAME);

	if (datfile->is_of_ftwait && buffer != SIZE_MAX)
		datfile->source.stacks_buffer = (uint32_t)buffer;
}

static void datfile_finish_maps(struct datfile *datfile)
{
	user_maps_finish(&datfile->user_maps, &datfile->source);
	if (datfile->user_maps.bad > 0)
		source_damage(&datfile->source, &datfile->text,
		              "damaged: %llu lines on what is in the memory of programs make no "
		              "sense", (unsigned long long)datfile->user_maps.bad);
}

/* Pairs of the recorder are better than trace-cmd's DATE, which is one difference. */
static void datfile_finish_realtime(struct datfile *datfile)
{
	struct realtime *realtime = &datfile->source.realtime;
	int64_t offset = datfile->time_offset;

	if (realtime->count > 0 || datfile->opening->date == 0 || datfile->time_mult ||
	    datfile->host_clock.count)
		return;
	realtime->pair[realtime->count++] = (struct realtime_pair){
		.time = offset > 0 ? (nsec_t)offset : 0,
		.real = datfile->opening->date + (offset < 0 ? (nsec_t)-offset : 0),
	};
}

/* By how much the measurements of the host's clock on several CPUs differ: so wrong are some. */
static nsec_t datfile_host_spread(const struct datfile *datfile)
{
	nsec_t spread = time_shift_spread(&datfile->host_clock);

	return datfile->time_mult ? nsec_scale(spread, datfile->time_mult, datfile->time_shift)
	                          : spread;
}

static void datfile_note_host_clock(struct datfile *datfile, uint32_t cpus)
{
	struct source *source = &datfile->source;
	nsec_t spread = datfile_host_spread(datfile);

	if (datfile->host_clock.count == 0)
		return;
	if (time_shift_has_all(&datfile->host_clock, cpus) && spread > 0)
		source_note(source, &datfile->text,
		            "times are on the clock of the host of this virtual machine, as "
		            "trace-cmd measured it on the first CPU (option TIME_SHIFT); what it "
		            "measured on others differs by up to %s", DURATION_TEXT(spread));
	else if (time_shift_has_all(&datfile->host_clock, cpus))
		source_note(source, &datfile->text,
		            "times are on the clock of the host of this virtual machine, as "
		            "trace-cmd measured it (option TIME_SHIFT)");
	else
		source_damage(source, &datfile->text,
		              "damaged: trace-cmd measured the clock of the host for some CPUs "
		              "only (option TIME_SHIFT); times of the others do not agree with "
		              "theirs");
}

void datfile_finish(struct datfile *datfile)
{
	struct source *source = &datfile->source;
	const struct datfile_opening *opening = datfile->opening;
	unsigned cpus = opening->option_cpus ? opening->option_cpus : opening->header_cpus;

	datfile_spread_figures(datfile);
	for (size_t i = 0; i < datfile->stream_count; i++)
		if (datfile->streams[i].cpu >= cpus)
			cpus = datfile->streams[i].cpu + 1;
	for (size_t i = 0; i < datfile->task_count; i++)
		if (!datfile->tasks[i].comm)
			datfile->tasks[i].comm = "";
	source->cpu_count = cpus;
	datfile_note_host_clock(datfile, cpus);
	source->is_scaled = datfile->time_mult != 0;
	source->page_bytes = datfile->layout.page_bytes;
	source->formats = datfile->formats;
	source->format_count = datfile->format_count;
	source->known_tasks = datfile->tasks;
	source->known_task_count = datfile->task_count;
	source->open_waits = datfile->open_waits;
	source->open_wait_count = datfile->open_wait_count;
	source->cgroups = datfile->cgroups;
	source->cgroup_count = datfile->cgroup_count;
	source->processes = datfile->processes;
	source->process_count = datfile->process_count;
	source->listening = datfile->listening;
	source->listening_count = datfile->listening_count;
	source->devices = datfile->devices;
	source->device_count = datfile->device_count;
	source->paths = datfile->paths;
	source->path_count = datfile->path_count;
	source->programs = datfile->programs;
	source->program_count = datfile->program_count;
	source->pids = datfile->pids;
	source->pid_count = datfile->pid_count;
	source->command = datfile->command;
	source->command_count = datfile->command_count;
	source->labels = datfile->label;
	source->label_count = datfile->label_count;
	source->streams = datfile->streams;
	source->stream_count = datfile->stream_count;
	source->buffer_count = datfile->buffer_count;
	source->data_bytes = opening->extent_bytes;
	datfile_finish_stacks(datfile);
	datfile_finish_maps(datfile);
	datfile_finish_realtime(datfile);
	datfile_end_opening(datfile);
}

static int datfile_read(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	int r = datfile_read_magic(datfile, cursor, why);

	if (r < 0)
		return r;
	if (datfile->version == 7)
		return datfile_read_sections(datfile, why);
	r = datfile_read_head(datfile, cursor, why);
	if (r == 0)
		return datfile_read_tables(datfile, cursor, why);
	if (datfile_salvage_tables(datfile, datfile->opening->header_end) < 0)
		return r;
	source_damage(&datfile->source, &datfile->text,
	              "damaged: the head makes no sense near byte %llu; formats and names that "
	              "stand behind it are missing", (unsigned long long)cursor->offset);
	return 0;
}

int datfile_open(const struct input_file *file, struct source **ret, struct buffer *why)
{
	_cleanup_(datfile_freep) struct datfile *datfile = datfile_new(file);
	struct cursor cursor;
	int r;

	cursor_init_file(&cursor, &datfile->file, 0, datfile->file.bytes, false);
	r = datfile_read(datfile, &cursor, why);
	cursor_release(&cursor);
	if (r < 0) {
		(void)input_file_describe_failure(&datfile->file, why);
		return r;
	}
	datfile_note_tail(datfile);
	datfile_finish(datfile);
	*ret = &TAKE_PTR(datfile)->source;
	return 0;
}

bool datfile_is_source(const struct source *source)
{
	return source->ops == &datfile_ops;
}

int datfile_descriptor(const struct source *source)
{
	return ((const struct datfile *)source)->file.fd;
}

enum packing datfile_packing(const struct source *source)
{
	return ((const struct datfile *)source)->packing;
}

const char *datfile_buffer_name(const struct source *source, size_t buffer)
{
	return ((const struct datfile *)source)->buffers[buffer].name;
}

const struct page_layout *datfile_layout(const struct source *source)
{
	return &((const struct datfile *)source)->layout;
}

bool datfile_has_plain_stamps(const struct source *source)
{
	return datfile_stamps_are_plain((const struct datfile *)source);
}
