/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shot_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/file/file_io.h"
#include "base/text/parse.h"
#include "base/version.h"
#include "base/xalloc.h"
#include "ftwait/stream.h"
#include "recorder/drain/page_packer.h"
#include "recorder/file/datfile_head.h"
#include "recorder/file/datfile_writer.h"
#include "recorder/file/stream_writer.h"
#include "recorder/run/record_output.h"

/* Turns the number and the length of each option of a stream of the other byte order (the payload
   of STREAM_OPTIONS) into this machine's byte order, or, if not `is_in`, back into the other one.
   What is in the options stays. */
static void foreign_options_turn(struct buffer *options, bool is_in)
{
	uint8_t *at = (uint8_t *)options->text, *end = at + options->length;
	uint16_t id;
	uint32_t bytes;

	while ((size_t)(end - at) >= sizeof(id) + sizeof(bytes)) {
		size_t size;

		id = load_u16(at, /* is_swapped= */ true);
		bytes = load_u32(at + sizeof(id), /* is_swapped= */ true);
		size = is_in ? bytes : load_u32(at + sizeof(id), /* is_swapped= */ false);
		memcpy(at, &id, sizeof(id));
		memcpy(at + sizeof(id), &bytes, sizeof(bytes));
		at += sizeof(id) + sizeof(bytes);
		at += size < (size_t)(end - at) ? size : (size_t)(end - at);
	}
}

/* Lines of option VERSION that hold when the stream begins, and not later. */
static const char *const outdated[] = {
	"task", "read", "place", "still", "process", "end-process", "end-place", "cgroup", "pids",
	"waits", "program", "realtime", "path",
};

static bool line_is_outdated(const char *line, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(outdated); i++) {
		size_t word = strlen(outdated[i]);

		if (length > word && line[word] == ' ' && memcmp(line, outdated[i], word) == 0)
			return true;
	}
	return false;
}

static void version_append(struct buffer *to, const struct option_place *option)
{
	_cleanup_(buffer_release) struct buffer kept = buffer_of(option->bytes + 1);
	const char *at = option->text, *end = at + strnlen(at, option->bytes);

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *next = newline ? newline + 1 : end;

		if (!line_is_outdated(at, (size_t)(next - at)))
			buffer_append(&kept, at, (size_t)(next - at));
		at = next;
	}
	stream_option_append(to, option->id, kept.text, kept.length + 1);
}

static int options_take(const struct stream_block *block, const char *payload, bool is_swapped,
                        int (*take)(void *state, const struct stream_block *block,
                                    const void *payload),
                        void *state)
{
	_cleanup_(buffer_release) struct buffer options = buffer_of((size_t)block->size + 1);
	_cleanup_(buffer_release) struct buffer kept = buffer_of((size_t)block->size + 1);
	struct stream_block changed = *block;
	struct option_place option;
	size_t at = 0;

	buffer_append(&options, payload, (size_t)block->size);
	if (is_swapped)
		foreign_options_turn(&options, /* is_in= */ true);
	while (datfile_option_next(&options, &at, &option)) {
		if (option.id == DATFILE_OPTION_VERSION)
			version_append(&kept, &option);
		else
			stream_option_append(&kept, option.id, option.text, option.bytes);
	}
	if (is_swapped)
		foreign_options_turn(&kept, /* is_in= */ false);
	changed.size = kept.length;
	return take(state, &changed, kept.text);
}

/* Calls `take` for each block of the preface, the begin of a stream (head and options), as of a
   recording that begins later: what it says of tasks at that time is left out. Stops when `take`
   returns a negative number, which is returned then; else 0. `is_whole`: nothing is left out;
   `is_swapped`: as in struct stream_ring. */
static int shot_preface_read(const struct buffer *preface, bool is_whole, bool is_swapped,
                             int (*take)(void *state, const struct stream_block *block,
                             const void *payload), void *state)
{
	const char *at = preface->text, *end = at + preface->length;
	int r = 0;

	while (r >= 0 && (size_t)(end - at) >= sizeof(struct stream_block)) {
		struct stream_block block;

		memcpy(&block, at, sizeof(block));
		at += sizeof(block);
		if (block.size > (size_t)(end - at))
			break;
		if (!is_whole && block.type == STREAM_OPTIONS)
			r = options_take(&block, at, is_swapped, take, state);
		else if (is_whole || block.type != STREAM_CMDLINES)
			r = take(state, &block, at);
		at += block.size;
	}
	return r < 0 ? r : 0;
}

