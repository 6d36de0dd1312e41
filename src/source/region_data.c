/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "region_data.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/file/file_read.h"

#define PAGE_HEAD_BYTES  16u /* the stamp and the commit of an empty page are 0 */
#define CHUNK_HEAD_BYTES 8u
#define LOOKS_MAX        256u /* at single empty pages before a hole; blocks of file systems are
                                 larger than pages */

/* The end of the last piece within [offset, end) that is no hole; `end` if it cannot be found
   out. */
static uint64_t holes_begin(int fd, uint64_t offset, uint64_t end)
{
	uint64_t filled = offset;
	off_t data = lseek(fd, (off_t)offset, SEEK_DATA);

	while (data >= 0 && (uint64_t)data < end) {
		off_t hole = lseek(fd, data, SEEK_HOLE);

		if (hole <= data)
			return end;
		filled = (uint64_t)hole < end ? (uint64_t)hole : end;
		data = lseek(fd, hole, SEEK_DATA);
	}
	return data < 0 && errno != ENXIO ? end : filled;
}

static bool page_is_empty(int fd, uint64_t offset)
{
	uint64_t head[PAGE_HEAD_BYTES / sizeof(uint64_t)];

	return file_read_all_at(fd, head, sizeof(head), offset) == 0 && head[0] == 0 &&
	       head[1] == 0;
}

/* How many pages of `count` precede the first empty one. */
static uint64_t pages_before_empty(int fd, uint64_t offset, uint64_t count, uint32_t page_bytes)
{
	/* all pages before `full` are full; page `empty - 1` is the next one to check */
	uint64_t full = 0, empty = 1;

	while (empty <= count && !page_is_empty(fd, offset + (empty - 1) * page_bytes)) {
		full = empty;
		empty *= 2;
	}
	if (empty > count)
		empty = count + 1;
	while (empty - full > 1) {
		uint64_t middle = full + (empty - full) / 2;

		if (page_is_empty(fd, offset + (middle - 1) * page_bytes))
			empty = middle;
		else
			full = middle;
	}
	return full;
}

uint64_t region_data_pages(int fd, uint64_t offset, uint64_t bytes, uint32_t page_bytes)
{
	uint64_t filled = holes_begin(fd, offset, offset + bytes) - offset;
	uint64_t pages = filled / page_bytes;

	/* a page that is cut off was never complete */
	for (unsigned looks = 0; pages > 0; looks++) {
		if (!page_is_empty(fd, offset + (pages - 1) * page_bytes))
			break;
		pages--;
		if (looks == LOOKS_MAX)
			pages = pages_before_empty(fd, offset, pages, page_bytes);
	}
	return pages * page_bytes;
}

uint64_t region_data_packed(int fd, uint64_t offset, uint64_t bytes)
{
	uint64_t done = sizeof(uint32_t);
	uint32_t count, sizes[2];

	if (bytes < done || file_read_all_at(fd, &count, sizeof(count), offset) < 0 || count == 0)
		return 0;
	for (; count > 0 && bytes - done >= CHUNK_HEAD_BYTES; count--) {
		if (file_read_all_at(fd, sizes, sizeof(sizes), offset + done) < 0 ||
		    sizes[0] > bytes - done - CHUNK_HEAD_BYTES)
			break;
		done += CHUNK_HEAD_BYTES + sizes[0];
	}
	return done;
}
