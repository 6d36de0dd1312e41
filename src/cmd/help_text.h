/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the manual that "ftwait help NAME" prints, packed (PACKING_ZLIB): make writes
 * help_text.c from man/ (embed_topics.sh). help_topics.awk describes the lines.
 */
#pragma once

#include <stddef.h>

extern const unsigned char help_text_packed[];
extern const size_t help_text_packed_size, help_text_size;
