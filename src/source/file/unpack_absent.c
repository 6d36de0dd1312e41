/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.h for a recorder alone (make RECORDER=1), which reads only its own recordings: these are
 * never compressed.
 */
#include "unpack.h"

#include <errno.h>

bool unpack_is_possible(enum packing packing, const void *head, size_t from_size, size_t to_size)
{
	(void)packing;
	(void)head;
	(void)from_size;
	(void)to_size;
	return false;
}

int unpack(enum packing packing, const void *from, size_t from_size, void *to, size_t to_size)
{
	(void)packing;
	(void)from;
	(void)from_size;
	(void)to;
	(void)to_size;
	return -EBADMSG;
}

enum stream_packer stream_packer_detect(const void *head, size_t size)
{
	(void)head;
	(void)size;
	return PACKER_NONE;
}

struct unpack_stream *unpack_stream_new(enum stream_packer packer, unpack_read read, void *state)
{
	(void)packer;
	(void)read;
	(void)state;
	return NULL;
}

struct unpack_stream *unpack_stream_free(struct unpack_stream *stream)
{
	(void)stream;
	return NULL;
}

ssize_t unpack_stream_read(struct unpack_stream *stream, uint8_t *to, size_t size)
{
	(void)stream;
	(void)to;
	(void)size;
	return -EBADMSG;
}

bool unpack_stream_damage(const struct unpack_stream *stream, struct buffer *to)
{
	(void)stream;
	(void)to;
	return false;
}
