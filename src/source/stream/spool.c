/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/file/file_io.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "ftwait/stream.h"
#include "source/file/foreign_file.h"
#include "source/file/unpack.h"
#include "source/text/text_probe.h"

#define SPOOL_BYTES (256u << 10)
#define MEMORY_MAX  (UINT64_C(8) << 20) /* larger copies go to TMPDIR */
#define RESERVE_MAX (UINT64_C(64) << 20)
#define JUNK_MAX    (UINT64_C(16) << 20) /* foreign bytes without a block: more than any block has
                                            except the first */

#define LAYERS_MAX     4 /* a member of an archive, which is packed JSON */
#define PROGRESS_BYTES (UINT64_C(16) << 20)

/* Bytes as they come, or what another layer's unpack to: JSON may be packed, too. */
struct spool_layer {
	struct spool *spool;
	struct unpack_stream *unpack; /* NULL: of the first */
	uint8_t head[STREAM_PACKER_HEAD_BYTES]; /* read to detect packing */
	size_t head_at, head_bytes;
};

struct spool {
	int from, fd; /* from -1: a store */
	uint64_t left; /* bytes of `from` that are still wanted */
	struct spool_layer layer[LAYERS_MAX];
	unsigned top; /* the last layer; 0: it is not packed */
	bool is_in_memory;
	bool is_swapped; /* streams: the byte order of the last block */
	const char *folder;
	uint64_t bytes;      /* copied so far */
	uint64_t next_block; /* streams: offset of the next block; UINT64_MAX: no stream */
	uint64_t lost_at;    /* streams: where foreign bytes began; UINT64_MAX: nowhere */
	uint64_t stop;       /* streams: end of what is wanted; UINT64_MAX: not known yet */
	nsec_t first_reached; /* streams: how far it first said it got; 0: it has not said so */
	struct spool_progress progress;
	struct buffer *why;
};

static void (*progress_callback)(const struct spool_progress *progress);

void spool_on_progress(void (*callback)(const struct spool_progress *progress))
{
	progress_callback = callback;
}

static bool (*interrupt_callback)(void);

void spool_on_interrupt(bool (*has_ended)(void))
{
	interrupt_callback = has_ended;
}

static void spool_tell_progress(struct spool *spool)
{
	spool->progress.bytes = spool->bytes;
	if (progress_callback)
		progress_callback(&spool->progress);
}

/* The input that is being copied, for messages. */
static const char *spool_what(const struct spool *spool)
{
	return spool->top > 0 || spool->from < 0 ? "what it unpacks to" : "the pipe's bytes";
}

/* A file in TMPDIR. */
static int spool_open_file(struct spool *spool)
{
	_cleanup_(freep) char *path = xasprintf("%s/ftwait-XXXXXX", spool->folder);

	spool->fd = mkostemp(path, O_CLOEXEC);
	if (spool->fd < 0) {
		int r = -errno;

		return buffer_fail(spool->why, r, "cannot keep %s in %s: %s; set TMPDIR to a "
		                   "directory that takes that", spool_what(spool), path,
		                   strerror(-r));
	}
	(void)unlink(path);
	return 0;
}

/* Small copies need no folder at all. */
static int spool_open(struct spool *spool)
{
	spool->fd = memfd_create("ftwait", MFD_CLOEXEC);
	spool->is_in_memory = spool->fd >= 0;
	return spool->is_in_memory ? 0 : spool_open_file(spool);
}

/* At most `size` bytes as they come; 0 at the end of the input. */
static ssize_t spool_read_plain(struct spool *spool, uint8_t *to, size_t size)
{
	ssize_t got;

	if (size > spool->left)
		size = (size_t)spool->left;
	do {
		if (size == 0 || (interrupt_callback && interrupt_callback()))
			return 0;
		got = read(spool->from, to, size);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		got = -errno;
		buffer_printf(spool->why, "cannot read it: %s", strerror((int)-got));
	} else {
		spool->left -= (uint64_t)got;
	}
	return got;
}

static ssize_t layer_read(void *state, uint8_t *to, size_t size)
{
	struct spool_layer *layer = state;
	size_t left = layer->head_bytes - layer->head_at;

	if (left == 0)
		return layer->unpack ? unpack_stream_read(layer->unpack, to, size)
		                     : spool_read_plain(layer->spool, to, size);
	size = size < left ? size : left;
	memcpy(to, layer->head + layer->head_at, size);
	layer->head_at += size;
	return (ssize_t)size;
}

static ssize_t spool_read(struct spool *spool, uint8_t *to, size_t size)
{
	return layer_read(&spool->layer[spool->top], to, size);
}

