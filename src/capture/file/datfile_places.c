/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_places.h"

#include <stdlib.h>

#include "base/xalloc.h"

void datfile_places_init(struct datfile_places *places, const struct stream_index *index)
{
	*places = (struct datfile_places){
		.cpu_count = index->parts.cpu_count,
		.align = index->parts.page_bytes,
		.place = xcalloc((size_t)STREAM_BUFFERS * index->parts.cpu_count + 1,
		                 sizeof(*places->place)),
	};
	for (size_t i = 0; i < index->run_count; i++)
		datfile_place_of(places, index->run[i].buffer, index->run[i].cpu)->bytes +=
			index->run[i].size;
}

void datfile_places_release(struct datfile_places *places)
{
	free(places->place);
	*places = (struct datfile_places){0};
}

struct datfile_place *datfile_place_of(const struct datfile_places *places, uint32_t buffer,
                                       uint32_t cpu)
{
	return &places->place[(size_t)buffer * places->cpu_count + cpu];
}

static uint64_t align_up(uint64_t offset, uint64_t align)
{
	return (offset + align - 1) / align * align;
}

uint64_t datfile_places_pack(struct datfile_places *places, uint64_t offset)
{
	uint64_t end = offset;

	for (size_t i = 0; i < (size_t)STREAM_BUFFERS * places->cpu_count; i++) {
		offset = align_up(end, places->align);
		places->place[i].offset = offset;
		if (places->place[i].bytes > 0)
			end = offset + places->place[i].bytes;
	}
	return end;
}
