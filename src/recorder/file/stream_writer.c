/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "recorder/drain/page_packer.h"
#include "source/stream/stream_walk.h"

#define FRONT_BYTES    (UINT64_C(1) << 30)
#define REGION_ALIGN   (UINT64_C(1) << 20)
#define REGION_LEAST   (UINT64_C(16) << 20)
/* Enough for a single CPU's part of a recording, even on a larger disk. */
#define REGION_ENOUGH  (UINT64_C(16) << 30)
#define FILE_BYTES_MAX (UINT64_C(1) << 62)
/* Room on the disk that a file of only holes may take, for the tables of its holes. */
#define HOLES_COST_MAX (UINT64_C(1) << 20)
#define STAT_BLOCK_BYTES 512
/* Reserved room in addition to the blocks, of which two copies exist for a while: for later tasks,
   symbols, and a piece of pages while it is moved. */
#define RESERVE_BYTES  (UINT64_C(512) << 10)
#define RESERVE_SHARE  4
#define RESERVE_LEAST  (UINT64_C(64) << 10)
#define REGIONS_BYTES_MAX (256u << 20) /* of the payload of REGIONS */

/* Checks that holes can be punched and that extending the file leaves a hole. */
static int holes_check(int fd, uint64_t bytes)
{
	struct stat file;
	int r = 0;

	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, REGION_ALIGN) < 0 ||
	    ftruncate(fd, (off_t)bytes) < 0)
		return -errno;
	if (fstat(fd, &file) < 0)
		r = -errno;
	else if ((uint64_t)file.st_blocks * STAT_BLOCK_BYTES > HOLES_COST_MAX)
		r = -EOPNOTSUPP;
	return ftruncate(fd, 0) < 0 ? -errno : r;
}

/* Finds the room for a region: the free space of the file system, or less if files may not be that
   large. */
static int room_find(int fd, size_t count, uint64_t *ret)
{
	uint64_t room, least;
	struct rlimit limit;
	struct statvfs disk;
	int r;

	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		return -EFBIG;
	if (fstatvfs(fd, &disk) < 0)
		return -errno;
	room = (uint64_t)disk.f_bfree * disk.f_frsize;
	room = room < REGION_LEAST ? REGION_LEAST : (room + REGION_ALIGN - 1) & ~(REGION_ALIGN - 1);
	least = room < REGION_ENOUGH ? room : REGION_ENOUGH;
	while (room > (FILE_BYTES_MAX - FRONT_BYTES) / count)
		room = room / 2 & ~(REGION_ALIGN - 1);
	while ((r = holes_check(fd, FRONT_BYTES + count * room)) == -EFBIG && room / 2 >= least)
		room = room / 2 & ~(REGION_ALIGN - 1);
	*ret = room;
	return r;
}

static void layout_add_buffer(struct stream_layout *layout, uint32_t buffer, uint64_t room)
{
	layout->first[buffer] = layout->count;
	for (uint32_t cpu = 0; cpu < layout->cpu_count; cpu++) {
		struct layout_region *region = &layout->region[layout->count];

		region->row = (struct stream_region){
			.cpu = cpu,
			.buffer = buffer,
			.offset = FRONT_BYTES + layout->count * room,
			.bytes = room,
		};
		layout->count++;
	}
}

int stream_layout_plan(int fd, uint32_t cpu_count, const bool has_buffer[static STREAM_BUFFERS],
                       struct stream_layout *ret)
{
	struct stream_layout layout = {.cpu_count = cpu_count};
	size_t count = 0;
	uint64_t room = 0;
	int r;

	for (unsigned i = 0; i < STREAM_BUFFERS; i++)
		count += has_buffer[i] ? cpu_count : 0;
	if (count == 0)
		return -EINVAL;
	r = room_find(fd, count, &room);
	if (r < 0)
		return r;
	layout.region = xcalloc(count, sizeof(*layout.region));
	for (uint32_t i = 0; i < STREAM_BUFFERS; i++) {
		layout.first[i] = SIZE_MAX;
		if (has_buffer[i])
			layout_add_buffer(&layout, i, room);
	}
	*ret = layout;
	return 0;
}

void stream_layout_reserve(int fd, uint64_t used)
{
	uint64_t bytes = (2 * used + RESERVE_BYTES + REGION_ALIGN - 1) & ~(REGION_ALIGN - 1);
	struct statvfs disk;

	if (fstatvfs(fd, &disk) < 0 || bytes > FRONT_BYTES / 2)
		return;
	if (bytes > (uint64_t)disk.f_bavail * disk.f_frsize / RESERVE_SHARE)
		bytes = (uint64_t)disk.f_bavail * disk.f_frsize / RESERVE_SHARE;
	bytes &= ~(RESERVE_LEAST - 1);
	if (bytes > 0)
		(void)fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)(FRONT_BYTES - bytes),
		                (off_t)bytes);
}

void stream_layout_release(struct stream_layout *layout)
{
	free(layout->region);
	*layout = (struct stream_layout){0};
}

struct layout_region *stream_layout_find(struct stream_layout *layout, unsigned id)
{
	unsigned cpu = id & 0xffff, buffer = id >> 16;

	if (buffer >= STREAM_BUFFERS || layout->first[buffer] == SIZE_MAX ||
	    cpu >= layout->cpu_count)
		return NULL;
	return &layout->region[layout->first[buffer] + cpu];
}

