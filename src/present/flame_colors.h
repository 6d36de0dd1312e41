/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Colours of frames: of each kind a palette, in which a text has always the same shade. All are
 * light enough for black text.
 */
#pragma once

#include <stdint.h>

#include "ftwait/report.h"

/* 0xRRGGBB. */
uint32_t flame_color(enum path_frame_kind kind, const char *text);
/* The middle of its palette, which stands for it. */
uint32_t flame_color_of_kind(enum path_frame_kind kind);
