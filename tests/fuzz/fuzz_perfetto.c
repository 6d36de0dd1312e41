/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a Perfetto trace: as they are, and as what a compressed packet makes. Bytes that
 * begin like a zip archive are one, of which the trace is sought.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "base/xalloc.h"
#include "fuzz_source.h"
#include "fuzz_target.h"
#include "source/file/zip_file.h"
#include "source/perfetto/perfetto_source.h"

#define LENGTHS_MAX  20 /* bytes of tags and lengths */
#define MACHINES_MAX 3

static void open_bytes(const uint8_t *bytes, size_t size)
{
	struct input_file file = {.fd = memfd_create("fuzz", MFD_CLOEXEC), .bytes = size};
	struct source *source = NULL;
	struct buffer why;
	int r;

	assert(file.fd >= 0 && write(file.fd, bytes, size) == (ssize_t)size);
	file.failure = xcalloc(1, sizeof(*file.failure));
	buffer_init(&why, 4096);
	r = perfetto_open(&file, &source, &why);
	for (size_t i = 0; r == 0 && i < source->machine_count && i < MACHINES_MAX; i++) {
		struct source *machine = NULL;
		int opened = source->ops->open_machine(source, i, &machine, &why);

		(void)fuzz_source_read(opened, machine, &why);
	}
	(void)fuzz_source_read(r, source, &why);
	buffer_release(&why);
}

static size_t put_length(uint8_t *to, uint8_t tag_low, uint8_t tag_high, size_t length)
{
	size_t at = 0;

	to[at++] = tag_low;
	if (tag_high)
		to[at++] = tag_high;
	for (; length > 0x7f; length >>= 7)
		to[at++] = (uint8_t)(length | 0x80);
	to[at++] = (uint8_t)length;
	return at;
}

/* As the field 50 of a packet. */
static void open_compressed(const uint8_t *bytes, size_t size)
{
	uLongf packed_size = compressBound(size);
	uint8_t *packed = xmalloc(packed_size), *trace = xmalloc(packed_size + LENGTHS_MAX);
	uint8_t inner[LENGTHS_MAX];
	size_t at, inner_size;
	int r = compress2(packed, &packed_size, bytes, size, 1);

	assert(r == Z_OK);
	inner_size = put_length(inner, 0x92, 3, packed_size);
	at = put_length(trace, 0x0a, 0, inner_size + packed_size);
	memcpy(trace + at, inner, inner_size);
	memcpy(trace + at + inner_size, packed, packed_size);
	open_bytes(trace, at + inner_size + packed_size);
	free(packed);
	free(trace);
}

static void find_in_archive(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct zip_member member;
	struct buffer why;

	assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	buffer_init(&why, 4096);
	if (zip_find_trace(fd, size, &member, &why) < 0)
		assert(why.length > 0 && !strchr(why.text, '\n'));
	else
		assert(member.bytes <= size && member.offset <= size - member.bytes &&
		       memchr(member.name, 0, sizeof(member.name)));
	buffer_release(&why);
	(void)close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	if (zip_is_archive(bytes, size)) {
		find_in_archive(bytes, size);
		return 0;
	}
	open_bytes(bytes, size);
	open_compressed(bytes, size);
	return 0;
}
