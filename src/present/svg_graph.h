/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of a flame graph as elements of SVG, roots at the bottom. The script (svg_script.c)
 * reads the class of each, its title, and data-b and data-w: its begin and its size, in ns.
 */
#pragma once

#include <stdio.h>

#include "flame_layout.h"

#define SVG_WIDTH  1200 /* all sizes are in the units of the picture's viewBox */
#define SVG_MARGIN 10   /* left and right of everything */
#define SVG_ROOM   (SVG_WIDTH - 2 * SVG_MARGIN)
#define SVG_COLUMN 725u /* hundredths; width of a character: "monospace" is 0.6 of its size, 12 */

unsigned svg_graph_height(const struct flame_layout *layout);
/* `top`: position of its upper end. */
void svg_graph_put(FILE *out, const struct flame_layout *layout, const struct intern *names,
                   unsigned top);
/* Closes the picture's content. */
void svg_script_put(FILE *out);
