/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of a flame graph as elements of SVG, roots at the bottom, and the picture's script: it
   reads the class of each element, its title, its begin (data-b) and its size (data-w), in ns. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "flame_layout.h"
#include "ftwait/report.h"

#define SVG_WIDTH  1200 /* sizes are in units of the picture's viewBox */
#define SVG_MARGIN 10   /* left and right of everything */
#define SVG_ROOM   (SVG_WIDTH - 2 * SVG_MARGIN)
#define SVG_COLUMN 725u /* width of a character in hundredths: 0.6 of the size, 12, in
                           "monospace" */

unsigned svg_graph_height(const struct flame_layout *layout);
/* `top`: position of the graph's upper end. */
void svg_graph_put(FILE *out, const struct flame_layout *layout, const struct intern *names,
                   unsigned top);
/* Closes the picture's content. */
void svg_script_put(FILE *out);

/*
 * Colours of frames: a palette for each kind, in which a text always has the same shade. All are
 * light enough for black text.
 */

/* 0xRRGGBB. */
uint32_t flame_color(enum path_frame_kind kind, const char *text);
/* The middle of the palette, for legends. */
uint32_t flame_color_of_kind(enum path_frame_kind kind);
