/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A block of data in a page. The bytes are compressed as they come (zlib's format), and put into
 * the page as base64, in an element that browsers do not run. Memory: the compressed data. Format
 * of numbers: unsigned LEB128, groups of 7 bits, least first.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

#include "base/text/buffer.h"

#define HTML_BLOCK_GATHER 4096

struct html_block {
	z_stream stream;
	struct buffer packed;
	unsigned char gathered[HTML_BLOCK_GATHER]; /* not compressed yet */
	size_t gathered_count;
};

void html_block_init(struct html_block *block);
void html_block_release(struct html_block *block);
void html_block_byte(struct html_block *block, uint8_t byte);
void html_block_number(struct html_block *block, uint64_t number);
void html_block_text(struct html_block *block, const char *text);
/* Ends the block and writes it as element "data-NAME", even if it is empty. */
void html_block_put(struct html_block *block, const char *name, FILE *out);