/* `size` bytes, fewer only at the end of the input. Returns how many, or -errno. */
static ssize_t spool_read_all(struct spool *spool, uint8_t *to, size_t size)
{
	size_t have = 0;

	while (have < size) {
		ssize_t got = spool_read(spool, to + have, size - have);

		if (got < 0)
			return got;
		if (got == 0)
			break;
		have += (size_t)got;
	}
	return (ssize_t)have;
}

bool spool_has_room(uint64_t available, uint64_t total)
{
	uint64_t reserve = total / 20 < RESERVE_MAX ? total / 20 : RESERVE_MAX;

	return total == 0 || available > reserve;
}

static int spool_check_room(const struct spool *spool)
{
	struct statvfs folder;
	uint64_t available;

	if (fstatvfs(spool->fd, &folder) < 0) /* writing will fail */
		return 0;
	available = (uint64_t)folder.f_bavail * folder.f_frsize;
	if (spool_has_room(available, (uint64_t)folder.f_blocks * folder.f_frsize))
		return 0;
	return buffer_fail(spool->why, -ENOSPC, "cannot keep more than %s of %s, of which no end "
	                   "is seen: only %s are left in %s; set TMPDIR to a directory with more "
	                   "room", SIZE_TEXT(spool->bytes), spool_what(spool), SIZE_TEXT(available),
	                   spool->folder);
}

static int spool_write(struct spool *spool, const uint8_t *bytes, size_t size)
{
	int r = spool->is_in_memory ? 0 : spool_check_room(spool);

	if (r < 0)
		return r;
	r = file_write_all(spool->fd, bytes, size);
	if (r < 0 && !spool->is_in_memory)
		buffer_printf(spool->why, "cannot keep %s in %s: %s; set TMPDIR to a directory "
		              "with more room", spool_what(spool), spool->folder, strerror(-r));
	return r;
}

/* Moves the copy from memory to a file, as more will come. */
static int spool_spill(struct spool *spool)
{
	_cleanup_(closep) int memory = spool->fd;
	_cleanup_(freep) uint8_t *piece = xmalloc(SPOOL_BYTES);
	uint64_t done = 0;
	int r;

	spool->is_in_memory = false;
	r = spool_open_file(spool);
	while (r == 0 && done < spool->bytes) {
		uint64_t left = spool->bytes - done;
		size_t size = left < SPOOL_BYTES ? (size_t)left : SPOOL_BYTES;

		r = file_read_all_at(memory, piece, size, done);
		if (r == 0)
			r = spool_write(spool, piece, size);
		done += size;
	}
	return r;
}

static int spool_keep(struct spool *spool, const uint8_t *bytes, size_t size)
{
	uint64_t before = spool->bytes;
	int r = spool->is_in_memory && before + size > MEMORY_MAX ? spool_spill(spool) : 0;

	if (r == 0)
		r = spool_write(spool, bytes, size);
	if (r < 0 && spool->is_in_memory) { /* a limit on file sizes, or no memory */
		r = spool_spill(spool);
		if (r == 0)
			r = spool_write(spool, bytes, size);
	}
	spool->bytes += size;
	if (before / PROGRESS_BYTES != spool->bytes / PROGRESS_BYTES)
		spool_tell_progress(spool);
	return r;
}

/* Whether a block may begin in [begin, bytes). */
static bool spool_has_mark(const struct spool *spool, uint64_t begin)
{
	const uint32_t mark = spool->is_swapped ? __builtin_bswap32(STREAM_BLOCK_MARK)
	                                        : STREAM_BLOCK_MARK;
	_cleanup_(freep) uint8_t *piece = xmalloc(SPOOL_BYTES);

	while (begin < spool->bytes) {
		uint64_t left = spool->bytes - begin;
		size_t size = left < SPOOL_BYTES ? (size_t)left : SPOOL_BYTES;

		if (file_read_all_at(spool->fd, piece, size, begin) < 0 ||
		    memmem(piece, size, &mark, sizeof(mark)))
			return true;
		if (size == left)
			return false;
		begin += size - (sizeof(mark) - 1);
	}
	return false;
}

/*
 * A reader of the copy continues at the next whole block (stream_walk.h), so foreign bytes and what
 * follows them are copied, too, as long as they contain marks of blocks.
 */
static void spool_follow_marks(struct spool *spool, uint64_t begin)
{
	const uint64_t before = sizeof(uint32_t) - 1; /* a mark may begin before them */

	if (begin - spool->lost_at > before)
		begin -= before;
	else
		begin = spool->lost_at + 1;
	if (spool_has_mark(spool, begin))
		spool->stop = UINT64_MAX;
	else if (spool->stop == UINT64_MAX)
		spool->stop = spool->bytes + JUNK_MAX;
}

