/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of text over the whole screen, for reading: with a title above, the keys below, and
   scrolled by keys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text/buffer.h"
#include "screen.h"

struct top_pane {
	bool is_open;
	struct buffer title, text; /* printable UTF-8; `text` with line feeds */
	size_t top, left;          /* the first line and column that are shown */
	size_t page;               /* lines that the last drawing had room for; 0: not drawn yet */
};

void top_pane_init(struct top_pane *pane);
void top_pane_release(struct top_pane *pane);
/* Opens it at its begin. Both texts are copied, and cleaned: bytes that are not printable are
   written as \xNN. */
void top_pane_open(struct top_pane *pane, const char *title, const char *text);
void top_pane_draw(struct top_pane *pane, struct screen *screen);
/* Scrolls, or closes; keys.h. */
void top_pane_key(struct top_pane *pane, int key);
