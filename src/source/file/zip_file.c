/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "zip_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/file_io.h"
#include "base/xalloc.h"
#include "foreign_file.h"
#include "source/text/text_probe.h"

/* Of the format: what ends the archive, what lists a member, what stands before its data. */
#define END_MAGIC      0x06054b50u
#define END_BYTES      22
#define COMMENT_MAX    UINT16_MAX
#define LISTED_MAGIC   0x02014b50u
#define LISTED_BYTES   46
#define LOCAL_MAGIC    0x04034b50u
#define LOCAL_BYTES    30
#define FLAG_ENCRYPTED 1u
#define METHOD_STORED  0
#define METHOD_DEFLATE 8
#define IS_IN_ZIP64    UINT32_MAX

#define DIRECTORY_MAX (64u << 20)
#define HEAD_BYTES    1024
#define TEXT_BYTES    (64u << 10) /* of a text, in which an event must be */
#define NAMES_SHOWN   3
#define PIECE_BYTES   (64u << 10)

/* How surely a member is a trace. */
enum likelihood {
	NO_TRACE,
	LIKE_TEXT,  /* it has lines of ftrace */
	LIKE_TRACE, /* it begins like a trace */
	NAMED_TRACE,
};

struct zip {
	int fd;
	uint64_t directory; /* where the members end */
	struct zip_member best;
	enum likelihood best_is;
	size_t best_count; /* members as likely as the best one */
	size_t unread;     /* those that cannot be read */
	char name[NAMES_SHOWN][ZIP_NAME_BYTES];
};

/* The data of a member, as they come. */
struct member_feed {
	int fd;
	uint64_t offset, left;
};

static uint16_t u16(const uint8_t *at)
{
	return load_u16(at, byte_order_is_big());
}

static uint32_t u32(const uint8_t *at)
{
	return load_u32(at, byte_order_is_big());
}

bool zip_is_archive(const void *head, size_t bytes)
{
	return bytes >= 4 && (u32(head) == LOCAL_MAGIC || u32(head) == END_MAGIC);
}

static ssize_t feed_read(void *state, uint8_t *to, size_t size)
{
	struct member_feed *feed = state;
	ssize_t got;

	size = size < feed->left ? size : (size_t)feed->left;
	got = (ssize_t)file_read_at(feed->fd, to, size, feed->offset);
	if (got > 0) {
		feed->offset += (uint64_t)got;
		feed->left -= (uint64_t)got;
	}
	return got;
}

/* The first bytes that the member unpacks to; returns how many. */
static size_t member_head(const struct zip *zip, const struct zip_member *member, uint8_t *to,
                          size_t size)
{
	struct member_feed feed = {zip->fd, member->offset, member->bytes};
	struct unpack_stream *unpack = NULL;
	size_t have = 0;
	ssize_t got = 1;

	if (member->packer != PACKER_NONE) {
		unpack = unpack_stream_new(member->packer, feed_read, &feed);
		if (!unpack)
			return 0;
	}
	while (have < size && got > 0) {
		got = unpack ? unpack_stream_read(unpack, to + have, size - have)
		             : feed_read(&feed, to + have, size - have);
		have += got > 0 ? (size_t)got : 0;
	}
	(void)unpack_stream_free(unpack);
	return have;
}

static bool name_ends(const char *name, size_t length, const char *end)
{
	size_t bytes = strlen(end);

	return length >= bytes && memcmp(name + length - bytes, end, bytes) == 0;
}

static bool name_is_of_trace(const char *name)
{
	static const char *const ends[] = {".perfetto-trace", ".pftrace", ".perfetto_trace",
	                                   ".dat"};
	size_t length = strlen(name);

	if (name_ends(name, length, ".gz"))
		length -= 3;
	else if (name_ends(name, length, ".zst"))
		length -= 4;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (name_ends(name, length, ends[i]))
			return true;
	return strstr(name, "perfetto-traces/");
}

/* Texts of a bug report mention events, and so may lines of a log: these are traces only if nothing
   else is. */