/* There is no block at next_block. If it is the first block, nothing of the stream can be read. */
static void spool_lose_blocks(struct spool *spool)
{
	spool->stop = spool->bytes + SPOOL_TAIL_BYTES;
	if (spool->next_block > STREAM_MAGIC_BYTES) {
		spool->lost_at = spool->next_block;
		spool->stop = UINT64_MAX;
		spool_follow_marks(spool, spool->lost_at);
	}
	spool->next_block = UINT64_MAX;
}

/* The stream says how far it got, in the bytes from `at` on. False: these have not come yet. */
static bool spool_see_reached(struct spool *spool, uint64_t at, bool is_swapped)
{
	uint8_t bytes[sizeof(uint64_t)];
	nsec_t reached;

	if (spool->bytes < at + sizeof(bytes) ||
	    pread(spool->fd, bytes, sizeof(bytes), (off_t)at) != (ssize_t)sizeof(bytes))
		return false;
	reached = load_u64(bytes, is_swapped);
	if (spool->first_reached == 0)
		spool->first_reached = reached;
	if (reached > spool->first_reached)
		spool->progress.recorded = reached - spool->first_reached;
	spool_tell_progress(spool);
	return true;
}

/* Follows the blocks of a stream, as far as they have come, to the one that ends it. */
static void spool_follow_blocks(struct spool *spool)
{
	uint8_t head[sizeof(struct stream_block)];

	while (spool->next_block < spool->bytes &&
	       spool->bytes - spool->next_block >= sizeof(head)) {
		bool is_swapped;
		uint32_t type;
		uint64_t size;

		if (pread(spool->fd, head, sizeof(head), (off_t)spool->next_block) !=
		    (ssize_t)sizeof(head))
			return;
		is_swapped = load_u32(head, false) != STREAM_BLOCK_MARK;
		size = load_u64(head + offsetof(struct stream_block, size), is_swapped);
		if (load_u32(head, is_swapped) != STREAM_BLOCK_MARK || size > INT64_MAX) {
			spool_lose_blocks(spool);
			return;
		}
		spool->is_swapped = is_swapped;
		type = load_u32(head + offsetof(struct stream_block, type), is_swapped);
		if (type == STREAM_REACHED && size == sizeof(uint64_t) &&
		    !spool_see_reached(spool, spool->next_block + sizeof(head), is_swapped))
			return;
		spool->next_block += sizeof(head) + size;
		if (type == STREAM_JUMP) {
			spool->next_block = UINT64_MAX; /* a file: it ends where the input does */
			return;
		}
		if (type == STREAM_END) {
			spool->stop = spool->next_block + SPOOL_TAIL_BYTES;
			spool->next_block = UINT64_MAX;
		}
	}
}

/* Adds a layer that unpacks what the top one reads. Returns 0 or -errno. */
static int spool_add_layer(struct spool *spool, enum stream_packer packer)
{
	struct spool_layer *layer = &spool->layer[spool->top];

	layer[1] = (struct spool_layer){
		.spool = spool,
		.unpack = unpack_stream_new(packer, layer_read, layer),
	};
	if (layer[1].unpack) {
		spool->top++;
		return 0;
	}
	return buffer_fail(spool->why, -ENOMEM, "no memory to unpack it");
}

/* Detects packing by the first bytes, which are read again. Returns whether a layer was added, or
   -errno. */
static int spool_see_packer(struct spool *spool)
{
	struct spool_layer *layer = &spool->layer[spool->top];
	ssize_t got = spool_read_all(spool, layer->head, sizeof(layer->head));
	enum stream_packer packer;
	int r;

	if (got < 0)
		return (int)got;
	layer->head_bytes = (size_t)got;
	packer = stream_packer_detect(layer->head, layer->head_bytes);
	if (packer == PACKER_NONE || spool->top + 1 == LAYERS_MAX)
		return 0;
	r = spool_add_layer(spool, packer);
	return r < 0 ? r : 1;
}

static bool spool_damage(const struct spool *spool, struct buffer *to)
{
	for (unsigned i = 1; i <= spool->top; i++)
		if (unpack_stream_damage(spool->layer[i].unpack, to))
			return true;
	return false;
}

