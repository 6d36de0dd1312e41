/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flame_colors.h"

/* By convention off-CPU flame graphs are blue, and the kernel's frames are orange. */
static const struct {
	uint8_t least[3], range[3]; /* for red, green and blue */
} palettes[] = {
	[SHOWN_TASK] = {{120, 165, 230}, {45, 40, 25}},
	[SHOWN_CAUSE] = {{95, 200, 175}, {50, 35, 50}},
	[SHOWN_KERNEL] = {{240, 135, 55}, {15, 65, 45}},
	[SHOWN_USER] = {{235, 200, 75}, {20, 50, 75}},
	[SHOWN_MARK] = {{212, 212, 212}, {0, 0, 0}},
};

/* The value within the range of a channel that a byte of the hash selects. */
static uint32_t channel(enum path_frame_kind kind, unsigned at, uint32_t byte)
{
	return palettes[kind].least[at] + palettes[kind].range[at] * (byte & 0xff) / 255;
}

/* FNV-1a. */
static uint32_t text_hash(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash ^ hash >> 15;
}

uint32_t flame_color(enum path_frame_kind kind, const char *text)
{
	uint32_t hash = text_hash(text);

	return channel(kind, 0, hash) << 16 | channel(kind, 1, hash >> 8) << 8 |
	       channel(kind, 2, hash >> 16);
}

uint32_t flame_color_of_kind(enum path_frame_kind kind)
{
	return channel(kind, 0, 127) << 16 | channel(kind, 1, 127) << 8 | channel(kind, 2, 127);
}
