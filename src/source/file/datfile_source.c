/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nsec_scale.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "datfile.h"
#include "ftwait/stream.h"
#include "source/source_notes.h"

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
	datfile->source.health.failure = file->failure;
	datfile->opening = xcalloc(1, sizeof(*datfile->opening));
	found_notes_init(&datfile->found, &datfile->source, &datfile->text);
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
	found_notes_release(&datfile->found);
	time_shift_release(&datfile->clock.host);
	free(datfile->buffers);
	free(datfile->streams);
	free(datfile->feeds);
	free(datfile->symbols.text);
	free(datfile->reading.packed);
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

	if (datfile->found.is_of_ftwait && buffer != SIZE_MAX)
		datfile->source.stacks_buffer = (uint32_t)buffer;
}

/* Pairs of the recorder are better than trace-cmd's DATE, which is one difference. */
static void datfile_finish_realtime(struct datfile *datfile)
{
	struct realtime *realtime = &datfile->source.notes.realtime;
	int64_t offset = datfile->clock.offset;

	if (realtime->count > 0 || datfile->opening->date == 0 || datfile->clock.mult ||
	    datfile->clock.host.count)
		return;
	realtime->pair[realtime->count++] = (struct realtime_pair){
		.time = offset > 0 ? (nsec_t)offset : 0,
		.real = datfile->opening->date + (offset < 0 ? (nsec_t)-offset : 0),
	};
}

/* By how much the measurements of the host's clock on several CPUs differ: so wrong are some. */
static nsec_t host_spread(const struct stamp_clock *clock)
{
	nsec_t spread = time_shift_spread(&clock->host);

	return clock->mult ? nsec_scale(spread, clock->mult, clock->shift) : spread;
}

static void datfile_note_host_clock(struct datfile *datfile, uint32_t cpus)
{
	const struct time_shift *host = &datfile->clock.host;
	nsec_t spread = host_spread(&datfile->clock);

	if (host->count == 0)
		return;
	if (!time_shift_has_all(host, cpus))
		source_damage(&datfile->source, &datfile->text,
		              "damaged: trace-cmd measured the clock of the host for some CPUs "
		              "only (option TIME_SHIFT); times of the others do not agree with "
		              "theirs");
	else if (spread == 0)
		source_note(&datfile->source, &datfile->text,
		            "times are on the clock of the host of this virtual machine, as "
		            "trace-cmd measured it (option TIME_SHIFT)");
	else
		source_note(&datfile->source, &datfile->text,
		            "times are on the clock of the host of this virtual machine, as "
		            "trace-cmd measured it on the first CPU (option TIME_SHIFT); what it "
		            "measured on others differs by up to %s", DURATION_TEXT(spread));
}

void datfile_finish(struct datfile *datfile)
{
	struct source *source = &datfile->source;
	const struct datfile_opening *opening = datfile->opening;
	unsigned cpus = opening->option_cpus ? opening->option_cpus : opening->header_cpus;

	datfile_finish_stacks(datfile);
	datfile_spread_figures(datfile);
	for (size_t i = 0; i < datfile->stream_count; i++)
		if (datfile->streams[i].cpu >= cpus)
			cpus = datfile->streams[i].cpu + 1;
	source->cpu_count = cpus;
	datfile_note_host_clock(datfile, cpus);
	source->is_scaled = datfile->clock.mult != 0;
	source->page_bytes = datfile->layout.page_bytes;
	source->formats = datfile->formats;
	source->format_count = datfile->format_count;
	source->streams = datfile->streams;
	source->stream_count = datfile->stream_count;
	source->buffer_count = datfile->buffer_count;
	source->data_bytes = opening->extent_bytes;
	found_notes_finish(&datfile->found);
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

	cursor_init_file(&cursor, &datfile->file, 0, datfile->file.bytes);
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
	return stamps_are_plain(&((const struct datfile *)source)->clock);
}