/* The input begins with these bytes, which are no magic number. Copies it if it is ftrace text. */
static int spool_begin_text(struct spool *spool, const uint8_t *head, size_t size)
{
	_cleanup_(freep) uint8_t *piece = NULL;
	ssize_t got;
	int r;

	if (!text_probe_is_text(head, size))
		return datfile_refuse_magic(head, size, spool->why);
	piece = xmalloc(TEXT_PROBE_BYTES);
	memcpy(piece, head, size);
	got = spool_read_all(spool, piece + size, TEXT_PROBE_BYTES - size);
	if (got < 0)
		return (int)got;
	size += (size_t)got;
	if (!text_probe_has_event((const char *)piece, size))
		return datfile_refuse_magic(piece, size, spool->why);
	r = spool_open(spool);
	return r < 0 ? r : spool_keep(spool, piece, size);
}

/* Reads enough to identify a trace; anything else is not copied. */
static int spool_begin(struct spool *spool)
{
	uint8_t magic[STREAM_MAGIC_BYTES];
	const struct spool_layer *top;
	enum trace_kind kind;
	ssize_t have;
	int r;

	do
		r = spool_see_packer(spool);
	while (r > 0);
	top = &spool->layer[spool->top];
	kind = trace_kind_of(top->head, top->head_bytes);
	have = r < 0 ? r : spool_read_all(spool, magic, sizeof(magic));
	if (have < 0)
		return (int)have;
	if (have < (ssize_t)sizeof(magic) && spool_damage(spool, spool->why))
		return -EINVAL;
	if (kind == TRACE_STREAM)
		spool->next_block = STREAM_MAGIC_BYTES;
	else if (kind == TRACE_UNKNOWN && have == sizeof(magic))
		return spool_begin_text(spool, magic, sizeof(magic));
	r = spool_open(spool);
	return r < 0 ? r : spool_keep(spool, magic, (size_t)have);
}

static int spool_go_on(struct spool *spool)
{
	_cleanup_(freep) uint8_t *block = xmalloc(SPOOL_BYTES);
	int r = 0;

	while (r == 0 && spool->bytes < spool->stop) {
		uint64_t wanted = spool->stop - spool->bytes;
		ssize_t got = spool_read(spool, block, wanted < SPOOL_BYTES ? (size_t)wanted
		                                                            : SPOOL_BYTES);

		if (got <= 0)
			return (int)got;
		r = spool_keep(spool, block, (size_t)got);
		if (r == 0 && spool->lost_at < UINT64_MAX)
			spool_follow_marks(spool, spool->bytes - (uint64_t)got);
		else if (r == 0)
			spool_follow_blocks(spool);
	}
	return r;
}

static const char *spool_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

int spool_new_file(struct buffer *why)
{
	struct spool spool = {.fd = -1, .folder = spool_folder(), .why = why};
	int r = spool_open(&spool);

	return r < 0 ? r : spool.fd;
}

int spool_fill(int from, const struct spool_part *part, struct buffer *damage, struct buffer *why)
{
	struct spool spool = {
		.from = from,
		.left = part ? part->bytes : UINT64_MAX,
		.fd = -1,
		.folder = spool_folder(),
		.next_block = UINT64_MAX,
		.lost_at = UINT64_MAX,
		.stop = UINT64_MAX,
		.why = why,
	};
	int r = 0;

	spool.layer[0].spool = &spool;
	if (part && part->packer != PACKER_NONE)
		r = spool_add_layer(&spool, part->packer);
	if (r == 0)
		r = spool_begin(&spool);
	if (r == 0)
		r = spool_go_on(&spool);
	if (r == 0)
		(void)spool_damage(&spool, damage);
	while (spool.top > 0)
		(void)unpack_stream_free(spool.layer[spool.top--].unpack);
	if (r == 0)
		return spool.fd;
	if (spool.fd >= 0)
		(void)close(spool.fd);
	return r;
}

struct spool *spool_store_new(struct buffer *why)
{
	struct spool *store = xcalloc(1, sizeof(*store));

	store->fd = store->from = -1;
	store->folder = spool_folder();
	store->why = why;
	return spool_open(store) < 0 ? spool_store_free(store) : store;
}

int spool_store_append(struct spool *store, const void *bytes, size_t size, uint64_t *ret_offset,
                       struct buffer *why)
{
	store->why = why;
	*ret_offset = store->bytes;
	return spool_keep(store, bytes, size);
}

int spool_store_read(const struct spool *store, uint64_t offset, void *to, size_t size)
{
	return file_read_all_at(store->fd, to, size, offset);
}

struct spool *spool_store_free(struct spool *store)
{
	if (store && store->fd >= 0)
		(void)close(store->fd);
	free(store);
	return NULL;
}
