/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of a flame graph as elements of SVG, roots at the bottom. The script (svg_script.c)
   reads the class of each element, its title, its begin (data-b) and its size (data-w), in ns. */
#pragma once

#include <stdio.h>

#include "present/flame_layout.h"

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