void stream_layout_describe(const struct stream_layout *layout, struct buffer *to)
{
	const struct stream_regions head = {.packing = layout->packing};

	buffer_append(to, &head, sizeof(head));
	for (size_t i = 0; i < layout->count; i++)
		buffer_append(to, &layout->region[i].row, sizeof(layout->region[i].row));
}

/* `offset` matters only with a layout. */
static int writer_put_at(struct stream_writer *writer, const void *bytes, size_t size,
                         uint64_t offset)
{
	const char *from = bytes;

	while (size > 0) {
		ssize_t written;

		if (writer->interrupts && *writer->interrupts >= writer->interrupt_limit)
			return -EINTR;
		written = writer->layout ? pwrite(writer->fd, from, size, (off_t)offset)
		                         : write(writer->fd, from, size);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		from += written;
		size -= (size_t)written;
		offset += (uint64_t)written;
		writer->bytes += (uint64_t)written;
	}
	if (offset > writer->end)
		writer->end = offset;
	return 0;
}

static int writer_put(struct stream_writer *writer, const void *bytes, size_t size)
{
	int r = writer_put_at(writer, bytes, size, writer->next);

	writer->next += size;
	return r;
}

/* Detects that another process has cut the file: the next write would leave a hole, and the file
   would look whole. */
static void writer_check_cut(struct stream_writer *writer)
{
	struct stat file;

	if (writer->is_file && fstat(writer->fd, &file) == 0 &&
	    (uint64_t)file.st_size < (writer->layout ? writer->end : writer->bytes))
		writer->is_cut = true;
}

static int writer_put_header(struct stream_writer *writer, enum stream_block_type type,
                             unsigned id, size_t size)
{
	struct stream_block block = {
		.mark = STREAM_BLOCK_MARK,
		.type = type,
		.cpu = id & 0xffff,
		.buffer = id >> 16,
		.size = size,
	};

	if (writer->is_swapped)
		block = stream_block_load((const uint8_t *)&block, true);
	writer_check_cut(writer);
	return writer_put(writer, &block, sizeof(block));
}

int stream_writer_begin(struct stream_writer *writer, int fd)
{
	*writer = (struct stream_writer){.fd = fd};
	return writer_put(writer, STREAM_MAGIC, STREAM_MAGIC_BYTES);
}

int stream_writer_begin_layout(struct stream_writer *writer, int fd, struct stream_layout *layout)
{
	const struct stream_jump jump = {.offset = LAYOUT_JOURNAL_AT};
	int r;

	*writer = (struct stream_writer){.fd = fd, .layout = layout};
	r = writer_put(writer, STREAM_MAGIC, STREAM_MAGIC_BYTES);
	if (r == 0)
		r = stream_writer_block(writer, STREAM_JUMP, 0, &jump, sizeof(jump));
	writer->next = LAYOUT_JOURNAL_AT;
	return r;
}

/* Counts a chunk only once it is written, so the region is valid at any moment. */
static int writer_put_packed(struct stream_writer *writer, struct layout_region *region,
                             const void *bytes, size_t size)
{
	const void *chunk;
	size_t packed;
	int r = page_packer_pack(writer->packer, bytes, size, &chunk, &packed);

	if (r < 0)
		return r;
	if (region->used == 0)
		region->used = sizeof(region->chunks);
	if (packed > region->row.bytes - region->used)
		return -EFBIG;
	r = writer_put_at(writer, chunk, packed, region->row.offset + region->used);
	if (r < 0)
		return r;
	region->used += packed;
	region->chunks++;
	return writer_put_at(writer, &region->chunks, sizeof(region->chunks), region->row.offset);
}

static int writer_put_pages(struct stream_writer *writer, unsigned id, const void *bytes,
                            size_t size)
{
	struct layout_region *region = stream_layout_find(writer->layout, id);
	int r;

	if (!region)
		return -EINVAL;
	if (size > region->row.bytes - region->used)
		return -EFBIG;
	writer_check_cut(writer);
	if (writer->packer)
		return writer_put_packed(writer, region, bytes, size);
	r = writer_put_at(writer, bytes, size, region->row.offset + region->used);
	region->used += size;
	return r;
}

int stream_writer_block(struct stream_writer *writer, enum stream_block_type type, unsigned id,
                        const void *bytes, size_t size)
{
	int r;

	if (writer->layout && type == STREAM_PAGES)
		return writer_put_pages(writer, id, bytes, size);
	r = writer_put_header(writer, type, id, size);
	return r < 0 ? r : writer_put(writer, bytes, size);
}

int stream_writer_head(struct stream_writer *writer, const void *head, size_t size)
{
	_cleanup_(buffer_release) struct buffer regions = buffer_of(REGIONS_BYTES_MAX);
	int r = stream_writer_block(writer, STREAM_HEAD, 0, head, size);

	if (r < 0 || !writer->layout)
		return r;
	stream_layout_describe(writer->layout, &regions);
	return stream_writer_block(writer, STREAM_REGIONS, 0, regions.text, regions.length);
}

void stream_option_append(struct buffer *to, uint16_t id, const void *bytes, size_t size)
{
	uint32_t length = (uint32_t)size;

	buffer_append(to, &id, sizeof(id));
	buffer_append(to, &length, sizeof(length));
	buffer_append(to, bytes, size);
}