static enum likelihood member_likelihood(const struct zip *zip, struct zip_member *member)
{
	_cleanup_(freep) uint8_t *head = xmalloc(TEXT_BYTES);
	size_t bytes = member_head(zip, member, head, HEAD_BYTES);
	enum stream_packer packer = stream_packer_detect(head, bytes);
	enum trace_kind kind = trace_kind_of(head, bytes);

	/* what follows the end of a stream is not copied */
	member->is_plain = packer == PACKER_NONE && kind != TRACE_STREAM;
	if (kind != TRACE_UNKNOWN || packer == PACKER_ATRACE || packer == PACKER_JSON)
		return name_is_of_trace(member->name) ? NAMED_TRACE : LIKE_TRACE;
	if (packer != PACKER_NONE)
		return name_is_of_trace(member->name) ? NAMED_TRACE : NO_TRACE;
	if (bytes == 0 || !text_probe_is_text(head, bytes))
		return NO_TRACE;
	bytes = member_head(zip, member, head, TEXT_BYTES);
	return text_probe_has_event((const char *)head, bytes) ? LIKE_TEXT : NO_TRACE;
}

static void member_take(struct zip *zip, struct zip_member *member)
{
	enum likelihood likelihood = member_likelihood(zip, member);

	if (likelihood == NO_TRACE || likelihood < zip->best_is)
		return;
	if (likelihood > zip->best_is) {
		zip->best = *member;
		zip->best_is = likelihood;
		zip->best_count = 0;
	}
	if (zip->best_count < NAMES_SHOWN)
		memcpy(zip->name[zip->best_count], member->name, sizeof(member->name));
	zip->best_count++;
}

/* Reads where the listed member's data are; false: what stands there is another one. */
static bool member_locate(const struct zip *zip, const uint8_t *listed, struct zip_member *ret)
{
	uint8_t local[LOCAL_BYTES];
	uint64_t at = u32(listed + 42), left;

	if (at + sizeof(local) > zip->directory ||
	    file_read_all_at(zip->fd, local, sizeof(local), at) < 0 || u32(local) != LOCAL_MAGIC ||
	    u16(local + 8) != u16(listed + 10) || u16(local + 26) != u16(listed + 28))
		return false;
	left = zip->directory - at - sizeof(local);
	at += sizeof(local) + u16(local + 26) + u16(local + 28);
	if (left < u16(local + 26) + (uint64_t)u16(local + 28) || ret->bytes > zip->directory - at)
		return false;
	ret->offset = at;
	return true;
}

/* `listed` has the whole entry with its name. */
static void member_see(struct zip *zip, const uint8_t *listed)
{
	uint16_t method = u16(listed + 10), length = u16(listed + 28);
	struct zip_member member = {
		.crc = u32(listed + 16),
		.bytes = u32(listed + 20),
		.unpacked = u32(listed + 24),
		.packer = method == METHOD_DEFLATE ? PACKER_DEFLATE : PACKER_NONE,
	};

	for (size_t i = 0; i < length && i < sizeof(member.name) - 1; i++) {
		uint8_t byte = listed[LISTED_BYTES + i];

		member.name[i] = byte > ' ' && byte < 0x7f && byte != '\'' ? (char)byte : '?';
	}
	if (member.unpacked == 0)
		return;
	if ((u16(listed + 8) & FLAG_ENCRYPTED) || member.bytes == IS_IN_ZIP64 ||
	    member.unpacked == IS_IN_ZIP64 ||
	    (method != METHOD_DEFLATE && method != METHOD_STORED) ||
	    (method == METHOD_STORED && member.bytes != member.unpacked) ||
	    !member_locate(zip, listed, &member))
		zip->unread++;
	else
		member_take(zip, &member);
}

