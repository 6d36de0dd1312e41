/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html_block.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define PIECE_BYTES 16384
#define LEVEL       4 /* level of zlib: takes a third of the time of the default level, for 2 %
                         more bytes */
#define LINE_BYTES  57 /* 76 characters of base64 */

static void *zlib_alloc(void *state, unsigned count, unsigned size)
{
	(void)state;
	return xcalloc(count, size);
}

static void zlib_free(void *state, void *memory)
{
	(void)state;
	free(memory);
}

void html_block_init(struct html_block *block)
{
	int r;

	memset(block, 0, sizeof(*block));
	buffer_init(&block->packed, SIZE_MAX / 2);
	block->stream.zalloc = zlib_alloc;
	block->stream.zfree = zlib_free;
	r = deflateInit(&block->stream, LEVEL);
	assert(r == Z_OK); /* deflate() fails only without memory, when the program has ended
	                      already */
	(void)r;
}

void html_block_release(struct html_block *block)
{
	(void)deflateEnd(&block->stream);
	buffer_release(&block->packed);
}

static void block_pack(struct html_block *block, int flush)
{
	unsigned char piece[PIECE_BYTES];

	block->stream.next_in = block->gathered;
	block->stream.avail_in = (uInt)block->gathered_count;
	do {
		block->stream.next_out = piece;
		block->stream.avail_out = PIECE_BYTES;
		(void)deflate(&block->stream, flush);
		buffer_append(&block->packed, piece, PIECE_BYTES - block->stream.avail_out);
	} while (block->stream.avail_out == 0);
	block->gathered_count = 0;
}

void html_block_byte(struct html_block *block, uint8_t byte)
{
	if (block->gathered_count == HTML_BLOCK_GATHER)
		block_pack(block, Z_NO_FLUSH);
	block->gathered[block->gathered_count++] = byte;
}

void html_block_number(struct html_block *block, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		html_block_byte(block, (uint8_t)(number | 0x80));
	html_block_byte(block, (uint8_t)number);
}

void html_block_text(struct html_block *block, const char *text)
{
	while (*text)
		html_block_byte(block, (uint8_t)*text++);
}

static void base64_put(FILE *out, const unsigned char *byte, size_t count)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char line[(LINE_BYTES + 2) / 3 * 4 + 2], *at = line;

	for (size_t i = 0; i < count; i += 3) {
		unsigned left = count - i < 3 ? (unsigned)(count - i) : 3;
		unsigned group = (unsigned)byte[i] << 16 |
		                 (left > 1 ? (unsigned)byte[i + 1] << 8 : 0) |
		                 (left > 2 ? (unsigned)byte[i + 2] : 0);

		*at++ = digits[group >> 18];
		*at++ = digits[group >> 12 & 63];
		*at++ = left > 1 ? digits[group >> 6 & 63] : '=';
		*at++ = left > 2 ? digits[group & 63] : '=';
	}
	*at++ = '\n';
	(void)fwrite(line, 1, (size_t)(at - line), out);
}

void html_block_put(struct html_block *block, const char *name, FILE *out)
{
	const unsigned char *bytes;

	block_pack(block, Z_FINISH);
	bytes = (const unsigned char *)block->packed.text;
	(void)fprintf(out, "<script type=\"text/plain\" id=\"data-%s\">\n", name);
	for (size_t at = 0; at < block->packed.length; at += LINE_BYTES) {
		size_t left = block->packed.length - at;

		base64_put(out, bytes + at, left < LINE_BYTES ? left : LINE_BYTES);
	}
	(void)fputs("</script>\n", out);
}
