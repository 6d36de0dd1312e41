/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_names.h"

#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file/file_read.h"
#include "base/xalloc.h"
#include "recorder/drain/page_census.h"
#include "capture/instance/boot_line.h"
#include "recorder/programs/kernel_symbols.h"
#include "recorder/file/datfile_option.h"
#include "source/file/unpack.h"

#define CHUNK_BYTES (256u << 10)
#define PACKED_MAX  (8u << 20)

/* True if the running kernel is the recorded one, by the line "boot ID". */
static bool boot_is_same(const struct buffer *options)
{
	_cleanup_(freep) char *line = boot_line();
	struct option_place option;
	size_t at = 0;

	while (line && datfile_option_next(options, &at, &option))
		if (option.id == DATFILE_OPTION_VERSION &&
		    memmem(option.text, option.bytes, line, strlen(line)))
			return true;
	return false;
}

static void census_read_run(struct page_census *census, int fd, const struct page_run *run,
                            char *chunk)
{
	size_t page = census->layout.page_bytes;
	size_t step = CHUNK_BYTES / page * page;

	for (uint64_t done = 0; step > 0 && done < run->size; done += step) {
		size_t size = run->size - done < step ? (size_t)(run->size - done) : step;

		if (pread(fd, chunk, size, (off_t)(run->offset + done)) != (ssize_t)size)
			return;
		page_census_add(census, run->cpu, chunk, size);
	}
}

/* Unpacks the chunk at `offset` after checking its sizes. Returns its packed bytes, 0 if
   invalid. */
static uint64_t census_read_chunk(struct page_census *census, unsigned cpu, int fd,
                                  uint64_t offset, uint64_t left)
{
	_cleanup_(freep) char *packed = NULL;
	_cleanup_(freep) char *pages = NULL;
	uint32_t sizes[2];

	if (left < sizeof(sizes) || file_read_all_at(fd, sizes, sizeof(sizes), offset) < 0 ||
	    sizes[0] > left - sizeof(sizes) || sizes[0] > PACKED_MAX || sizes[1] > PACKED_MAX)
		return 0;
	packed = xmalloc(sizes[0] + 1);
	if (file_read_all_at(fd, packed, sizes[0], offset + sizeof(sizes)) < 0 ||
	    !unpack_is_possible(PACKING_ZSTD, packed, sizes[0], sizes[1]))
		return 0;
	pages = xmalloc(sizes[1] + 1);
	if (unpack(PACKING_ZSTD, packed, sizes[0], pages, sizes[1]) == 0)
		page_census_add(census, cpu, pages,
		                sizes[1] - sizes[1] % census->layout.page_bytes);
	return sizeof(sizes) + sizes[0];
}

static void census_read_packed(struct page_census *census, int fd, const struct page_run *run)
{
	uint64_t done = sizeof(uint32_t), chunk = 1;

	for (; chunk > 0 && done < run->size; done += chunk)
		chunk = census_read_chunk(census, run->cpu, fd, run->offset + done,
		                          run->size - done);
}

void stream_names_find(struct stream_index *index, int fd)
{
	_cleanup_(freep) char *chunk = xmalloc(CHUNK_BYTES);
	_cleanup_(freep) uint64_t *function = NULL, *object = NULL;
	struct symbol_wishes wishes;
	struct page_census census;

	if (index->regions.is_settling) /* there is no room for more */
		return;
	if (index->has_symbols || index->parts.symbols_bytes > 0 || !boot_is_same(&index->options))
		return;
	if (page_census_init(&census, index->head.text, index->head.length) == 0) {
		for (size_t i = 0; i < index->run_count; i++)
			if (index->regions.packing == STREAM_PACKED_NOT)
				census_read_run(&census, fd, &index->run[i], chunk);
			else
				census_read_packed(&census, fd, &index->run[i]);
		wishes.function = function =
			page_census_addresses(&census, &wishes.function_count);
		wishes.object = object = page_census_objects(&census, &wishes.object_count);
		(void)kernel_symbols_pick(&wishes, &index->symbols);
	}
	page_census_release(&census);
}