/* Finds the directory by what ends the archive. */
static bool directory_find(int fd, uint64_t bytes, uint64_t *ret_at, size_t *ret_bytes)
{
	size_t size = bytes < END_BYTES + COMMENT_MAX ? (size_t)bytes : END_BYTES + COMMENT_MAX;
	_cleanup_(freep) uint8_t *tail = xmalloc(size + 1);

	if (size < END_BYTES || file_read_all_at(fd, tail, size, bytes - size) < 0)
		return false;
	for (size_t at = size - END_BYTES + 1; at-- > 0;) {
		const uint8_t *end = tail + at;

		if (u32(end) != END_MAGIC || u16(end + 20) != size - at - END_BYTES)
			continue;
		bytes -= size - at; /* what is before the end */
		*ret_bytes = u32(end + 12);
		*ret_at = u32(end + 16);
		return *ret_at <= bytes && *ret_bytes <= bytes - *ret_at &&
		       *ret_bytes <= DIRECTORY_MAX;
	}
	return false;
}

/* Sees the members in the directory; false: it is damaged. */
static bool directory_see(struct zip *zip, const uint8_t *directory, size_t bytes)
{
	while (bytes > 0) {
		size_t size = LISTED_BYTES;

		if (bytes < size || u32(directory) != LISTED_MAGIC)
			return false;
		size += (size_t)u16(directory + 28) + u16(directory + 30) + u16(directory + 32);
		if (bytes < size)
			return false;
		member_see(zip, directory);
		directory += size;
		bytes -= size;
	}
	return true;
}

static int zip_complain(const struct zip *zip, struct buffer *why)
{
	if (zip->best_count == 0) {
		buffer_puts(why, "it is a zip archive without a trace that ftwait reads");
		if (zip->unread > 0)
			buffer_printf(why, "; members that are encrypted, damaged or packed in "
			                   "another way: %zu", zip->unread);
		return -ENODATA;
	}
	buffer_printf(why, "it is a zip archive with %zu traces: ", zip->best_count);
	for (size_t i = 0; i < zip->best_count && i < NAMES_SHOWN; i++)
		buffer_printf(why, "%s%s", i ? ", " : "", zip->name[i]);
	return buffer_fail(why, -EINVAL, "%s; choose one: unzip -p FILE '%s' | ftwait report -",
	                   zip->best_count > NAMES_SHOWN ? " ..." : "", zip->name[0]);
}

int zip_find_trace(int fd, uint64_t bytes, struct zip_member *ret, struct buffer *why)
{
	_cleanup_(freep) uint8_t *directory = NULL;
	struct zip *zip = xcalloc(1, sizeof(*zip));
	size_t size = 0;
	int r = 0;

	zip->fd = fd;
	if (!directory_find(fd, bytes, &zip->directory, &size)) {
		buffer_puts(why, "it is a zip archive without an end: it is damaged or cut short");
		r = -EBADMSG;
	}
	if (r == 0) {
		directory = xmalloc(size + 1);
		r = file_read_all_at(fd, directory, size, zip->directory);
		if (r < 0)
			buffer_printf(why, "cannot read the list of its members: %s", strerror(-r));
		else if (!directory_see(zip, directory, size)) {
			buffer_puts(why, "it is a zip archive with a damaged list of its members");
			r = -EBADMSG;
		}
	}
	if (r == 0 && zip->best_count != 1)
		r = zip_complain(zip, why);
	*ret = zip->best;
	free(zip);
	return r;
}

static uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t size)
{
	static const uint32_t of_digit[] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		crc = crc >> 4 ^ of_digit[crc & 15];
		crc = crc >> 4 ^ of_digit[crc & 15];
	}
	return crc;
}

bool zip_member_is_damaged(const struct zip_member *member, int unpacked)
{
	_cleanup_(freep) uint8_t *piece = xmalloc(PIECE_BYTES);
	uint32_t crc = UINT32_MAX;
	uint64_t at = 0;
	int64_t got;

	while (member->is_plain && (got = file_read_at(unpacked, piece, PIECE_BYTES, at)) > 0) {
		crc = crc_add(crc, piece, (size_t)got);
		at += (uint64_t)got;
	}
	return member->is_plain && (at != member->unpacked || ~crc != member->crc);
}