#define OPTIONS_BYTES_MAX (UINT64_C(256) << 20)

/* A file that is being written. */
struct shot_writer {
	const struct shot *shot;
	struct stream_writer stream;
	struct stream_layout layout;
	struct page_packer *packer;
	struct record_output output;
};

static int block_write(void *state, const struct stream_block *block, const void *payload)
{
	struct shot_writer *writer = state;

	return stream_writer_block(&writer->stream, (enum stream_block_type)block->type,
	                           block->type == STREAM_PAGES
	                                   ? STREAM_ID(block->buffer, block->cpu)
	                                   : 0,
	                           payload, (size_t)block->size);
}

/* The number of CPUs ends the head. */
static uint32_t head_cpu_count(const struct stream_block *head, const void *payload)
{
	uint32_t count = 0;

	if (head->size >= sizeof(count))
		memcpy(&count, (const uint8_t *)payload + head->size - sizeof(count),
		       sizeof(count));
	return count;
}

static void packing_begin(struct shot_writer *writer)
{
	if (!writer->shot->is_packed || writer->layout.count == 0)
		return;
	writer->packer = page_packer_new();
	if (writer->packer)
		writer->layout.packing = STREAM_PACKED_ZSTD;
}

static int layout_plan(struct shot_writer *writer, uint32_t cpu_count)
{
	const struct stream_ring *ring = writer->shot->ring;
	int r;

	if (ring->is_swapped)
		return -EOPNOTSUPP; /* regions have this machine's order */
	r = stream_layout_plan(writer->output.fd, cpu_count, ring->has_buffer, &writer->layout);
	packing_begin(writer);
	return r;
}

/* As the recorder does: pages are written at their final places, if the file can have holes. */
static int head_write(void *state, const struct stream_block *head, const void *payload)
{
	struct shot_writer *writer = state;
	struct stream_writer *stream = &writer->stream;
	int fd = writer->output.fd, r;

	if (head->type != STREAM_HEAD)
		return block_write(writer, head, payload);
	r = layout_plan(writer, head_cpu_count(head, payload));
	r = r == 0 ? stream_writer_begin_layout(stream, fd, &writer->layout)
	           : stream_writer_begin(stream, fd);
	stream->packer = writer->packer;
	stream->is_file = true;
	stream->is_swapped = writer->shot->ring->is_swapped;
	return r == 0 ? stream_writer_head(stream, payload, (size_t)head->size) : r;
}

