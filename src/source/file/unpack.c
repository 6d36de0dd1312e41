/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unpack.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/byte_order.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "json_trace.h"

#define PACKED_BYTES   (64u << 10)
#define GZIP_MAGIC     0x8b1fu
#define SKIPPABLE_MASK 0xfffffff0u

enum unpack_end {
	UNPACK_GOES_ON,
	UNPACK_WHOLE,
	UNPACK_CUT,
	UNPACK_DAMAGED,
	UNPACK_WINDOW, /* it refers back farther than the window */
	UNPACK_RATIO,
	UNPACK_LACKS, /* JSON: it has no events of the kernel */
};

struct unpack_stream {
	enum stream_packer packer;
	unpack_read read;
	void *state;
	z_stream gzip; /* of all that deflate has packed */
	ZSTD_DStream *zstd;
	struct json_trace json;
	uint8_t packed[PACKED_BYTES];
	size_t at, have;       /* of packed */
	uint64_t taken, given; /* bytes of the packed file that were read, unpacked ones */
	bool is_inside;        /* a member or a frame has begun and not ended */
	bool is_read;          /* all of the packed file was read */
	enum unpack_end end;
};

/* Where the zlib data begin that follow a line "TRACE:"; 0: there are none. */
static size_t atrace_begin(const uint8_t *head, size_t size)
{
	static const char mark[] = "TRACE:";
	const uint8_t *line = memmem(head, size, mark, sizeof(mark) - 1);
	size_t at;

	if (!line || (line > head && line[-1] != '\n'))
		return 0;
	at = (size_t)(line - head) + sizeof(mark) - 1;
	if (at < size && head[at] == '\r')
		at++;
	if (at + 2 >= size || head[at] != '\n' || (head[at + 1] & 0xf) != Z_DEFLATED ||
	    (head[at + 1] << 8 | head[at + 2]) % 31 != 0)
		return 0;
	return at + 1;
}

enum stream_packer stream_packer_detect(const void *head, size_t size)
{
	uint32_t magic;

	if (size < 4)
		return PACKER_NONE;
	magic = load_u32(head, byte_order_is_big());
	if ((magic & 0xffff) == GZIP_MAGIC && (magic >> 16 & 0xff) == Z_DEFLATED)
		return PACKER_GZIP;
	if (magic == ZSTD_MAGICNUMBER || (magic & SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START)
		return PACKER_ZSTD;
	if (atrace_begin(head, size))
		return PACKER_ATRACE;
	return json_trace_is(head, size) ? PACKER_JSON : PACKER_NONE;
}

/* Their names in messages; `window`: zlib's windowBits, as inflateInit2() takes them; 0: it is not
   packed by zlib. */
static const struct {
	const char *name;
	int window;
	bool is_part;
} packers[] = {
	[PACKER_NONE] = {"none", 0, false},
	[PACKER_GZIP] = {"gzip", MAX_WBITS + 16, false},
	[PACKER_ZSTD] = {"zstd", 0, false},
	[PACKER_ATRACE] = {"zlib", MAX_WBITS, false},
	[PACKER_JSON] = {"JSON", 0, false},
	[PACKER_ZLIB] = {"zlib", MAX_WBITS + 32, true}, /* either head */
	[PACKER_DEFLATE] = {"deflate", -MAX_WBITS, true}, /* no head */
};

static bool stream_begin(struct unpack_stream *stream)
{
	int window = packers[stream->packer].window;

	stream->is_inside = packers[stream->packer].is_part || stream->packer == PACKER_JSON;
	if (window)
		return inflateInit2(&stream->gzip, window) == Z_OK;
	if (stream->packer == PACKER_JSON)
		return true;
	assert(stream->packer == PACKER_ZSTD);
	stream->zstd = ZSTD_createDStream();
	return stream->zstd && !ZSTD_isError(ZSTD_initDStream(stream->zstd)) &&
	       !ZSTD_isError(ZSTD_DCtx_setParameter(stream->zstd, ZSTD_d_windowLogMax,
	                                            UNPACK_WINDOW_LOG));
}

struct unpack_stream *unpack_stream_new(enum stream_packer packer, unpack_read read, void *state)
{
	struct unpack_stream *stream = xcalloc(1, sizeof(*stream));

