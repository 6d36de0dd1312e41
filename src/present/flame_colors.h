/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Colours of frames: a palette for each kind, in which a text always has the same shade. All are
 * light enough for black text.
 */
#pragma once

#include <stdint.h>

#include "ftwait/report.h"

/* 0xRRGGBB. */
uint32_t flame_color(enum path_frame_kind kind, const char *text);
/* The middle of the palette, for legends. */
uint32_t flame_color_of_kind(enum path_frame_kind kind);