/* What the oldest chapter begins with, and what was known when the ring was saved. */
static int descriptions_write(struct shot_writer *writer)
{
	const struct ring_chapter *first = &writer->shot->ring->chapter[0];
	_cleanup_(buffer_release) struct buffer version = buffer_of(OPTIONS_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer options = buffer_of(OPTIONS_BYTES_MAX);
	int r;

	buffer_printf(&version, STREAM_VERSION_WORD "%s\n", ftwait_version);
	if (first->version.length > 0) /* those of the first chapter are in the preface */
		buffer_append(&version, first->version.text, first->version.length);
	buffer_append(&version, writer->shot->version->text, writer->shot->version->length);
	stream_option_append(&options, DATFILE_OPTION_VERSION, version.text, version.length + 1);
	if (writer->stream.is_swapped)
		foreign_options_turn(&options, /* is_in= */ false);
	r = stream_writer_block(&writer->stream, STREAM_OPTIONS, 0, options.text, options.length);
	if (r == 0 && first->cmdlines.length > 0)
		r = stream_writer_block(&writer->stream, STREAM_CMDLINES, 0, first->cmdlines.text,
		                        first->cmdlines.length);
	return r;
}

static int shot_write(struct shot_writer *writer)
{
	const struct stream_ring *ring = writer->shot->ring;
	int r = shot_preface_read(&ring->preface, stream_ring_begin(ring) == 0,
	                          ring->is_swapped, head_write, writer);

	if (r == 0)
		r = descriptions_write(writer);
	if (r == 0)
		r = stream_ring_read(ring, block_write, writer);
	if (r == 0)
		r = stream_writer_block(&writer->stream, STREAM_END, 0, "", 0);
	return r;
}

int shot_file_write(const struct shot *shot, const char *path, uint64_t *ret_bytes,
                    struct buffer *why)
{
	struct shot_writer writer = {.shot = shot, .output.fd = -1};
	struct stat file;
	int r = shot->is_new ? record_output_open_new(path, &writer.output, why)
	                     : record_output_open(path, &writer.output, why);

	if (r < 0)
		return r;
	r = shot_write(&writer);
	if (r < 0)
		buffer_printf(why, "cannot write to %s: %s", path, strerror(-r));
	if (r == 0 && !shot->ring->is_swapped)
		r = datfile_conclude(writer.output.fd, path, &(struct settle_options){0}, why);
	/* also where it is not complete, the file is one of this process */
	if (r < 0 && file_is_at(writer.output.fd, path))
		(void)unlink(path);
	else if (r >= 0 && stat(path, &file) == 0)
		*ret_bytes = (uint64_t)file.st_size;
	record_output_close(&writer.output);
	stream_layout_release(&writer.layout);
	page_packer_free(writer.packer);
	return r < 0 ? r : 0;
}

#define NUMBER_MAX UINT64_C(1000000000)

/* The number in "PREFIX.N.SUFFIX"; 0: the name is another one. */
static uint64_t name_number(const char *name, const char *prefix, const char *suffix)
{
	size_t before = strlen(prefix), after = strlen(suffix), length = strlen(name);
	_cleanup_(freep) char *digits = NULL;
	uint64_t number;

	if (length <= before + after || strncmp(name, prefix, before) != 0 ||
	    strcmp(name + length - after, suffix) != 0)
		return 0;
	digits = xstrndup(name + before, length - before - after);
	/* not the number in another way of writing, which would be another file */
	if (digits[0] == '0' || strspn(digits, "0123456789") != strlen(digits) ||
	    parse_u64(digits, &number) < 0 || number > NUMBER_MAX)
		return 0;
	return number;
}

ORDER_FUNCTION(file_compare, struct shot_file, RISING(x, y, number))

void shot_names_add(struct shot_names *names, uint64_t number)
{
	_cleanup_(freep) char *path = shot_names_path(names, number);
	struct stat file;

	if (lstat(path, &file) < 0 || !S_ISREG(file.st_mode))
		file.st_blocks = 0;
	ARRAY_ADD(names->file, names->count, names->capacity) = (struct shot_file){
		.number = number,
		.bytes = (uint64_t)file.st_blocks * 512,
	};
}

void shot_names_init(struct shot_names *names, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	_cleanup_(freep) char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1)
	                                      : xstrdup(".");
	_cleanup_(closedirp) DIR *entries = NULL;
	struct dirent *entry;

	*names = (struct shot_names){.suffix = dot && dot > name ? dot : ""};
	names->prefix = xasprintf("%.*s.", (int)(strlen(path) - strlen(names->suffix)), path);
	entries = opendir(folder);
	while (entries && (entry = readdir(entries))) {
		uint64_t number = name_number(entry->d_name, names->prefix + (name - path),
		                              names->suffix);

		if (number > 0)
			shot_names_add(names, number);
	}
	array_sort(names->file, names->count, sizeof(*names->file), file_compare);
}

void shot_names_release(struct shot_names *names)
{
	free(names->prefix);
	free(names->file);
	*names = (struct shot_names){0};
}

uint64_t shot_names_next(const struct shot_names *names)
{
	return names->count ? names->file[names->count - 1].number + 1 : 1;
}

char *shot_names_path(const struct shot_names *names, uint64_t number)
{
	return xasprintf("%s%llu%s", names->prefix, (unsigned long long)number, names->suffix);
}

size_t shot_names_trim(struct shot_names *names, uint64_t bytes_max)
{
	uint64_t bytes = 0;
	size_t removed = 0;

	for (size_t i = 0; i < names->count; i++)
		bytes += names->file[i].bytes;
	while (bytes > bytes_max && removed + 1 < names->count) {
		_cleanup_(freep) char *path = shot_names_path(names, names->file[removed].number);

		(void)unlink(path);
		bytes -= names->file[removed++].bytes;
	}
	names->count -= removed;
	memmove(names->file, names->file + removed, names->count * sizeof(*names->file));
	return removed;
}