	stream->packer = packer;
	stream->read = read;
	stream->state = state;
	return stream_begin(stream) ? stream : unpack_stream_free(stream);
}

struct unpack_stream *unpack_stream_free(struct unpack_stream *stream)
{
	if (!stream)
		return NULL;
	if (packers[stream->packer].window)
		(void)inflateEnd(&stream->gzip);
	(void)ZSTD_freeDStream(stream->zstd);
	free(stream);
	return NULL;
}

/* Provides packed bytes, unless all are consumed. Returns 0 or -errno. */
static int stream_fill(struct unpack_stream *stream, size_t least)
{
	while (stream->have - stream->at < least && !stream->is_read) {
		ssize_t got;

		for (size_t i = stream->at; i < stream->have; i++)
			stream->packed[i - stream->at] = stream->packed[i];
		stream->have -= stream->at;
		stream->at = 0;
		got = stream->read(stream->state, stream->packed + stream->have,
		                   sizeof(stream->packed) - stream->have);
		if (got < 0)
			return (int)got;
		stream->is_read = got == 0;
		stream->have += (size_t)got;
		stream->taken += (uint64_t)got;
	}
	return 0;
}

/* Between members: checks for another one. Returns 0 or -errno. */
static int gzip_begin(struct unpack_stream *stream)
{
	int r = stream_fill(stream, 4);

	if (r < 0)
		return r;
	if (stream_packer_detect(stream->packed + stream->at, stream->have - stream->at) !=
	    PACKER_GZIP) {
		stream->end = UNPACK_WHOLE;
		return 0;
	}
	(void)inflateReset(&stream->gzip);
	stream->is_inside = true;
	return 0;
}

/* Unpacks the available bytes; returns how many came out. */
static size_t gzip_step(struct unpack_stream *stream, uint8_t *to, size_t size)
{
	size_t before = stream->have - stream->at;
	int status;

	stream->gzip.next_in = stream->packed + stream->at;
	stream->gzip.avail_in = (uInt)before;
	stream->gzip.next_out = to;
	stream->gzip.avail_out = (uInt)size;
	status = inflate(&stream->gzip, Z_NO_FLUSH);
	stream->at += before - stream->gzip.avail_in;
	if (status == Z_STREAM_END)
		stream->is_inside = false;
	else if (status != Z_OK && status != Z_BUF_ERROR)
		stream->end = UNPACK_DAMAGED;
	return size - stream->gzip.avail_out;
}

static size_t zstd_step(struct unpack_stream *stream, uint8_t *to, size_t size)
{
	ZSTD_inBuffer in = {stream->packed + stream->at, stream->have - stream->at, 0};
	ZSTD_outBuffer out = {to, size, 0};
	size_t hint = ZSTD_decompressStream(stream->zstd, &out, &in);

	stream->at += in.pos;
	if (ZSTD_isError(hint))
		stream->end = ZSTD_getErrorCode(hint) == ZSTD_error_frameParameter_windowTooLarge
		                      ? UNPACK_WINDOW
		                      : UNPACK_DAMAGED;
	else
		stream->is_inside = hint != 0;
	return out.pos;
}

/* The bytes up to the zlib data, and those behind them, are no part of the trace. */
static int atrace_skip(struct unpack_stream *stream)
{
	int r;

	if (stream->given > 0) {
		stream->end = UNPACK_WHOLE;
		return 0;
	}
	r = stream_fill(stream, STREAM_PACKER_HEAD_BYTES);
	stream->at += atrace_begin(stream->packed, stream->have);
	stream->is_inside = true;
	return r;
}

static size_t json_step(struct unpack_stream *stream, uint8_t *to, size_t size)
{
	struct json_trace *json = &stream->json;
	size_t count = 0;

	while (count < size && (json->given < json->made || stream->at < stream->have))
		if (json->given < json->made)
			to[count++] = json->bytes[json->given++];
		else
			json_trace_take(json, stream->packed[stream->at++]);
	if (json->given < json->made)
		return count;
	if (json->state == JSON_TRACE_END)
		stream->end = UNPACK_WHOLE;
	else if (stream->is_read && stream->at == stream->have)
		stream->end = json->state == JSON_TRACE_TEXT ? UNPACK_CUT : UNPACK_LACKS;
	return count;
}

/* One step; returns how many bytes came out, or -errno. */
static ssize_t stream_step(struct unpack_stream *stream, uint8_t *to, size_t size)
{
	int r = 0;

	if (stream->packer == PACKER_GZIP && !stream->is_inside)
		r = gzip_begin(stream);
	else if (stream->packer == PACKER_ATRACE && !stream->is_inside)
		r = atrace_skip(stream);
	else if (packers[stream->packer].is_part && !stream->is_inside)
		stream->end = UNPACK_WHOLE;
	if (r == 0 && stream->end == UNPACK_GOES_ON)
		r = stream_fill(stream, 1);
	if (r < 0 || stream->end != UNPACK_GOES_ON)
		return r;
	if (stream->packer == PACKER_ZSTD && stream->at == stream->have && !stream->is_inside) {
		stream->end = UNPACK_WHOLE;
		return 0;
	}
	if (stream->packer == PACKER_JSON)
		return (ssize_t)json_step(stream, to, size);
	return (ssize_t)(stream->packer == PACKER_ZSTD ? zstd_step(stream, to, size)
	                                               : gzip_step(stream, to, size));
}

ssize_t unpack_stream_read(struct unpack_stream *stream, uint8_t *to, size_t size)
{
	ssize_t got = 0;

	/* zlib counts in 32 bits */
	if (size > PACKED_BYTES * 16)
		size = PACKED_BYTES * 16;
	while (got == 0 && stream->end == UNPACK_GOES_ON) {
		size_t at = stream->at;

		got = stream_step(stream, to, size);
		/* no input is left and no output comes */
		if (got == 0 && stream->end == UNPACK_GOES_ON && stream->is_read &&
		    stream->at == at && stream->is_inside)
			stream->end = UNPACK_CUT;
	}
	if (got > 0)
		stream->given += (uint64_t)got;
	if (stream->end == UNPACK_GOES_ON && stream->given > UNPACK_FREE_BYTES &&
	    stream->given / UNPACK_RATIO_MAX > stream->taken)
		stream->end = UNPACK_RATIO;
	return got;
}

bool unpack_stream_damage(const struct unpack_stream *stream, struct buffer *to)
{
	const char *name = packers[stream->packer].name;
	char at[FORMAT_BYTES], given[FORMAT_BYTES];

	(void)format_count(stream->taken - (stream->have - stream->at), at);
	(void)format_size(stream->given, given);
	switch (stream->end) {
	case UNPACK_GOES_ON:
	case UNPACK_WHOLE:
		return false;
	case UNPACK_CUT:
		buffer_printf(to, "cut short: its %s data end within, after %s bytes, which make "
		              "%s", name, at, given);
		break;
	case UNPACK_DAMAGED:
		buffer_printf(to, "damaged: its %s data make no sense near byte %s; what stands "
		              "before that makes %s", name, at, given);
		break;
	case UNPACK_WINDOW:
		buffer_printf(to, "it takes more than %llu MiB of memory to unpack: "
		              "zstd -dc --long=31 FILE | ftwait report -",
		              (unsigned long long)(UNPACK_WINDOW_MAX >> 20));
		break;
	case UNPACK_LACKS:
		buffer_puts(to, "it is a trace of Chrome (JSON) without systemTraceEvents: it has "
		                "no events of the kernel");
		break;
	case UNPACK_RATIO:
	default:
		buffer_printf(to, "damaged: its %s data make more than %u times their size, which "
		              "no trace does; the first %s of it are read", name,
		              UNPACK_RATIO_MAX, given);
		break;
	}
	return true;
}

int packing_from_name(const char *name, enum packing *ret)
{
	static const char *const names[] = {
		[PACKING_NONE] = "none",
		[PACKING_ZLIB] = "zlib",
		[PACKING_ZSTD] = "zstd",
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0) {
			*ret = (enum packing)i;
			return 0;
		}
	return -ENOTSUP;
}

/* Deflate codes at best 258 bytes in two bits (zlib's Technical Details). */
#define ZLIB_RATIO_MAX 1032u

bool unpack_is_possible(enum packing packing, const void *head, size_t from_size, size_t to_size)
{
	/* even incompressible data grow by far less */
	bool is_sane = from_size <= to_size + to_size / 8 + 1024;
	unsigned long long stated;

	if (packing == PACKING_NONE)
		return from_size == to_size;
	if (packing == PACKING_ZLIB)
		return is_sane && to_size / ZLIB_RATIO_MAX <= from_size;
	/* the size in a frame is checked again when it is unpacked; a frame need not have one */
	stated = ZSTD_getFrameContentSize(head, from_size < UNPACK_HEAD_BYTES ? from_size
	                                                                      : UNPACK_HEAD_BYTES);
	return is_sane && stated != ZSTD_CONTENTSIZE_ERROR &&
	       (stated == to_size || stated == ZSTD_CONTENTSIZE_UNKNOWN);
}

int unpack(enum packing packing, const void *from, size_t from_size, void *to, size_t to_size)
{
	uLongf got = to_size;

	if (packing == PACKING_ZLIB) {
		if (uncompress(to, &got, from, from_size) != Z_OK)
			return -EBADMSG;
	} else if (packing == PACKING_ZSTD) {
		got = ZSTD_decompress(to, to_size, from, from_size);
		if (ZSTD_isError(got))
			return -EBADMSG;
	} else {
		got = from_size;
		if (got == to_size)
			memcpy(to, from, to_size);
	}
	return got == to_size ? 0 : -EBADMSG;
}
